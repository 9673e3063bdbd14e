"""The operations of stage2.py in PyTorch, there and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import peers
from benchmarks.clock import Pass
from benchmarks.inputs import forget_gradients

torch = peers.load("PyTorch")
F = torch.nn.functional

FUNCTIONS: dict[str, Callable] = {  # those that are not called as ours are
    "softmax": lambda x: F.softmax(x, -1),
    "layer norm": lambda x, w, b: F.layer_norm(x, w.shape, w, b),
    "cross-entropy": lambda x, ids: F.cross_entropy(x, ids, reduction="none"),
    "GELU": lambda x: F.gelu(x, approximate="tanh"),
    "embedding": lambda w, ids: F.embedding(ids, w),
}


def backward(name: str, same: Callable, arrays: list[np.ndarray], constants: tuple) -> Pass:
    """A pass on torch's tensors; `same` is the function if it is called as ours is."""
    f = FUNCTIONS.get(name, same)
    xs: list[Any] = [torch.tensor(a, requires_grad=True) for a in arrays]
    fixed = [torch.tensor(a) for a in constants]
    above = torch.ones(f(*xs, *fixed).shape)

    def run() -> np.ndarray:
        forget_gradients(xs)
        f(*xs, *fixed).backward(above)
        return xs[0].grad.numpy()

    return run
