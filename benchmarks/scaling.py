"""Cost against work: is twice the work twice the time?

    python -m benchmarks.scaling scaling.png

draws CPU seconds against nodes, tokens and parameters over three decades. The exponent of each
line, fitted on logarithms, is a row of the table: 1 is linear, less means that a small piece of
work pays for what does not grow.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks import peers
from benchmarks.clock import Pass, seconds
from benchmarks.target import Pair, Target
from stage1_autodiff import Value
from stage3_nn import Parameter, cross_entropy
from stage4_optim import Adam
from stage5_transformer import GPT, Config

STEEPEST = 1.15  # what outgrows a cache, or calls the garbage collector, costs a little more each
DECADES = (1, 10, 100, 1000)


def targets() -> Iterator[Target]:
    """The exponents."""
    for name in WORK:
        what = f"cost against {name}, exponent over three decades"
        yield Target(what, "Glassbox, linear", STEEPEST, partial(exponents, name))


def nodes(n: int) -> Pass:
    """A chain of n additions of Values, there and back, without Python's garbage collector.

    The collector visits all nodes again and again while a graph grows, more often in a large one.
    """

    def run() -> None:
        gc.disable()
        total = x = Value(1.0)
        for _ in range(n):
            total = total + x
        total.backward()
        gc.enable()

    return run


def tokens(n: int) -> Pass:
    """A forward and backward pass of a small GPT on n tokens, in sequences of 16."""
    rng = np.random.default_rng(0)
    model = GPT(Config(0, 50, 32, 4, 128, 0, 2), rng)
    ids = rng.integers(4, 50, (n // 16, 16))
    return lambda: cross_entropy(model(ids), ids).backward()


def parameters(n: int) -> Pass:
    """A step of Adam on n parameters."""
    p = Parameter(np.ones(n, np.float32))
    p.grad = np.ones_like(p.data)
    return Adam([p]).step


WORK: dict[str, tuple[Callable[[int], Pass], int]] = {  # and the smallest piece
    "nodes": (nodes, 1000),
    "tokens": (tokens, 64),
    "parameters": (parameters, 10_000),
}


def measured(name: str) -> tuple[list[int], list[float]]:
    """The sizes, and the CPU seconds of each."""
    make, smallest = WORK[name]
    sizes = [smallest * factor for factor in DECADES]
    return sizes, [steady(make(size)) for size in sizes]


def steady(run: Pass) -> float:
    """CPU seconds of a pass, the second one."""
    run()
    return seconds(run)


def exponents(name: str, rounds: int) -> list[Pair]:
    """The exponents of several rounds, as pairs whose other side is that of a straight line."""
    return [(slope(*measured(name)), 1.0) for _ in range(rounds)]


def slope(sizes: list[int], times: list[float]) -> float:
    """The exponent: how steep the line is on two logarithmic axes."""
    steepness, _ = np.polyfit(np.log(sizes), np.log(times), 1)
    return float(steepness)


def parser() -> argparse.ArgumentParser:
    """The one option: where to draw."""
    made = argparse.ArgumentParser(prog="python -m benchmarks.scaling")
    made.add_argument("picture", help="a file to draw into: scaling.png")
    return made


def main() -> None:
    """Draw the three lines."""
    import matplotlib.pyplot as plt

    picture = parser().parse_args().picture
    peers.use_one_thread()
    figure, axes = plt.subplots(1, len(WORK), figsize=(12, 4), layout="constrained")
    for ax, name in zip(axes, WORK):
        sizes, times = measured(name)
        ax.loglog(sizes, times, "o-", label="measured")
        linear = [times[-1] * size / sizes[-1] for size in sizes]
        ax.loglog(sizes, linear, ":", color="grey", label="in proportion")
        ax.set(xlabel=name, ylabel="CPU seconds")
        ax.legend()
    figure.savefig(picture)


if __name__ == "__main__":
    main()
