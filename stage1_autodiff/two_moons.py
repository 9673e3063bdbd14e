"""Two moons: the smallest data that no straight line separates."""

from __future__ import annotations

import numpy as np

from stage1_autodiff.inputs import check_counts
from stage1_autodiff.operands import as_float
from stage1_autodiff.randomness import generator


def two_moons(
    n: int = 100, noise: float = 0.1, rng: np.random.Generator | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """n points on two half circles that reach into each other, and their labels.

    Shapes:    points (n, 2), labels (n,): -1.0 for the upper moon, 1.0 for the lower
    """
    check_counts("two_moons", n=n)
    noise = as_float(noise)
    rng = generator("two_moons", rng)
    n_upper = n // 2
    angle = np.concatenate([np.linspace(0, np.pi, n_upper), np.linspace(0, np.pi, n - n_upper)])
    label = np.where(np.arange(n) < n_upper, -1.0, 1.0)
    upper = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    lower = np.stack([1 - np.cos(angle), 0.5 - np.sin(angle)], axis=1)
    points = np.where(label[:, None] < 0, upper, lower)
    return points + noise * rng.standard_normal(points.shape), label
