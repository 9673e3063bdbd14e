"""Stage 2 beside PyTorch, autograd and tinygrad: the time of single operations, there and back.

All engines run in one process, on one thread each, on its CPU clock. They take turns, A B A B, so
that a slow minute of the machine meets all of them. Before anything is timed, values and gradients
must be equal. Memory is measured in processes of their own, by stage2_step.py.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

import stage2_tensor as ours
from benchmarks import memory
from benchmarks.clock import Pass, in_turns
from benchmarks.inputs import forget_gradients, numbers
from benchmarks.target import Pair, Target
from stage2_tensor import Tensor

MILLION = 1_000_000


@dataclass(frozen=True)
class Operation:
    """A function of Tensors and of what does not change, with its goals."""

    name: str  # the peers' functions are found by it
    own: Callable
    arrays: list[np.ndarray]
    goals: dict[str, float | None]  # by peer; None if there is no goal
    size: str
    constants: tuple[np.ndarray, ...] = ()


def targets() -> Iterator[Target]:
    """The operations on ten numbers, on rows, on a million numbers; and the memory of a step."""
    for operations in (small(), fused(), large()):
        for o in operations:
            for peer, goal in o.goals.items():
                yield Target(f"{o.name}, {o.size}", peer, goal, partial(beside, o, peer))
    what = "peak memory of a step, MLP 784-256-128-10"
    yield Target(what, "PyTorch", None, step_bytes)


def step_bytes(rounds: int) -> list[Pair]:
    """The peak memory of the step, in bytes."""
    return memory.peaks("benchmarks.stage2_step", ["glassbox"], ["pytorch"], rounds)


def small() -> Iterator[Operation]:
    """One operation on ten numbers: what is measured is the engine, not the arithmetic."""
    a, b = numbers(10), numbers(10, seed=1)
    goals = {"PyTorch": 0.3, "autograd": 0.25, "tinygrad": None}
    yield Operation("add", operator.add, [a, b], goals, "10")
    yield Operation("mul", operator.mul, [a, b], goals, "10")
    yield Operation("add a number", lambda a: a + 1.0, [a], goals, "10")


def fused() -> Iterator[Operation]:
    """The fused operations on short rows, and on a million numbers."""
    for n, batch, (softmax, layer_norm, cross_entropy, gelu) in (
        (10, 1, (0.9, 0.85, 0.9, 0.9)),
        (1000, 1, (0.9, 1.0, 0.9, 0.9)),
        (1000, 1000, (1.75, 3.5, 1.2, 0.7)),
    ):
        x, weight, bias = numbers(batch, n), numbers(n, seed=1), numbers(n, seed=2)
        ids = np.random.default_rng(3).integers(0, n, batch)
        for name, own, arrays, constants, goal in (
            ("softmax", ours.softmax, [x], (), softmax),
            ("layer norm", ours.layer_norm, [x, weight, bias], (), layer_norm),
            ("cross-entropy", ours.cross_entropy_with_logits, [x], (ids,), cross_entropy),
            ("GELU", ours.gelu, [x], (), gelu),
        ):
            goals = {"PyTorch": goal, "tinygrad": None}
            yield Operation(name, own, arrays, goals, f"{batch:,} x {n:,}", constants)


def large() -> Iterator[Operation]:
    """A million numbers: what is measured is memory traffic and BLAS."""
    a, b = numbers(MILLION), numbers(MILLION, seed=1)
    traffic = {"PyTorch": 0.8, "tinygrad": None}
    for name, own, arrays in (
        ("add", operator.add, [a, b]),
        ("mul", operator.mul, [a, b]),
        ("sum", lambda a: a.sum(), [a]),
        ("mean", lambda a: a.mean(), [a]),
    ):
        yield Operation(name, own, arrays, traffic, f"{MILLION:,}")
    products = {"PyTorch": 1.03, "tinygrad": None}
    for n in (256, 512):
        arrays = [numbers(n, n), numbers(n, n, seed=1)]
        yield Operation("matmul", operator.matmul, arrays, products, f"{n} x {n}")
    rows, ids = numbers(100, 64), np.random.default_rng(0).integers(0, 100, (64, 32))
    goals = {"PyTorch": 1.6, "tinygrad": None}
    size = "100 rows, 2,048 ids"
    yield Operation("embedding", lambda w, ids: w.take(ids), [rows], goals, size, (ids,))


def beside(operation: Operation, peer: str, rounds: int) -> list[Pair]:
    """CPU seconds of an operation here and there."""
    name, own, constants = operation.name, operation.own, operation.constants
    there = importlib.import_module(f"benchmarks.stage2_{peer.lower()}")
    theirs = there.backward(name, own, operation.arrays, constants)
    return in_turns(backward(own, operation.arrays, constants), theirs, rounds)


def backward(f: Callable, arrays: list[np.ndarray], constants: tuple) -> Pass:
    """f there and back on our Tensors; the gradient that arrives at the output is all ones."""
    xs = [Tensor(a, requires_grad=True) for a in arrays]
    above = np.ones(f(*xs, *constants).shape, np.float32)

    def run() -> np.ndarray | None:
        forget_gradients(xs)
        f(*xs, *constants).backward(above)
        return xs[0].grad

    return run
