"""Stage 1 beside micrograd: the time and memory of a training step, and a chain of a million.

    python benchmarks/stage1.py

Every figure is taken in a clean process that imports one engine (`stage1_jobs.py`), on its CPU
clock. Processes take turns, A B A B, so that a slow minute of the machine meets both engines.
Equal weights must give equal losses and gradients before anything is timed.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from stage1_jobs import ENGINES, SIZES

from stage1_autodiff import two_moons

CHAIN = 1_000_000


def run(job: str, *arguments: object) -> Any:
    """The result of a job of stage1_jobs.py, in a process of its own."""
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("stage1_jobs.py")],
        input=json.dumps([job, arguments]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def make_task() -> dict[str, list]:
    """100 points of the two moons, their labels, and weights to start from."""
    points, labels = two_moons(100, rng=np.random.default_rng(0))
    n_weights = sum(n_out * (n_in + 1) for n_in, n_out in pairwise(SIZES))
    weights = np.random.default_rng(1).uniform(-1, 1, n_weights)
    return {"points": points.tolist(), "labels": labels.tolist(), "weights": weights.tolist()}


def largest_difference(task: dict) -> float:
    """Between the losses and gradients of both networks on both engines, from equal weights."""
    runs = [run("first_steps", e, network, task) for e in ENGINES for network in ("plain", "own")]
    return float(np.ptp(np.array(runs), axis=0).max())


def compare(
    what: str,
    goal: float | None,
    show: Callable[[float], str],
    rounds: int,
    job: str,
    *arguments: object,
) -> list[str]:
    """A row of the table: how many times less Glassbox takes than micrograd."""
    peer, own = [], []
    for _ in range(rounds):
        peer.append(run(job, "micrograd", *arguments))
        own.append(run(job, "glassbox", *arguments))
    ratios = [p / o for p, o in zip(peer, own)]
    ratio = statistics.median(ratios)
    return [
        what,
        show(statistics.median(peer)),
        show(statistics.median(own)),
        f"{ratio:.1f} ({min(ratios):.1f} .. {max(ratios):.1f})",
        f"{goal:g}" if goal else "",
        "" if goal is None else "yes" if ratio >= goal else "NO",
    ]


def compare_chains() -> list[str]:
    """The row of the longest chain. What ends it for micrograd is Python's recursion limit."""
    longest = run("longest_chain", "micrograd", CHAIN)
    took = run("chain", "glassbox", CHAIN)
    own = "\n".join(f"{name} {t:.2f} s" for name, t in took.items()) if took else "too long"
    what = f"a chain of {CHAIN:,} additions"
    return [what, f"{longest:,} at most", own, "", "works", "yes" if took else "NO"]


def milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:.1f} ms"


def megabytes(n_bytes: float) -> str:
    return f"{n_bytes / 1e6:.2f} MB"


def main() -> None:
    parser = argparse.ArgumentParser(description="Stage 1 beside micrograd, as a table.")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of A B A B for each time")
    parser.add_argument("--steps", type=int, default=3, help="timed steps in each process")
    options = parser.parse_args()
    try:
        peer = f"micrograd {importlib.metadata.version('micrograd')}"
    except importlib.metadata.PackageNotFoundError:
        sys.exit("stage1: expected micrograd to compare with, got none; pip install -e '.[bench]'")

    task = make_task()
    difference = largest_difference(task)
    if difference > 1e-9:
        sys.exit(f"stage1: expected equal gradients, got a difference of {difference:.0e}")
    print(f"Python {platform.python_version()}, {platform.machine()}; {peer}")
    print(f"equal weights: losses and gradients of three steps agree within {difference:.0e}")

    table = Table(caption="ratio: how many times less Glassbox takes; median (min .. max)")
    for column in ("", "micrograd", "Glassbox", "ratio", "goal", "pass"):
        table.add_column(column, justify="right" if column else "left")
    for what, network, collect, goal in (
        ("step, same code of * and +, gc on", "plain", True, 9),
        ("step, same code of * and +, gc off", "plain", False, 1.6),
        ("step, MLP of each library, gc on", "own", True, 40),
        ("step, MLP of each library, gc off", "own", False, 6.5),
    ):
        measure = ("seconds", network, collect, options.steps, task)
        table.add_row(*compare(what, goal, milliseconds, options.rounds, *measure))
    for what, network, goal in (
        ("peak memory of a step, same code of * and +", "plain", None),
        ("peak memory of a step, MLP of each library", "own", 10),
    ):
        table.add_row(*compare(what, goal, megabytes, 3, "peak_bytes", network, task))
    table.add_row(*compare_chains())
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
