"""What each idea is worth: a training step of stage5.py without it, over the step as it is.

    python -m benchmarks.without

Both run in one process and take turns. "Kept memory" is measured in processes of their own, since
malloc reads its settings once, at the start.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import peers
from benchmarks.clock import seconds
from benchmarks.own_process import numbers_from
from benchmarks.stage5 import PARTS, STEP, TEXT, WORDS, cases, step
from stage2_tensor import Tensor, attention, fused
from stage3_nn import linear, normalization
from stage5_transformer import layers

heads = import_module("stage5_transformer.attention")  # its function has the same name
ROUNDS = 7
STEPS = {"words": (WORDS, 1), f"words, in {PARTS} parts": (WORDS, PARTS), "text": (TEXT, 1)}
GIVEN_BACK = {  # where glibc arrives by itself: the largest array of the step, and twice that
    "MALLOC_MMAP_THRESHOLD_": "6500000",
    "MALLOC_TRIM_THRESHOLD_": "13000000",
}


def composed_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
    """Layer norm of five nodes."""
    centred = x - x.mean(-1, keepdims=True)
    return centred / (x.var(-1, keepdims=True) + eps).sqrt() * weight + bias


def composed_attention(q: Tensor, k: Tensor, v: Tensor, mask: Any) -> Tensor:
    """The attention of exercise 5.4."""
    return heads.attention(q, k, v, mask)[0]


def composed_feed_forward(self: layers.FeedForward, x: Tensor) -> Tensor:
    """Exercise 5.6: the relu is a node of its own."""
    return self.down(self.activation(self.up(x)))


IDEAS: dict[str, list[tuple[Any, str, Callable]]] = {  # what to put in whose place
    "attention as one node": [(heads, "scaled_dot_product_attention", composed_attention)],
    "layer norm as one node": [(normalization, "layer_norm", composed_norm)],
    "linear as one node": [(linear, "linear", lambda x, w, b: x @ w + b)],
    "relu inside linear": [(layers.FeedForward, "forward", composed_feed_forward)],
    "work shared by edges": [
        (attention, "shared", lambda work, *parents: work),
        (fused, "shared", lambda work, *parents: work),
    ],
    "heads laid out for the merge": [(attention, "product", lambda a, b, like: a @ b)],
}


@contextmanager
def without(idea: str) -> Iterator[None]:
    """Inside, the idea is taken out of the engine."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in IDEAS[idea]]
    for owner, name, other in IDEAS[idea]:
        setattr(owner, name, other)
    try:
        yield
    finally:
        for owner, name, kept in before:
            setattr(owner, name, kept)


def price(idea: str, rounds: int, name: str, parts: int) -> list[float]:
    """CPU seconds without the idea over those with it, round by round."""
    run = step(cases()[name], parts)
    ratios = []
    for _ in range(rounds + 1):
        whole = seconds(run)
        with without(idea):
            ratios.append(seconds(run) / whole)
    return ratios[1:]  # the first was to warm up


def price_of_memory(rounds: int, name: str, parts: int) -> list[float]:
    """The same for memory that is given back to the system after every step."""
    job = (STEP, name, str(parts), "glassbox", "time")
    return [numbers_from(*job, **GIVEN_BACK)[0] / numbers_from(*job)[0] for _ in range(rounds)]


def parser() -> argparse.ArgumentParser:
    """The option."""
    made = argparse.ArgumentParser(prog="python -m benchmarks.without")
    made.add_argument("--rounds", type=int, default=ROUNDS, help=f"default: {ROUNDS}")
    return made


def main() -> None:
    """Print a row for each idea."""
    rounds = parser().parse_args().rounds
    peers.use_one_thread()
    table = Table("without", *STEPS, caption="CPU time over that of the step as it is, medians")
    for idea in IDEAS:
        ratios = [price(idea, rounds, *case) for case in STEPS.values()]
        table.add_row(idea, *(f"{statistics.median(r):.2f}" for r in ratios))
    ratios = [price_of_memory(rounds, *case) for case in STEPS.values()]
    table.add_row("kept memory", *(f"{statistics.median(r):.2f}" for r in ratios))
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
