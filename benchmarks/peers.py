"""What the benchmarks have in common: the peers, the clock, and the table.

Importing this file puts NumPy's BLAS and PyTorch on one thread.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from threadpoolctl import threadpool_limits

Pass = Callable[[], Any]  # one forward and one backward pass; returns the gradient of the input
Rows = list[list[str]]


def optional(name: str) -> Any:
    """A module, or None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def tinygrad_that_computes() -> Any:
    """tinygrad, or None if it is not installed or finds no device: it wants a C compiler."""
    os.environ.setdefault("NUM_CPU_THREADS", "1")
    module = optional("tinygrad")
    try:
        return module if module and module.Tensor([1.0]).numpy().size else None
    except RuntimeError:
        return None


torch, autograd, tinygrad = optional("torch"), optional("autograd"), tinygrad_that_computes()
if torch is None:
    sys.exit("expected PyTorch to compare with, got none; pip install -e '.[bench]'")
torch.set_num_threads(1)
threadpool_limits(1)


def forget_gradients(xs: list[Any]) -> None:
    """Of all inputs, as every step of a training does."""
    for x in xs:
        x.grad = None


def seconds(run: Pass, at_least: float) -> float:
    """CPU seconds of one pass, over enough of them to fill `at_least` seconds."""
    times, total = 0, 0.0
    while total < at_least:
        start = time.process_time()
        run()
        total += time.process_time() - start
        times += 1
    return total / times


def compare(
    what: str, goal: float | None, own: Pass, peer: Pass, rounds: int, same: bool = True
) -> list[str]:
    """A row of the table: our time over the peer's. Both must find the same, if they can."""
    mine, theirs = own(), peer()
    if same:
        np.testing.assert_allclose(mine, theirs, rtol=1e-3, atol=1e-4, err_msg=what)
    pairs = [(seconds(own, 0.02), seconds(peer, 0.02)) for _ in range(rounds)]
    return row(what, goal, [(a * 1e6, b * 1e6) for a, b in pairs])


def row(what: str, goal: float | None, pairs: list[tuple[float, float]]) -> list[str]:
    """A row of the table, of pairs of figures: ours and the peer's."""
    ratios = [a / b for a, b in pairs]
    ratio = statistics.median(ratios)
    mine, theirs = (statistics.median(column) for column in zip(*pairs))
    spread = f"{told(ratio)} ({told(min(ratios))} .. {told(max(ratios))})"
    verdict = "" if goal is None else "yes" if ratio <= goal else "NO"
    return [what, f"{theirs:.1f}", f"{mine:.1f}", spread, f"{goal:g}" if goal else "", verdict]


def told(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.1g}"


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.5, 1.5, shape).astype(np.float32)


def print_table(name: str, parts: Sequence[Callable[[int], Rows]]) -> None:
    """Measure every part, and print its rows."""
    parser = argparse.ArgumentParser(description=f"{name} beside its peers, as a table.")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of A B A B for each row")
    rounds = parser.parse_args().rounds
    peers = ", ".join(
        f"{peer} {getattr(module, '__version__', '')}".strip()
        if module
        else f"{peer} is missing or cannot compute"
        for peer, module in (("torch", torch), ("autograd", autograd), ("tinygrad", tinygrad))
    )
    print(
        f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}; {peers}"
    )
    table = Table(caption="forward and backward, one thread; microseconds; ratio: ours over theirs")
    for column in ("", "peer", "Glassbox", "ratio", "goal", "pass"):
        table.add_column(column, justify="right" if column else "left")
    for part in parts:
        for cells in part(rounds):
            table.add_row(*cells)
        table.add_section()
    Console(width=110).print(table)
