"""Stage 4 beside PyTorch, autograd, tinygrad and plain NumPy: optimizer steps, and an MLP's step.

    python benchmarks/stage4.py

As stage2.py measures: one process, one thread each, CPU time, in turns. Weights, or losses, are
compared first. PyTorch's single-tensor form is its plain loop, foreach and fused are its fast ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from peers import Pass, autograd, compare, print_table, tinygrad, torch

import stage3_nn as nn
import stage4_optim as opt
from stage2_tensor import Tensor

F = torch.nn.functional
SIZES = [(784, 256), (256, 128), (128, 10)]
BATCH, LR = 128, 1e-3

OPTIMIZERS = {
    "SGD": {"lr": LR},
    "SGD, momentum": {"lr": LR, "momentum": 0.9},
    "Adagrad": {"lr": LR},
    "RMSprop": {"lr": LR},
    "Adam": {"lr": LR},
    "AdamW": {"lr": LR, "weight_decay": 0.01},
}
FORMS = {
    "single-tensor": {"foreach": False},
    "foreach": {"foreach": True},
    "fused": {"fused": True},
}


def parameters() -> list[np.ndarray]:
    """The weights and biases of the MLP, 235,000 numbers."""
    rng = np.random.default_rng(0)
    return [
        rng.uniform(-0.05, 0.05, shape).astype(np.float32)
        for n, m in SIZES
        for shape in ((n, m), (m,))
    ]


def optimizer_rows(rounds: int) -> list[list[str]]:
    """One step of every optimizer on the parameters of the MLP."""
    rng = np.random.default_rng(1)
    gradients = [rng.standard_normal(a.shape).astype(np.float32) for a in parameters()]
    rows = []
    for name, options in OPTIMIZERS.items():
        kind = name.split(",")[0]
        mine = [nn.Parameter(a) for a in parameters()]
        for p, g in zip(mine, gradients):
            p.grad = g
        ours = getattr(opt, kind)(mine, **options)

        def own(ours=ours, mine=mine) -> np.ndarray:
            ours.step()
            return mine[0].data

        for form, more in FORMS.items():
            if form == "fused" and kind == "RMSprop":  # has none
                continue
            theirs: list[Any] = [torch.nn.Parameter(torch.tensor(a)) for a in parameters()]
            for p, g in zip(theirs, gradients):
                p.grad = torch.tensor(g)
            peer_optimizer = getattr(torch.optim, kind)(theirs, **options, **more)

            def peer(peer_optimizer=peer_optimizer, theirs=theirs) -> np.ndarray:
                peer_optimizer.step()
                return theirs[0].detach().numpy()

            what = f"{name} / PyTorch, {form}"
            rows.append(compare(what, None, own, peer, rounds, same=form == "single-tensor"))
    return rows


def data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(2)
    return rng.standard_normal((BATCH, 784)).astype(np.float32), rng.integers(0, 10, BATCH)


def by_us() -> Pass:
    """A step of our MLP with Adam; returns the loss."""
    model = nn.Sequential(*[m for size in SIZES for m in (nn.Linear(*size), nn.ReLU())][:-1])
    for p, a in zip(model.parameters(), parameters()):
        p.data = a
    optimizer, (x, labels) = opt.Adam(model.parameters(), lr=LR), data()

    def run() -> np.ndarray:
        optimizer.zero_grad()
        loss = nn.cross_entropy(model(Tensor(x)), labels)
        loss.backward()
        optimizer.step()
        return loss.data

    return run


def by_torch(**form: bool) -> Pass:
    """The same in PyTorch."""
    layers = [m for n, k in SIZES for m in (torch.nn.Linear(n, k), torch.nn.ReLU())]
    model = torch.nn.Sequential(*layers[:-1])
    for p, a in zip(model.parameters(), parameters()):
        p.data = torch.tensor(a.T.copy() if a.ndim == 2 else a)
    optimizer = torch.optim.Adam(model.parameters(), lr=LR, **form)
    x, labels = map(torch.tensor, data())

    def run() -> np.ndarray:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), labels)
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


def mlp_rows(rounds: int) -> list[list[str]]:
    """One step of an MLP 784-256-128-10 on a batch of 128, float32, Adam."""
    peers: dict[str, tuple[float | None, Any]] = {
        "PyTorch, plain Adam": (0.82, lambda: by_torch(foreach=False)),
        "PyTorch, fused Adam": (None, lambda: by_torch(fused=True)),
        "NumPy by hand": (None, by_hand),
    }
    if autograd is not None:
        peers["autograd"] = (0.5, by_autograd)
    if tinygrad is not None:
        peers["tinygrad, TinyJit"] = (0.25, by_tinygrad)
    rows = []
    for name, (goal, make) in peers.items():
        own, peer = by_us(), make()
        for _ in range(3):  # equal losses before anything is timed
            np.testing.assert_allclose(own(), peer(), rtol=1e-4, err_msg=name)
        what = f"MLP 784-256-128-10, Adam, a step / {name}"
        rows.append(compare(what, goal, own, peer, rounds, same=False))
    return rows


if __name__ == "__main__":
    print_table("Stage 4", [optimizer_rows, mlp_rows])
