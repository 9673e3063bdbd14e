"""Two moons, with the loss written as two means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from stage1_autodiff.neuron import Module
from stage1_autodiff.value import Value


class Scorer(Protocol):
    """A model with one output, such as an MLP whose last layer has a single neuron."""

    def __call__(self, x: Sequence, /) -> Value:
        """The score of one point."""
        ...

    def parameters(self) -> list[Value]:
        """What learning may change."""
        ...


def two_moons(
    n: int = 100, noise: float = 0.1, rng: np.random.Generator | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """n points on two half circles that reach into each other, and their labels.

    Shapes:    points (n, 2), labels (n,): -1.0 for the upper moon, 1.0 for the lower
    """
    rng = rng or np.random.default_rng()
    n_upper = n // 2
    angle = np.concatenate([np.linspace(0, np.pi, n_upper), np.linspace(0, np.pi, n - n_upper)])
    label = np.where(np.arange(n) < n_upper, -1.0, 1.0)
    upper = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    lower = np.stack([1 - np.cos(angle), 0.5 - np.sin(angle)], axis=1)
    points = np.where(label[:, None] < 0, upper, lower)
    return points + noise * rng.standard_normal(points.shape), label


def hinge_loss(model: Scorer, points: Sequence, labels: Sequence, alpha: float = 1e-4) -> Value:
    n = len(points)
    hinge = sum((1 - model(x) * y).relu() / n for x, y in zip(points, labels))
    squares = [alpha * p * p for p in model.parameters()]
    return sum(squares, start=hinge)


def accuracy(model: Scorer, points: Sequence, labels: Sequence) -> float:
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
