"""Stage 1 beside micrograd: the time and memory of a training step, and a chain of a million.

Every figure is taken in a clean process that imports one engine (`stage1_jobs.py`), on its CPU
clock. Processes take turns, A B A B, so that a slow minute of the machine meets both engines.
Equal weights must give equal losses and gradients before anything is timed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, partial
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.stage1_jobs import ENGINES, SIZES
from benchmarks.target import Pair, Target
from stage1_autodiff import two_moons

CHAIN = 1_000_000
NETWORKS = ("plain", "plain, pruned", "own", "own, pruned")


def targets() -> Iterator[Target]:
    """A step of two networks with and without the collector, its memory, and the chain.

    Pruned means `Value.prune = True`: a relu that is off is a leaf.
    """
    for what, network, collect, goal in (
        ("a step, same code of * and +, gc on", "plain", True, None),
        ("the same, pruned", "plain, pruned", True, 1 / 15),
        ("a step, same code of * and +, gc off", "plain", False, None),
        ("the same with gc off, pruned", "plain, pruned", False, 1 / 2.7),
        ("a step, MLP of each library, gc on", "own", True, None),
        ("the same MLP, pruned", "own, pruned", True, 1 / 70),
        ("a step, MLP of each library, gc off", "own", False, None),
        ("the same MLP with gc off, pruned", "own, pruned", False, 1 / 12),
    ):
        yield Target(what, "micrograd", goal, partial(step_seconds, network, collect))
    for what, network, goal in (
        ("peak memory of a step, same code of * and +", "plain", None),
        ("peak memory of a step, MLP of each library", "own", 1 / 10),
    ):
        yield Target(what, "micrograd", goal, partial(step_bytes, network))
    what = f"of {CHAIN:,} additions in a chain, those out of reach"
    yield Target(what, "micrograd", 0.0, beyond_reach)


def step_seconds(network: str, collect: bool, rounds: int) -> list[Pair]:
    """CPU seconds of a step."""
    check_agreement()
    steps = min(3, rounds // 2 or 1)
    return [on_both("seconds", network, collect, steps, make_task()) for _ in range(rounds)]


def step_bytes(network: str, rounds: int) -> list[Pair]:
    """The most bytes of a step. They are counted, and the same in every round."""
    return [on_both("peak_bytes", network, make_task())]


def beyond_reach(rounds: int) -> list[Pair]:
    """The additions that cannot be walked back. Python's recursion limit ends micrograd's."""
    mine, theirs = on_both("longest_chain", CHAIN)
    return [(CHAIN - mine, CHAIN - theirs)]


def on_both(job: str, *arguments: object) -> Pair:
    """What a job returns on our engine, and on micrograd."""
    theirs = run(job, "micrograd", *arguments)
    return run(job, "glassbox", *arguments), theirs


def run(job: str, *arguments: object) -> Any:
    """The result of a job of stage1_jobs.py, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.stage1_jobs"],
        input=json.dumps([job, arguments]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@cache
def make_task() -> dict[str, list]:
    """100 points of the two moons, their labels, and weights to start from."""
    points, labels = two_moons(100, rng=np.random.default_rng(0))
    n_weights = sum(n_out * (n_in + 1) for n_in, n_out in pairwise(SIZES))
    weights = np.random.default_rng(1).uniform(-1, 1, n_weights)
    return {"points": points.tolist(), "labels": labels.tolist(), "weights": weights.tolist()}


@cache
def check_agreement() -> None:
    """Demand equal losses and gradients of all networks on both engines, from equal weights."""
    networks = [(engine, network) for engine in ENGINES for network in NETWORKS]
    first, *others = [run("first_steps", *pair, make_task()) for pair in networks]
    for other in others:
        np.testing.assert_allclose(first, other, rtol=0, atol=1e-9)
