"""Stage 4: the step of every optimizer beside PyTorch's, on the 235,000 numbers of an MLP.

As stage2.py measures: one process, one thread each, CPU time, in turns; weights are compared first.
PyTorch's single-tensor form is its plain loop, foreach and fused are its fast ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

import stage3_nn as nn
import stage4_optim as opt
from benchmarks import peers
from benchmarks.clock import in_turns
from benchmarks.target import Pair, Target

SIZES = [(784, 256), (256, 128), (128, 10)]
LR = 1e-3

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


def targets() -> Iterator[Target]:
    """Every optimizer beside every form of PyTorch's; RMSprop has no fused one."""
    for name in OPTIMIZERS:
        for form in FORMS:
            if (name, form) != ("RMSprop", "fused"):
                yield Target(
                    f"{name}, a step", f"PyTorch, {form}", None, partial(beside, name, form)
                )


def parameters() -> list[np.ndarray]:
    """The weights and biases of the MLP."""
    rng = np.random.default_rng(0)
    return [
        rng.uniform(-0.05, 0.05, shape).astype(np.float32)
        for n, m in SIZES
        for shape in ((n, m), (m,))
    ]


def gradients() -> list[np.ndarray]:
    """A gradient for each of them."""
    rng = np.random.default_rng(1)
    return [rng.standard_normal(a.shape).astype(np.float32) for a in parameters()]


def beside(name: str, form: str, rounds: int) -> list[Pair]:
    """CPU seconds of a step here and there."""
    torch = peers.load("PyTorch")
    kind, options = name.split(",")[0], OPTIMIZERS[name]
    mine = [nn.Parameter(a) for a in parameters()]
    theirs = [torch.nn.Parameter(torch.tensor(a)) for a in parameters()]
    for p, peer, g in zip(mine, theirs, gradients()):
        p.grad, peer.grad = g, torch.tensor(g)
    ours = getattr(opt, kind)(mine, **options)
    peers_own = getattr(torch.optim, kind)(theirs, **options, **FORMS[form])

    def own() -> np.ndarray:
        ours.step()
        return mine[0].data

    def peer() -> np.ndarray:
        peers_own.step()
        return theirs[0].detach().numpy()

    return in_turns(own, peer, rounds)
