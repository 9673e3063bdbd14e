"""Two moons, with the loss written as two means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stage1_autodiff.neuron import Module
from stage1_autodiff.value import Value


def hinge_loss(model: Module, points: Sequence, labels: Sequence, alpha: float = 1e-4) -> Value:
    n = len(points)
    hinge = sum((1 - model(x) * y).relu() / n for x, y in zip(points, labels))
    squares = [alpha * p * p for p in model.parameters()]
    return sum(squares, start=hinge)


def accuracy(model: Module, points: Sequence, labels: Sequence) -> float:
    """The share of points whose score has the sign of their label."""
    right = [model(point) * label > 0 for point, label in zip(points, labels)]
    return sum(right) / len(right)


def train(
    model: Module, loss: Callable[[], Value], steps: int, learning_rate: float
) -> list[float]:
    return [descend(model, loss, learning_rate) for _ in range(steps)]


def descend(model: Module, loss: Callable[[], Value], learning_rate: float) -> float:
    """One step of gradient descent; the loss before it."""
    model.zero_grad()
    total = loss()
    total.backward()
    for p in model.parameters():
        p.data += -learning_rate * p.grad
    return total.data
