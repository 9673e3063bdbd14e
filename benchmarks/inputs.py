"""The inputs of a pass: the numbers it starts from, and their gradients, which it must forget."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    """An array of float32 from 0.5 to 1.5, the same at every call."""
    return np.random.default_rng(seed).uniform(0.5, 1.5, shape).astype(np.float32)


def forget_gradients(xs: Iterable[Any]) -> None:
    """Take the gradients away, as every step of a training run does first."""
    for x in xs:
        x.grad = None
