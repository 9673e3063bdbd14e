"""Stage 2 beside PyTorch, autograd and tinygrad: the time of single operations, there and back.

    python benchmarks/stage2.py

All engines run in one process, on one thread each, on its CPU clock. They take turns, A B A B, so
that a slow minute of the machine meets all of them. Before anything is timed, values and gradients
must be equal. A peer that is not installed is said to be missing.
"""

from __future__ import annotations

import argparse
import importlib
import operator
import platform
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from threadpoolctl import threadpool_limits

import stage2_tensor as ours
from stage2_tensor import Tensor

Pass = Callable[[], Any]  # one forward and one backward pass; returns the gradient of the input
MILLION = 1_000_000


def optional(name: str) -> Any:
    """A module, or None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def tinygrad_that_computes() -> Any:
    """tinygrad, or None if it is not installed or finds no device: it wants a C compiler."""
    module = optional("tinygrad")
    try:
        return module if module and module.Tensor([1.0]).numpy().size else None
    except RuntimeError:
        return None


torch, autograd, tinygrad = optional("torch"), optional("autograd"), tinygrad_that_computes()
if torch is None:
    sys.exit("stage2: expected PyTorch to compare with, got none; pip install -e '.[bench]'")
torch.set_num_threads(1)
F = torch.nn.functional


def by_us(f: Callable, *arrays: np.ndarray) -> Pass:
    """f on our Tensors; the gradient that arrives at the output is all ones."""
    xs = [Tensor(a, requires_grad=True) for a in arrays]
    above = np.ones(f(*xs).shape, np.float32)

    def run() -> np.ndarray | None:
        forget_gradients(xs)
        f(*xs).backward(above)
        return xs[0].grad

    return run


def forget_gradients(xs: list[Any]) -> None:
    """Of all inputs, as every step of a training does."""
    for x in xs:
        x.grad = None


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
    """f on autograd's arrays, by the gradient of the sum of its output."""
    gradient = autograd.grad(lambda *xs: f(*xs).sum())
    return lambda: gradient(*arrays)


def by_tinygrad(f: Callable, *arrays: np.ndarray) -> Pass:
    """f on tinygrad's tensors, brought to NumPy, which makes it compute."""

    def run() -> np.ndarray:
        xs = [tinygrad.Tensor(a) for a in arrays]
        (gradient,) = f(*xs).sum().gradient(xs[0])
        return gradient.numpy()

    return run


def seconds(run: Pass, at_least: float) -> float:
    """CPU seconds of one pass, over enough of them to fill `at_least` seconds."""
    times, total = 0, 0.0
    while total < at_least:
        start = time.process_time()
        run()
        total += time.process_time() - start
        times += 1
    return total / times


def compare(what: str, goal: float | None, own: Pass, peer: Pass, rounds: int) -> list[str]:
    """A row of the table: our time over the peer's."""
    np.testing.assert_allclose(own(), peer(), rtol=1e-3, atol=1e-4, err_msg=what)
    pairs = [(seconds(own, 0.02), seconds(peer, 0.02)) for _ in range(rounds)]
    ratios = [a / b for a, b in pairs]
    ratio = statistics.median(ratios)
    mine, theirs = (statistics.median(column) * 1e6 for column in zip(*pairs))
    spread = f"{ratio:.2f} ({min(ratios):.2f} .. {max(ratios):.2f})"
    verdict = "" if goal is None else "yes" if ratio <= goal else "NO"
    return [what, f"{theirs:.1f}", f"{mine:.1f}", spread, f"{goal:g}" if goal else "", verdict]


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.5, 1.5, shape).astype(np.float32)


def small_rows(rounds: int) -> list[list[str]]:
    """One operation on ten numbers: what is measured is the engine, not the arithmetic."""
    a, b = numbers(10), numbers(10, seed=1)
    rows = []
    operations = {
        "add": (lambda a, b: a + b, [a, b]),
        "mul": (lambda a, b: a * b, [a, b]),
        "add a number": (lambda a: a + 1.0, [a]),
    }
    for name, (f, arrays) in operations.items():
        own = by_us(f, *arrays)
        rows.append(compare(f"{name}, 10 / PyTorch", 0.55, own, by_torch(f, *arrays), rounds))
        if autograd is not None:
            peer = by_autograd(f, *arrays)
            rows.append(compare(f"{name}, 10 / autograd", 0.25, own, peer, rounds))
        if tinygrad is not None:
            peer = by_tinygrad(f, *arrays)
            rows.append(compare(f"{name}, 10 / tinygrad", None, own, peer, rounds))
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
        size = f"{batch} x {n:,} / PyTorch"
        pairs = [
            ("softmax", ours.softmax, lambda x: F.softmax(x, -1), [x]),
            (
                "layer norm",
                ours.layer_norm,
                lambda x, w, b: F.layer_norm(x, w.shape, w, b),
                [x, weight, bias],
            ),
            (
                "cross-entropy",
                lambda x, ids=ids: ours.cross_entropy_with_logits(x, ids),
                lambda x, ids=ids: F.cross_entropy(x, torch.tensor(ids), reduction="none"),
                [x],
            ),
            ("GELU", ours.gelu, lambda x: F.gelu(x, approximate="tanh"), [x]),
        ]
        for goal, (name, f, g, arrays) in zip(goals, pairs):
            own, peer = by_us(f, *arrays), by_torch(g, *arrays)
            rows.append(compare(f"{name}, {size}", goal, own, peer, rounds))
    return rows


def large_rows(rounds: int) -> list[list[str]]:
    """A million numbers: what is measured is memory traffic and BLAS."""
    a, b = numbers(MILLION), numbers(MILLION, seed=1)
    rows = []
    for name, f, arrays in (
        ("add", lambda a, b: a + b, [a, b]),
        ("mul", lambda a, b: a * b, [a, b]),
        ("sum", lambda a: a.sum(), [a]),
        ("mean", lambda a: a.mean(), [a]),
    ):
        own, peer = by_us(f, *arrays), by_torch(f, *arrays)
        rows.append(compare(f"{name}, 1,000,000 / PyTorch", 0.8, own, peer, rounds))
    for n in (256, 512):
        arrays = [numbers(n, n), numbers(n, n, seed=1)]
        own, peer = by_us(operator.matmul, *arrays), by_torch(operator.matmul, *arrays)
        rows.append(compare(f"matmul, {n} x {n} / PyTorch", 1.03, own, peer, rounds))
    table, ids = numbers(100, 64), np.random.default_rng(0).integers(0, 100, (64, 32))
    own = by_us(lambda w: w.take(ids), table)
    peer = by_torch(lambda w: F.embedding(torch.tensor(ids), w), table)
    rows.append(compare("embedding, 100 rows, 2,048 ids / PyTorch", 1.6, own, peer, rounds))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description="Stage 2 beside its peers, as a table.")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of A B A B for each row")
    rounds = parser.parse_args().rounds
    peers = ", ".join(
        f"{name} {getattr(module, '__version__', '')}".strip()
        if module
        else f"{name} is missing or cannot compute"
        for name, module in (("torch", torch), ("autograd", autograd), ("tinygrad", tinygrad))
    )
    print(
        f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}; {peers}"
    )
    threadpool_limits(1)
    table = Table(caption="forward and backward, one thread; ratio: our time over theirs")
    for column in ("", "peer, us", "Glassbox, us", "ratio", "goal", "pass"):
        table.add_column(column, justify="right" if column else "left")
    for part in (small_rows, fused_rows, large_rows):
        for row in part(rounds):
            table.add_row(*row)
        table.add_section()
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
