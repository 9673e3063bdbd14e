"""The layers, losses and the step of stage3.py in PyTorch, with the weights of ours."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import stage3_nn
from benchmarks import peers
from benchmarks.clock import Pass
from benchmarks.inputs import forget_gradients

torch = peers.load("PyTorch")
nn, F = torch.nn, torch.nn.functional

LAYERS: dict[str, Callable] = {
    "Linear(128, 512)": lambda: nn.Linear(128, 512),
    "Embedding(100, 128)": lambda: nn.Embedding(100, 128),
    "LayerNorm(128)": lambda: nn.LayerNorm(128),
    "RMSNorm(128)": lambda: nn.RMSNorm(128, eps=1e-5),
    "BatchNorm1d(128)": lambda: nn.BatchNorm1d(128),
    "ReLU": nn.ReLU,
    "Sigmoid": nn.Sigmoid,
    "Tanh": nn.Tanh,
    "GELU": lambda: nn.GELU(approximate="tanh"),
    "SiLU": nn.SiLU,
    "Softmax": lambda: nn.Softmax(-1),
    "Conv2d(8, 16, 3)": lambda: nn.Conv2d(8, 16, 3),
    "MaxPool2d(2)": lambda: nn.MaxPool2d(2),
    "Dropout(0.1)": lambda: nn.Dropout(0.1),
}
LOSSES: dict[str, Callable] = {
    "mse_loss": F.mse_loss,
    "l1_loss": F.l1_loss,
    "huber_loss": F.huber_loss,
    "binary_cross_entropy_with_logits": F.binary_cross_entropy_with_logits,
    "cross_entropy": F.cross_entropy,
    "cross_entropy, smoothed": partial(F.cross_entropy, label_smoothing=0.1),
}


def copy_weights(ours: stage3_nn.Module, theirs: Any) -> Any:
    """Their module with the numbers of ours; the weight of a Linear is stored transposed there."""
    linear = {id(m.weight) for m in theirs.modules() if isinstance(m, nn.Linear)}
    for p, peer in zip(ours.parameters(), theirs.parameters(), strict=True):
        peer.data = torch.tensor(p.data.T.copy() if id(peer) in linear else p.data)
    return theirs


def through(name: str, ours: stage3_nn.Module, x: np.ndarray) -> Pass:
    """A layer there and back; ids have no gradient, so the weight's is returned."""
    layer = copy_weights(ours, LAYERS[name]())
    inputs = torch.tensor(x, requires_grad=x.dtype == np.float32)
    parameters = list(layer.parameters())
    looked_at = inputs if inputs.requires_grad else parameters[0]
    above = torch.ones(layer(inputs).shape)

    def run() -> np.ndarray:
        forget_gradients([looked_at, *parameters])
        layer(inputs).backward(above)
        return looked_at.grad.numpy()

    return run


def loss(name: str, logits: np.ndarray, target: np.ndarray) -> Pass:
    """A loss there and back."""
    f, x, t = LOSSES[name], torch.tensor(logits, requires_grad=True), torch.tensor(target)

    def run() -> np.ndarray:
        forget_gradients([x])
        f(x, t).backward()
        return x.grad.numpy()

    return run


def step(ours: stage3_nn.Module, x: np.ndarray, labels: np.ndarray, lr: float) -> Pass:
    """A step of plain gradient descent of the MLP."""
    from benchmarks.stage3 import SIZES

    layers = [m for n, k in SIZES for m in (nn.Linear(n, k), nn.ReLU())][:-1]
    model = copy_weights(ours, nn.Sequential(*layers))
    inputs, targets = torch.tensor(x), torch.tensor(labels)
    parameters = list(model.parameters())

    def run() -> np.ndarray:
        forget_gradients(parameters)
        loss = F.cross_entropy(model(inputs), targets)
        loss.backward()
        with torch.no_grad():
            for p in parameters:
                p -= lr * p.grad
        return loss.detach().numpy()

    return run
