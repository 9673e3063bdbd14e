"""Stage 2 beside PyTorch, autograd and tinygrad: the time of single operations, there and back.

    python benchmarks/stage2.py

All engines run in one process, on one thread each, on its CPU clock. They take turns, A B A B, so
that a slow minute of the machine meets all of them. Before anything is timed, values and gradients
must be equal. A peer that is not installed is said to be missing. Memory is measured in processes
of their own, by stage2_memory.py.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from memory import compare_peaks
from peers import (
    Pass,
    autograd,
    compare,
    forget_gradients,
    numbers,
    print_table,
    tinygrad,
    torch,
)

import stage2_tensor as ours
from stage2_tensor import Tensor

F = torch.nn.functional
MILLION = 1_000_000


def by_us(f: Callable, *arrays: np.ndarray) -> Pass:
    """f on our Tensors; the gradient that arrives at the output is all ones."""
    xs = [Tensor(a, requires_grad=True) for a in arrays]
    above = np.ones(f(*xs).shape, np.float32)

    def run() -> np.ndarray | None:
        forget_gradients(xs)
        f(*xs).backward(above)
        return xs[0].grad

    return run


def by_torch(f: Callable, *arrays: np.ndarray) -> Pass:
    """f on torch's tensors."""
    xs: list[Any] = [torch.tensor(a, requires_grad=True) for a in arrays]
    above = torch.ones(f(*xs).shape)

    def run() -> np.ndarray:
        forget_gradients(xs)
        f(*xs).backward(above)
        return xs[0].grad.numpy()

    return run


def by_autograd(f: Callable, *arrays: np.ndarray) -> Pass:
    """f on autograd's arrays, by the gradient of the sum of its output: of the first input only."""
    gradient = autograd.grad(lambda *xs: f(*xs).sum())
    return lambda: gradient(*arrays)


def by_tinygrad(f: Callable, *arrays: np.ndarray) -> Pass:
    """f on tinygrad's tensors, by the gradients of the sum of its output; no JIT, eager as ours."""
    xs = [tinygrad.Tensor(a).realize() for a in arrays]

    def run() -> np.ndarray:
        y = f(*xs).sum()
        gradients = y.gradient(*xs)
        y.realize(*gradients)  # until here nothing was computed
        return gradients[0].numpy()

    return run


def beside(
    what: str, goals: dict[str, float], arrays: list[np.ndarray], rounds: int, **fs: Callable
) -> list[list[str]]:
    """A row for each peer that is there and has such a function; `glassbox` is ours."""
    makers = {
        "PyTorch": (torch, by_torch),
        "autograd": (autograd, by_autograd),
        "tinygrad": (tinygrad, by_tinygrad),
    }
    own = by_us(fs["glassbox"], *arrays)
    return [
        compare(f"{what} / {name}", goals.get(name), own, by(fs[name], *arrays), rounds)
        for name, (module, by) in makers.items()
        if module is not None and name in fs
    ]


def small_rows(rounds: int) -> list[list[str]]:
    """One operation on ten numbers: what is measured is the engine, not the arithmetic."""
    a, b = numbers(10), numbers(10, seed=1)
    goals = {"PyTorch": 0.55, "autograd": 0.25}
    rows = []
    for name, f, arrays in (
        ("add", operator.add, [a, b]),
        ("mul", operator.mul, [a, b]),
        ("add a number", lambda a: a + 1.0, [a]),
    ):
        fs = dict.fromkeys(("glassbox", "PyTorch", "autograd", "tinygrad"), f)
        rows += beside(f"{name}, 10", goals, arrays, rounds, **fs)
    return rows


def fused_rows(rounds: int) -> list[list[str]]:
    """The fused operations on short rows, and on a million numbers."""
    rows = []
    for n, batch, goals in (
        (10, 1, (0.9, 0.9, 0.9, 0.9)),
        (1000, 1, (0.9, 0.9, 0.9, 0.9)),
        (1000, 1000, (2.2, 3.5, 1.2, 0.7)),
    ):
        x, weight, bias = numbers(batch, n), numbers(n, seed=1), numbers(n, seed=2)
        ids = np.random.default_rng(3).integers(0, n, batch)
        functions = {
            "softmax": {
                "glassbox": ours.softmax,
                "PyTorch": lambda x: F.softmax(x, -1),
                "tinygrad": lambda x: x.softmax(-1),
            },
            "layer norm": {
                "glassbox": ours.layer_norm,
                "PyTorch": lambda x, w, b: F.layer_norm(x, w.shape, w, b),
                "tinygrad": lambda x, w, b: x.layernorm() * w + b,
            },
            "cross-entropy": {
                "glassbox": lambda x, ids=ids: ours.cross_entropy_with_logits(x, ids),
                "PyTorch": lambda x, ids=ids: F.cross_entropy(
                    x, torch.tensor(ids), reduction="none"
                ),
                "tinygrad": lambda x, ids=ids: x.sparse_categorical_crossentropy(
                    tinygrad.Tensor(ids), reduction="none"
                ),
            },
            "GELU": {
                "glassbox": ours.gelu,
                "PyTorch": lambda x: F.gelu(x, approximate="tanh"),
                "tinygrad": lambda x: x.gelu(),
            },
        }
        for goal, (name, fs) in zip(goals, functions.items()):
            arrays = [x, weight, bias] if name == "layer norm" else [x]
            rows += beside(f"{name}, {batch} x {n:,}", {"PyTorch": goal}, arrays, rounds, **fs)
    return rows


def large_rows(rounds: int) -> list[list[str]]:
    """A million numbers: what is measured is memory traffic and BLAS."""
    a, b = numbers(MILLION), numbers(MILLION, seed=1)
    rows = []
    for name, f, arrays in (
        ("add", operator.add, [a, b]),
        ("mul", operator.mul, [a, b]),
        ("sum", lambda a: a.sum(), [a]),
        ("mean", lambda a: a.mean(), [a]),
    ):
        fs = dict.fromkeys(("glassbox", "PyTorch", "tinygrad"), f)
        rows += beside(f"{name}, 1,000,000", {"PyTorch": 0.8}, arrays, rounds, **fs)
    for n in (256, 512):
        arrays = [numbers(n, n), numbers(n, n, seed=1)]
        fs = dict.fromkeys(("glassbox", "PyTorch", "tinygrad"), operator.matmul)
        rows += beside(f"matmul, {n} x {n}", {"PyTorch": 1.03}, arrays, rounds, **fs)
    table, ids = numbers(100, 64), np.random.default_rng(0).integers(0, 100, (64, 32))
    fs = {
        "glassbox": lambda w: w.take(ids),
        "PyTorch": lambda w: F.embedding(torch.tensor(ids), w),
        "tinygrad": lambda w: w[tinygrad.Tensor(ids)],
    }
    rows += beside("embedding, 100 rows, 2,048 ids", {"PyTorch": 1.6}, [table], rounds, **fs)
    return rows


def memory_rows(rounds: int) -> list[list[str]]:
    """One step of an MLP: the most memory it takes above what was in use."""
    return compare_peaks("peak memory of a step", None, "stage2_memory.py", [], rounds)


if __name__ == "__main__":
    print_table("Stage 2", [small_rows, fused_rows, large_rows, memory_rows])
