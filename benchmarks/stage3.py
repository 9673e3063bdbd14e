"""Stage 3 beside PyTorch: one step of an MLP, and every layer there and back.

    python benchmarks/stage3.py

As stage2.py measures: one process, one thread each, CPU time, in turns; values and gradients are
compared first. Weights are copied from our layers to PyTorch's, transposed where they must be.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from peers import Pass, compare, forget_gradients, numbers, print_table, torch

import stage3_nn as nn
from stage2_tensor import Tensor

F = torch.nn.functional
LR = 1e-3


def copy_weights(ours: nn.Module, theirs: Any) -> Any:
    """Their module with the numbers of ours: a Linear is stored transposed there."""
    for (name, mine), peer in zip(ours.named_parameters(), theirs.parameters(), strict=True):
        transposed = mine.ndim == 2 and name.endswith("weight") and mine.shape != tuple(peer.shape)
        square = mine.ndim == 2 and isinstance(theirs, torch.nn.Linear)
        peer.data = torch.tensor(mine.data.T.copy() if transposed or square else mine.data)
    return theirs


def by_us(layer: nn.Module, x: np.ndarray, wants: bool) -> Pass:
    """A layer of ours, forward and backward; ids have no gradient, so the weight's is returned."""
    inputs = Tensor(x, requires_grad=wants) if wants else x
    parameters = layer.parameters()
    above = np.ones(layer(inputs).shape, np.float32)

    def run() -> np.ndarray | None:
        forget_gradients([*parameters, *([inputs] if isinstance(inputs, Tensor) else [])])
        layer(inputs).backward(above)
        return inputs.grad if isinstance(inputs, Tensor) else parameters[0].grad

    return run


def by_torch(layer: Any, x: np.ndarray, wants: bool) -> Pass:
    """A layer of PyTorch's."""
    inputs: Any = torch.tensor(x, requires_grad=wants)
    parameters = list(layer.parameters())
    above = torch.ones(layer(inputs).shape)

    def run() -> np.ndarray:
        forget_gradients([inputs, *parameters])
        layer(inputs).backward(above)
        return (inputs.grad if wants else parameters[0].grad).numpy()

    return run


def layer_rows(rounds: int) -> list[list[str]]:
    """Every layer on a batch as the later stages see it."""
    tokens = numbers(64, 16, 128)
    pictures = numbers(16, 8, 16, 16)
    ids = np.random.default_rng(0).integers(0, 100, (64, 16))
    r = np.random.default_rng(0)
    pairs = [
        ("Linear(128, 512)", nn.Linear(128, 512, rng=r), torch.nn.Linear(128, 512), tokens),
        ("Embedding(100, 128)", nn.Embedding(100, 128, rng=r), torch.nn.Embedding(100, 128), ids),
        ("LayerNorm(128)", nn.LayerNorm(128), torch.nn.LayerNorm(128), tokens),
        ("RMSNorm(128)", nn.RMSNorm(128), torch.nn.RMSNorm(128, eps=1e-5), tokens),
        ("BatchNorm1d(128)", nn.BatchNorm1d(128), torch.nn.BatchNorm1d(128), tokens[:, 0]),
        ("ReLU", nn.ReLU(), torch.nn.ReLU(), tokens),
        ("Sigmoid", nn.Sigmoid(), torch.nn.Sigmoid(), tokens),
        ("Tanh", nn.Tanh(), torch.nn.Tanh(), tokens),
        ("GELU", nn.GELU(), torch.nn.GELU(approximate="tanh"), tokens),
        ("SiLU", nn.SiLU(), torch.nn.SiLU(), tokens),
        ("Softmax", nn.Softmax(), torch.nn.Softmax(-1), tokens),
        ("Conv2d(8, 16, 3)", nn.Conv2d(8, 16, 3, rng=r), torch.nn.Conv2d(8, 16, 3), pictures),
        ("MaxPool2d(2)", nn.MaxPool2d(2), torch.nn.MaxPool2d(2), pictures),
    ]
    rows = []
    for name, ours, theirs, x in pairs:
        theirs = copy_weights(ours, theirs)
        own, peer = by_us(ours, x, x is not ids), by_torch(theirs, x, x is not ids)
        rows.append(compare(f"{name} of {x.shape}", None, own, peer, rounds))
    return rows


