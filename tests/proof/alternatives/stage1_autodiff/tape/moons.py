"""Two moons, with the loss added up in a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stage1_autodiff.neuron import Module
from stage1_autodiff.value import Value


def hinge_loss(model: Module, points: Sequence, labels: Sequence, alpha: float = 1e-4) -> Value:
    total = Value(0.0)
    for point, label in zip(points, labels):
        margin = model(point) * float(label)
        total = total + (1.0 - margin).relu()
    total = total / len(points)
    for p in model.parameters():
        total = total + alpha * p**2
    return total


def accuracy(model: Module, points: Sequence, labels: Sequence) -> float:
    """The share of points whose score has the sign of their label."""
    right = [model(point) * label > 0 for point, label in zip(points, labels)]
    return sum(right) / len(right)


def train(
    model: Module, loss: Callable[[], Value], steps: int, learning_rate: float
) -> list[float]:
    parameters = model.parameters()
    history = [0.0] * steps
    for step in range(steps):
        for p in parameters:
            p.grad = 0.0
        total = loss()
        history[step] = total.data
        total.backward()
        for p in parameters:
            p.data = p.data - learning_rate * float(p.grad)
    return history
