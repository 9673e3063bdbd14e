"""The operations of stage2.py in tinygrad, there and back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks import peers
from benchmarks.clock import Pass

tinygrad = peers.load("tinygrad")

FUNCTIONS: dict[str, Callable] = {  # those that are not called as ours are
    "softmax": lambda x: x.softmax(-1),
    "layer norm": lambda x, w, b: x.layernorm() * w + b,
    "cross-entropy": lambda x, ids: x.sparse_categorical_crossentropy(ids, reduction="none"),
    "GELU": lambda x: x.gelu(),
    "embedding": lambda w, ids: w[ids],
}


def backward(name: str, same: Callable, arrays: list[np.ndarray], constants: tuple) -> Pass:
    """A pass on tinygrad's tensors, by the gradients of the sum of the output.

    It runs without the JIT, eagerly as ours does.
    """
    f = FUNCTIONS.get(name, same)
    xs = [tinygrad.Tensor(a).realize() for a in arrays]
    fixed = [tinygrad.Tensor(a).realize() for a in constants]

    def run() -> np.ndarray:
        y = f(*xs, *fixed).sum()
        gradients = y.gradient(*xs)
        y.realize(*gradients)  # until here nothing was computed
        return gradients[0].numpy()

    return run
