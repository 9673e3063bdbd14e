"""Adam with the two corrections folded into the step size."""

import math

import numpy as np

from stage4_optim.decay import l2_gradient, shrink
from stage4_optim.optimizer import Optimizer


class Adam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)

    def update(self, p, g, state, options):
        g = l2_gradient(p, g, options["weight_decay"], np.empty_like(p.data))
        self.adam_step(p, g, state, options)

    def adam_step(self, p, g, state, options):
        beta1, beta2 = options["betas"]
        t = state["t"] = state.get("t", 0) + 1
        state["mean"] = beta1 * state.get("mean", 0) + (1 - beta1) * g
        state["square"] = beta2 * state.get("square", 0) + (1 - beta2) * g**2
        root = math.sqrt(1 - beta2**t)
        rate = options["lr"] * root / (1 - beta1**t)
        step = rate * state["mean"] / (np.sqrt(state["square"]) + options["eps"] * root)
        p.data = (p.data - step).astype(p.dtype)


class AdamW(Adam):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2):
        super().__init__(params, lr, betas, eps, weight_decay)

    def update(self, p, g, state, options):
        shrink(p, options["lr"], options["weight_decay"])
        self.adam_step(p, g, state, options)
