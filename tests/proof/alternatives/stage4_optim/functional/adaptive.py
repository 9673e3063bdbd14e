"""Adagrad and RMSprop as functions of what they remember."""

import numpy as np

from stage4_optim.optimizer import Optimizer


class Adagrad(Optimizer):
    def __init__(
        self,
        params,
        lr=1e-2,
        lr_decay=0.0,
        weight_decay=0.0,
        initial_accumulator_value=0.0,
        eps=1e-10,
    ):
        super().__init__(params, lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, eps=eps)
        self.first = initial_accumulator_value

    def update(self, p, g, state, options):
        g = g + options["weight_decay"] * p.data
        total, steps = state.get("memory", (self.first, 0))
        total = total + g**2
        state["memory"] = total, steps + 1
        rate = options["lr"] / (1 + steps * options["lr_decay"])
        p.data = (p.data - rate * g / (total**0.5 + options["eps"])).astype(p.dtype)


class RMSprop(Optimizer):
    def __init__(
        self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0, centered=False
    ):
        options = {"lr": lr, "alpha": alpha, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, **options, momentum=momentum, centered=centered)

    def update(self, p, g, state, options):
        keep, new = options["alpha"], 1 - options["alpha"]
        g = g + options["weight_decay"] * p.data
        s = state["s"] = keep * state.get("s", 0) + new * g * g
        m = state["m"] = keep * state.get("m", 0) + new * g
        scale = np.sqrt(np.abs(s - m * m) if options["centered"] else s) + options["eps"]
        v = state["v"] = options["momentum"] * state.get("v", 0) + g / scale
        p.data = (p.data - options["lr"] * v).astype(p.dtype)


def running_mean(mean, new, keep, work):
    mean *= keep
    mean += (1 - keep) * new
