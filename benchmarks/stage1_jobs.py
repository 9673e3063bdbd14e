"""The measurements of stage1.py. Each runs in a process of its own, which imports one engine.

    echo '["longest_chain", ["micrograd", 1000000]]' | python -m benchmarks.stage1_jobs

A request on standard input names a job and its arguments; the result goes to standard output.
"""

from __future__ import annotations

import gc
import importlib
import json
import sys
import time
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from typing import Any

SIZES = [2, 16, 16, 1]
ENGINES = {
    "micrograd": ("micrograd.engine", "micrograd.nn"),
    "glassbox": ("stage1_autodiff", "stage1_autodiff"),
}


class PlainMLP:
    """The network of a user who has a Value and nothing else: products and sums, one by one."""

    def __init__(self, value: Callable[[float], Any]) -> None:
        self.layers = [
            [([value(0.0) for _ in range(n_in)], value(0.0)) for _ in range(n_out)]
            for n_in, n_out in pairwise(SIZES)
        ]

    def __call__(self, x: list) -> Any:
        *hidden, last = self.layers
        for layer in hidden:
            x = [weighted_sum(weights, bias, x).relu() for weights, bias in layer]
        [(weights, bias)] = last
        return weighted_sum(weights, bias, x)

    def parameters(self) -> list:
        return [p for layer in self.layers for weights, bias in layer for p in (*weights, bias)]


def weighted_sum(weights: list, bias: Any, x: list) -> Any:
    """bias + w . x, a node for every product and every sum."""
    return sum((w * xi for w, xi in zip(weights, x)), bias)


def build(engine: str, network: str, weights: list[float]) -> Any:
    """The plain network or the engine's own one, with the given weights, pruned or not."""
    value_module, nn_module = (importlib.import_module(name) for name in ENGINES[engine])
    value_module.Value.prune = network.endswith("pruned")  # micrograd takes no notice
    plain = network.startswith("plain")
    model = PlainMLP(value_module.Value) if plain else nn_module.MLP(SIZES[0], SIZES[1:])
    for p, w in zip(model.parameters(), weights, strict=True):
        p.data = w
    return model


def hinge_loss(model: Any, points: list, labels: list) -> Any:
    """The mean hinge loss plus L2, as a user of either engine writes it."""
    costs = [(1 - label * model(point)).relu() for point, label in zip(points, labels)]
    return sum(costs) / len(costs) + 1e-4 * sum(p * p for p in model.parameters())


def train_step(model: Any, task: dict) -> float:
    """One step of gradient descent: loss, backward, update. The graph is dropped on return."""
    for p in model.parameters():
        p.grad = 0.0
    loss = hinge_loss(model, task["points"], task["labels"])
    loss.backward()
    for p in model.parameters():
        p.data -= 0.1 * p.grad
    return loss.data


def first_steps(engine: str, network: str, task: dict) -> list[float]:
    """The losses of three steps, then the gradients of the third."""
    model = build(engine, network, task["weights"])
    losses = [train_step(model, task) for _ in range(3)]
    return losses + [p.grad for p in model.parameters()]


def seconds(engine: str, network: str, collect: bool, steps: int, task: dict) -> float:
    """CPU seconds per step. With the collector off, it runs between the steps, off the clock."""
    model = build(engine, network, task["weights"])
    for _ in range(2):
        train_step(model, task)  # until the collector is in its rhythm
    if not collect:
        gc.collect()
        gc.disable()
    total = 0.0
    for _ in range(steps):
        start = time.process_time()
        train_step(model, task)
        total += time.process_time() - start
        if not collect:
            gc.collect()
    return total / steps


def peak_bytes(engine: str, network: str, task: dict) -> int:
    """The most bytes that one step adds to those of the model, as tracemalloc counts them."""
    model = build(engine, network, task["weights"])
    tracemalloc.start()
    train_step(model, task)
    return tracemalloc.get_traced_memory()[1]


def walks(engine: str, length: int) -> bool:
    """Whether a chain of `length` additions can be walked backward; recursion ends it early."""
    value = importlib.import_module(ENGINES[engine][0]).Value
    x = value(1.0)
    y = x
    for _ in range(length):
        y = y + 1.0
    try:
        y.backward()
    except RecursionError:
        return False
    assert x.grad == 1.0
    return True


def longest_chain(engine: str, limit: int) -> int:
    """The most additions, up to `limit`, that `engine` walks backward."""
    works, fails = 1, limit + 1
    while fails - works > 1:
        middle = min(10 * works, limit) if fails > limit else (works + fails) // 2
        if walks(engine, middle):
            works = middle
        else:
            fails = middle
    return works


JOBS = {job.__name__: job for job in (first_steps, seconds, peak_bytes, longest_chain)}

if __name__ == "__main__":
    name, arguments = json.load(sys.stdin)
    json.dump(JOBS[name](*arguments), sys.stdout)
