"""Stage 3 beside PyTorch: every layer and loss there and back, and a step of plain descent.

As stage2.py measures: one process, one thread each, CPU time, in turns; values and gradients are
compared first. The losses and activations that are one node have goals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

import stage3_nn as nn
from benchmarks.clock import Pass, in_turns
from benchmarks.inputs import forget_gradients, numbers
from benchmarks.target import Pair, Target
from stage2_tensor import Tensor

LR = 1e-3
SIZES = [(784, 256), (256, 128), (128, 10)]
GOALS = {
    "Sigmoid": 1.4,
    "SiLU": 1.25,
    "mse_loss": 1.2,
    "huber_loss": 1.3,
    "binary_cross_entropy_with_logits": 1.05,
    "cross_entropy": 1.7,
    "cross_entropy, smoothed": 1.7,
}


def targets() -> Iterator[Target]:
    """The layers on a batch as the later stages see it, the losses, and the step."""
    for name, layer, x in layers():
        measure = partial(beside, name, layer, x)
        yield Target(f"{name} of {x.shape}", "PyTorch", GOALS.get(name), measure)
    for name, loss, target in losses():
        what = f"{name} of (1024, 64)"
        measure = partial(loss_beside, name, loss, target)
        yield Target(what, "PyTorch", GOALS.get(name), measure)
    yield Target("MLP 784-256-128-10, a step of plain descent", "PyTorch", None, step)


def layers() -> Iterator[tuple[str, nn.Module, np.ndarray]]:
    """Every layer, with its input."""
    tokens = numbers(64, 16, 128)
    pictures = numbers(16, 8, 16, 16)
    ids = np.random.default_rng(0).integers(0, 100, (64, 16))
    r = np.random.default_rng(0)
    yield "Linear(128, 512)", nn.Linear(128, 512, rng=r), tokens
    yield "Embedding(100, 128)", nn.Embedding(100, 128, rng=r), ids
    yield "LayerNorm(128)", nn.LayerNorm(128), tokens
    yield "RMSNorm(128)", nn.RMSNorm(128), tokens
    yield "BatchNorm1d(128)", nn.BatchNorm1d(128), tokens[:, 0]
    yield "ReLU", nn.ReLU(), tokens
    yield "Sigmoid", nn.Sigmoid(), tokens
    yield "Tanh", nn.Tanh(), tokens
    yield "GELU", nn.GELU(), tokens
    yield "SiLU", nn.SiLU(), tokens
    yield "Softmax", nn.Softmax(), tokens
    yield "Conv2d(8, 16, 3)", nn.Conv2d(8, 16, 3, rng=r), pictures
    yield "MaxPool2d(2)", nn.MaxPool2d(2), pictures
    yield "Dropout(0.1)", nn.Dropout(0.1, rng=r), tokens


def losses() -> Iterator[tuple[str, Callable, np.ndarray]]:
    """Every loss, with its target."""
    target = numbers(1024, 64, seed=1) - 0.5
    ids = np.random.default_rng(0).integers(0, 64, 1024)
    yield "mse_loss", nn.mse_loss, target
    yield "l1_loss", nn.l1_loss, target
    yield "huber_loss", nn.huber_loss, target
    yield "binary_cross_entropy_with_logits", nn.binary_cross_entropy_with_logits, target
    yield "cross_entropy", nn.cross_entropy, ids
    yield "cross_entropy, smoothed", partial(nn.cross_entropy, label_smoothing=0.1), ids


def beside(name: str, layer: nn.Module, x: np.ndarray, rounds: int) -> list[Pair]:
    """CPU seconds of a layer here and there. Dropout draws its own numbers on each side."""
    from benchmarks import stage3_pytorch

    checks = 0 if name.startswith("Dropout") else 1
    return in_turns(through(layer, x), stage3_pytorch.through(name, layer, x), rounds, checks)


def through(layer: nn.Module, x: np.ndarray) -> Pass:
    """A layer of ours, there and back; ids have no gradient, so the weight's is returned."""
    inputs = Tensor(x, requires_grad=True) if x.dtype == np.float32 else x
    parameters = layer.parameters()
    looked_at = inputs if isinstance(inputs, Tensor) else parameters[0]
    above = np.ones(layer(inputs).shape, np.float32)

    def run() -> np.ndarray | None:
        forget_gradients([looked_at, *parameters])
        layer(inputs).backward(above)
        return looked_at.grad

    return run


def loss_beside(name: str, loss: Callable, target: np.ndarray, rounds: int) -> list[Pair]:
    """CPU seconds of a loss here and there."""
    from benchmarks import stage3_pytorch

    logits = numbers(1024, 64)
    x = Tensor(logits, requires_grad=True)

    def own() -> np.ndarray | None:
        forget_gradients([x])
        loss(x, target).backward()
        return x.grad

    return in_turns(own, stage3_pytorch.loss(name, logits, target), rounds)


def step(rounds: int) -> list[Pair]:
    """CPU seconds of a step of gradient descent on a batch of 128, float32."""
    from benchmarks import stage3_pytorch

    r = np.random.default_rng(0)
    model = nn.Sequential(*[m for n, k in SIZES for m in (nn.Linear(n, k, rng=r), nn.ReLU())][:-1])
    x, labels = r.standard_normal((128, 784)).astype(np.float32), r.integers(0, 10, 128)
    parameters = model.parameters()
    theirs = stage3_pytorch.step(model, x, labels, LR)

    def own() -> np.ndarray:
        forget_gradients(parameters)
        loss = nn.cross_entropy(model(Tensor(x)), labels)
        loss.backward()
        for p in parameters:
            p.data -= LR * p.grad
        return loss.data

    return in_turns(own, theirs, rounds, checks=3, tolerance=1e-5)
