"""Stage 4: a step of an MLP 784-256-128-10 with Adam, on every engine and by hand.

As stage2.py measures: one process, one thread each, CPU time, in turns. Three losses are compared
first. The batch is 128 rows of float32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import stage3_nn as nn
from benchmarks import peers
from benchmarks.clock import Pass, in_turns
from benchmarks.stage4_optimizers import LR, SIZES, parameters
from benchmarks.target import Pair, Target
from stage2_tensor import Tensor
from stage4_optim import Adam

BATCH = 128


def targets() -> Iterator[Target]:
    """The step beside every peer's."""
    for peer, goal, make in (
        ("PyTorch, plain Adam", 0.86, partial(by_torch, foreach=False)),
        ("PyTorch, fused Adam", None, partial(by_torch, fused=True)),
        ("NumPy, by hand", 1.04, by_hand),
        ("autograd", 0.5, by_autograd),
        ("tinygrad, TinyJit", 0.25, by_tinygrad),
    ):
        what = "MLP 784-256-128-10, a step with Adam"
        yield Target(what, peer, goal, partial(beside, make))


def beside(make: Callable[[], Pass], rounds: int) -> list[Pair]:
    """CPU seconds of the step here and there."""
    return in_turns(by_us(), make(), rounds, checks=3, tolerance=1e-4)


def data() -> tuple[np.ndarray, np.ndarray]:
    """The batch, and its classes."""
    rng = np.random.default_rng(2)
    return rng.standard_normal((BATCH, 784)).astype(np.float32), rng.integers(0, 10, BATCH)


def by_us() -> Pass:
    """A step of our MLP with Adam; returns the loss."""
    model = nn.Sequential(*[m for size in SIZES for m in (nn.Linear(*size), nn.ReLU())][:-1])
    for p, a in zip(model.parameters(), parameters()):
        p.data = a
    optimizer, (x, labels) = Adam(model.parameters(), lr=LR), data()

    def run() -> np.ndarray:
        optimizer.zero_grad()
        loss = nn.cross_entropy(model(Tensor(x)), labels)
        loss.backward()
        optimizer.step()
        return loss.data

    return run


def by_torch(**form: bool) -> Pass:
    """The same in PyTorch."""
    torch = peers.load("PyTorch")
    layers = [m for n, k in SIZES for m in (torch.nn.Linear(n, k), torch.nn.ReLU())]
    model = torch.nn.Sequential(*layers[:-1])
    for p, a in zip(model.parameters(), parameters()):
        p.data = torch.tensor(a.T.copy() if a.ndim == 2 else a)
    optimizer = torch.optim.Adam(model.parameters(), lr=LR, **form)
    x, labels = map(torch.tensor, data())

    def run() -> np.ndarray:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), labels)
        loss.backward()
        optimizer.step()
        return loss.detach().numpy()

    return run


def adam(weights: list[np.ndarray], m: list, v: list, grads: list, t: int) -> None:
    """Adam in plain NumPy, as one would write it by hand, in place."""
    for p, mean, square, g in zip(weights, m, v, grads):
        mean *= 0.9
        mean += 0.1 * g
        square *= 0.999
        square += 0.001 * (g * g)
        step = np.sqrt(square)
        step *= 1 / np.sqrt(1 - 0.999**t, dtype=np.float32)
        step += 1e-8
        np.divide(mean, step, out=step)
        step *= LR / (1 - 0.9**t)
        p -= step


def by_autograd() -> Pass:
    """The same with autograd, and Adam in NumPy."""
    autograd = peers.load("autograd")
    anp = autograd.numpy
    weights, (x, labels) = parameters(), data()
    m, v = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    rows = np.arange(BATCH)

    def loss_of(weights: list) -> Any:
        h = x
        for i in range(0, len(weights), 2):
            h = anp.dot(h, weights[i]) + weights[i + 1]
            h = anp.maximum(h, 0) if i + 2 < len(weights) else h
        shifted = h - anp.max(h, axis=1, keepdims=True)
        log_sum = anp.log(anp.sum(anp.exp(shifted), axis=1))
        return anp.mean(log_sum - shifted[rows, labels])

    both, t = autograd.value_and_grad(loss_of), 0

    def run() -> np.ndarray:
        nonlocal t
        t += 1
        loss, grads = both(weights)
        adam(weights, m, v, grads, t)
        return loss

    return run


def by_hand() -> Pass:
    """The same in NumPy without any engine: the derivatives worked out on paper."""
    weights, (x, labels) = parameters(), data()
    m, v = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    rows, t = np.arange(BATCH), 0

    def run() -> np.ndarray:
        nonlocal t
        t += 1
        W1, b1, W2, b2, W3, b3 = weights
        h1 = np.maximum(x @ W1 + b1, 0)
        h2 = np.maximum(h1 @ W2 + b2, 0)
        z = h2 @ W3 + b3
        z -= z.max(1, keepdims=True)
        e = np.exp(z)
        total = e.sum(1, keepdims=True)
        loss = (np.log(total[:, 0]) - z[rows, labels]).mean()
        d = e / total
        d[rows, labels] -= 1
        d /= BATCH
        d2 = (d @ W3.T) * (h2 > 0)
        d1 = (d2 @ W2.T) * (h1 > 0)
        grads = [x.T @ d1, d1.sum(0), h1.T @ d2, d2.sum(0), h2.T @ d, d.sum(0)]
        adam(weights, m, v, grads, t)
        return loss

    return run


def by_tinygrad() -> Pass:
    """The same in tinygrad, compiled by its TinyJit."""
    tinygrad = peers.load("tinygrad")
    weights = [tinygrad.Tensor(a).realize() for a in parameters()]
    for w in weights:
        w.is_param_()
    optimizer = tinygrad.nn.optim.Adam(weights, lr=LR)
    x, labels = (tinygrad.Tensor(a).realize() for a in data())

    @tinygrad.TinyJit
    @tinygrad.Context(TRAINING=1)
    def step() -> Any:
        optimizer.zero_grad()
        h = x
        for i in range(0, len(weights), 2):
            h = h @ weights[i] + weights[i + 1]
            h = h.relu() if i + 2 < len(weights) else h
        loss = h.sparse_categorical_crossentropy(labels).backward()
        return loss.realize(*optimizer.schedule_step())

    return lambda: step().numpy()
