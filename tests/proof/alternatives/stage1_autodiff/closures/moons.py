"""Two moons, with the loss of micrograd's demonstration."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stage1_autodiff.neuron import Module
from stage1_autodiff.value import Value


def hinge_loss(model: Module, points: Sequence, labels: Sequence, alpha: float = 1e-4) -> Value:
    scores = [model([Value(x) for x in point]) for point in points]
    losses = [(1 + -label * score).relu() for label, score in zip(labels, scores)]
    data_loss = sum(losses) * (1.0 / len(losses))
    reg_loss = alpha * sum(p * p for p in model.parameters())
    return data_loss + reg_loss


def accuracy(model: Module, points: Sequence, labels: Sequence) -> float:
    """The share of points whose score has the sign of their label."""
    right = [model(point) * label > 0 for point, label in zip(points, labels)]
    return sum(right) / len(right)


def train(
    model: Module, loss: Callable[[], Value], steps: int, learning_rate: float
) -> list[float]:
    losses = []
    for _ in range(steps):
        model.zero_grad()
        total = loss()
        total.backward()
        losses.append(total.data)
        for p in model.parameters():
            p.data -= learning_rate * p.grad
    return losses
