"""Stage 5 beside PyTorch and the bare matrix products: one training step of two Transformers.

As stage2.py measures: one process, one thread each, CPU time, in turns. The losses of both sides
are compared for three steps first, from equal weights. The floor is NumPy's matrix products alone,
those that the step contains, with nothing in between. "Alone" is each side in processes of its own,
which take turns (stage5_step.py); memory and page faults are those of such processes too.

A step "in 4 parts" is that of a Trainer with parts=4: a quarter of the batch at a time, and the
same gradient in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from benchmarks import memory
from benchmarks.clock import Pass, in_turns
from benchmarks.own_process import numbers_from
from benchmarks.target import Pair, Target
from stage3_nn import Module, cross_entropy
from stage4_optim import AdamW
from stage5_transformer import GPT, Config, Transformer

LR = 1e-3
PARTS = 4
BARE = "NumPy, its products"
STEP = "benchmarks.stage5_step"
MOST_FAULTS = 100.0  # in a step; before memory was kept there were 20,000


class Goal(NamedTuple):
    """The largest ratios to PyTorch that are good enough."""

    beside: float | None  # in one process
    alone: float | None


WORDS, TEXT = "encoder-decoder, 256 x (12 + 12)", "GPT, 12 x 64"
GOALS = {
    (WORDS, 1): Goal(1.05, None),
    (WORDS, PARTS): Goal(0.96, 0.93),
    (TEXT, 1): Goal(1.03, 1.10),
    (TEXT, PARTS): Goal(None, None),
}
MEMORY = {WORDS: (1.25, 0.67, None), TEXT: (1.45, 0.80, None)}  # in 1, 2 and 4 parts

Case = tuple[Config, Callable[..., Module], list[np.ndarray]]


def cases() -> dict[str, Case]:
    """The encoder-decoder on 256 words, and the GPT of nanoGPT's example for a CPU."""
    rng = np.random.default_rng(0)
    large = Config(30, 44, 128, 4, 512, 2, 2)
    small = Config(0, 65, 128, 4, 512, 0, 4)
    words = [rng.integers(4, size, (256, 12)) for size in (30, 44)]
    return {
        WORDS: (large, Transformer, words),
        TEXT: (small, GPT, [rng.integers(4, 65, (12, 64))]),
    }


def targets() -> Iterator[Target]:
    """Time beside PyTorch's and the products', alone too; memory and page faults."""
    for name, case in cases().items():
        for parts in (1, PARTS):
            goal = GOALS[name, parts]
            beside = partial(beside_pytorch, case, parts)
            yield Target(told(name, parts), "PyTorch", goal.beside, beside)
            yield Target(
                told(name, parts), "PyTorch, alone", goal.alone, partial(alone, name, parts)
            )
            yield Target(told(name, parts), BARE, None, partial(beside_products, case, parts))
            what = f"page faults of the {told(model_of(name), parts)}"
            yield Target(what, "Glassbox, a count", MOST_FAULTS, partial(page_faults, name, parts))
        for parts, aim in zip((1, 2, PARTS), MEMORY[name]):
            own, whole = [name, str(parts), "glassbox", "memory"], [name, "1", "pytorch", "memory"]
            measure = partial(memory.peaks, STEP, own, whole)
            what = f"peak memory of the {told(model_of(name), parts)}"
            yield Target(what, "PyTorch", aim, measure)


def model_of(name: str) -> str:
    """The name of the model of a case."""
    return name.split(",")[0]


def told(name: str, parts: int) -> str:
    """The name of a case, and in how many parts its step is done."""
    return name if parts == 1 else f"{name}, in {parts} parts"


def beside_pytorch(case: Case, parts: int, rounds: int) -> list[Pair]:
    """CPU seconds of our step and of PyTorch's, which is done in one part."""
    return in_turns(step(case, parts), step_of_pytorch(case, 1), rounds, checks=3)


def alone(name: str, parts: int, rounds: int) -> list[Pair]:
    """The same, each in processes of its own."""
    return [
        (cost(name, parts, "glassbox", number)[0], cost(name, 1, "pytorch", number)[0])
        for number in range(rounds)
    ]


def page_faults(name: str, parts: int, rounds: int) -> list[Pair]:
    """How many a steady step of ours has: as pairs, whose other side is one."""
    return [(cost(name, parts, "glassbox", number)[1], 1) for number in range(rounds)]


@cache
def cost(name: str, parts: int, library: str, number: int) -> list[float]:
    """CPU seconds, page faults and loss of a step; `number` tells equal jobs apart."""
    return numbers_from(STEP, name, str(parts), library, "time")


def beside_products(case: Case, parts: int, rounds: int) -> list[Pair]:
    """CPU seconds of our step and of its matrix products alone."""
    config, _, inputs = case
    n_source = inputs[0].size if len(inputs) == 2 else 0
    bare = products(linear_shapes(config, n_source, inputs[-1].size))
    own = step(case, parts)
    return in_turns(own, bare, rounds, checks=0)


def begin(case: Case) -> tuple[Module, list[np.ndarray]]:
    """The model as it starts, and what it reads and should answer."""
    config, make, inputs = case
    return make(config, np.random.default_rng(0)), [*inputs, np.roll(inputs[-1], -1, axis=1)]


def step_of_pytorch(case: Case, parts: int) -> Pass:
    """A training step of PyTorch's; returns the loss."""
    from benchmarks import stage5_pytorch

    model, arrays = begin(case)
    return stage5_pytorch.step(model, case[0], arrays, parts, LR)


def step(case: Case, parts: int) -> Pass:
    """A training step of ours; returns the loss."""
    model, arrays = begin(case)
    optimizer = AdamW(model.parameters(), lr=LR)
    batches = list(zip(*(np.split(a, parts) for a in arrays)))

    def part(*read: np.ndarray, next_ids: np.ndarray) -> np.ndarray:
        loss = cross_entropy(model(*read), next_ids) / parts
        loss.backward()
        return loss.data  # the graph is gone before the next part begins

    def run() -> np.ndarray:
        optimizer.zero_grad()
        total = sum(part(*read, next_ids=next_ids) for *read, next_ids in batches)
        optimizer.step()
        return np.asarray(total)

    return run


def products(shapes: list[tuple[int, int, int, int]]) -> Pass:
    """The products (N, K) @ (K, M) with their two gradients, each so many times."""
    made = []
    for n, k, m, times in shapes:
        rng = np.random.default_rng(0)
        x, w, g = (rng.standard_normal(s).astype(np.float32) for s in ((n, k), (k, m), (n, m)))
        made.append((x, w, g, times))

    def run() -> np.ndarray:
        y = np.zeros(0)
        for x, w, g, times in made:
            for _ in range(times):
                y = x @ w
                y = g @ w.T
                y = x.T @ g
        return y

    return run


def linear_shapes(c: Config, source: int, target: int) -> list[tuple[int, int, int, int]]:
    """Those of all Linears and of the last product, for so many symbols on each side."""
    d, ff, e, n = c.d_model, c.d_ff, c.encoder_layers, c.decoder_layers
    cross = 2 if source else 0  # q and out of cross-attention
    shapes = [(target, d, d, n * (4 + cross)), (target, d, ff, n), (target, ff, d, n)]
    shapes.append((target, d, c.target_size, 1))
    if source:
        shapes += [(source, d, d, e * 4 + n * 2), (source, d, ff, e), (source, ff, d, e)]
    return shapes