def dropout_rows(rounds: int) -> list[list[str]]:
    """Dropout draws its own numbers on each side: only the time can be compared."""
    x = numbers(64, 16, 128)
    own = by_us(nn.Dropout(0.1, rng=np.random.default_rng(0)), x, True)
    peer = by_torch(torch.nn.Dropout(0.1), x, True)
    what = f"Dropout(0.1) of {x.shape}"
    return [compare(what, None, own, peer, rounds, same=False)]


def loss_rows(rounds: int) -> list[list[str]]:
    """Every loss on logits of 1,024 rows and 64 classes."""
    x, target = numbers(1024, 64), numbers(1024, 64, seed=1) - 0.5
    ids = np.random.default_rng(0).integers(0, 64, 1024)
    pairs = [
        ("mse_loss", nn.mse_loss, F.mse_loss, target),
        ("l1_loss", nn.l1_loss, F.l1_loss, target),
        ("huber_loss", nn.huber_loss, F.huber_loss, target),
        (
            "binary_cross_entropy_with_logits",
            nn.binary_cross_entropy_with_logits,
            F.binary_cross_entropy_with_logits,
            target,
        ),
        ("cross_entropy", nn.cross_entropy, F.cross_entropy, ids),
        (
            "cross_entropy, smoothed",
            lambda x, t: nn.cross_entropy(x, t, label_smoothing=0.1),
            lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1),
            ids,
        ),
    ]
    rows = []
    for name, ours, theirs, goal in pairs:
        a, b = Tensor(x, requires_grad=True), torch.tensor(x, requires_grad=True)
        t = torch.tensor(goal)

        def own(f=ours, a=a, goal=goal) -> np.ndarray | None:
            forget_gradients([a])
            f(a, goal).backward()
            return a.grad

        def peer(f=theirs, b: Any = b, t=t) -> np.ndarray:
            forget_gradients([b])
            f(b, t).backward()
            return b.grad.numpy()

        rows.append(compare(f"{name} of {x.shape}", None, own, peer, rounds))
    return rows


def mlp_rows(rounds: int) -> list[list[str]]:
    """One step of gradient descent: an MLP 784-256-128-10 on a batch of 128, float32."""
    r = np.random.default_rng(0)
    sizes = [(784, 256), (256, 128), (128, 10)]
    layers = [layer for n, m in sizes for layer in (nn.Linear(n, m, rng=r), nn.ReLU())][:-1]
    ours = nn.Sequential(*layers)
    peers = [layer for n, m in sizes for layer in (torch.nn.Linear(n, m), torch.nn.ReLU())][:-1]
    theirs = copy_weights(ours, torch.nn.Sequential(*peers))
    x, labels = r.standard_normal((128, 784)).astype(np.float32), r.integers(0, 10, 128)
    tx, tlabels = torch.tensor(x), torch.tensor(labels)
    parameters, their_parameters = ours.parameters(), list(theirs.parameters())

    def own() -> np.ndarray:
        forget_gradients(parameters)
        loss = nn.cross_entropy(ours(Tensor(x)), labels)
        loss.backward()
        for p in parameters:
            p.data -= LR * p.grad
        return loss.data

    def peer() -> np.ndarray:
        forget_gradients(their_parameters)
        loss = F.cross_entropy(theirs(tx), tlabels)
        loss.backward()
        with torch.no_grad():
            for p in their_parameters:
                p -= LR * p.grad
        return loss.detach().numpy()

    for _ in range(3):  # equal losses before anything is timed
        np.testing.assert_allclose(own(), peer(), rtol=1e-5)
    return [compare("MLP 784-256-128-10, a step", None, own, peer, rounds, same=False)]


if __name__ == "__main__":
    print_table("Stage 3", [layer_rows, dropout_rows, loss_rows, mlp_rows])
