"""Two moons, with the loss of micrograd's demonstration."""

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
    scores = [model([Value(x) for x in point]) for point in points]
    losses = [(1 + -label * score).relu() for label, score in zip(labels, scores)]
    data_loss = sum(losses) * (1.0 / len(losses))
    reg_loss = alpha * sum(p * p for p in model.parameters())
    return data_loss + reg_loss


def accuracy(model: Scorer, points: Sequence, labels: Sequence) -> float:
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
