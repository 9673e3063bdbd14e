"""A learning rate for every single weight: large where gradients are small."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from stage2_tensor import Tensor
from stage4_optim.decay import l2_gradient
from stage4_optim.optimizer import Group, Optimizer

Array = np.ndarray


class Adagrad(Optimizer):
    """p = p - lr g / (sqrt(s) + eps), where s is the sum of all g^2 so far.

    s only grows, so the steps only get smaller.

    Source:    Duchi, Hazan and Singer (2011), the diagonal case.
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[Group],
        lr: float = 1e-2,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
    ) -> None:
        super().__init__(params, lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, eps=eps)
        for p in self.parameters():
            start = np.full_like(p.data, initial_accumulator_value)
            self.state[p] = {"step": 0, "square_sum": start}

    def update(self, p: Tensor, g: Array, state: dict[str, Any], options: Group) -> None:
        """s = s + g^2, then the step; lr is divided by 1 + step lr_decay, the first step is 0."""
        if options["weight_decay"]:
            g = l2_gradient(p, g, options["weight_decay"], out=self.scratch(p))
        work = self.scratch(p, 1)
        state["square_sum"] += np.multiply(g, g, out=work)
        lr = options["lr"] / (1 + state["step"] * options["lr_decay"])
        state["step"] += 1
        np.sqrt(state["square_sum"], out=work)
        work += options["eps"]
        np.divide(g, work, out=work)
        work *= lr
        p.data -= work


class RMSprop(Optimizer):
    """p = p - lr g / (sqrt(s) + eps), where s is a running mean of g^2.

    centered  divides by the root of s - m^2, the variance, where m is a running mean of g
    momentum  lets the scaled gradients roll on, as in SGD

    Source:    Tieleman and Hinton (2012), lecture 6.5. Differs: eps, and the two options.
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[Group],
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum: float = 0.0,
        centered: bool = False,
    ) -> None:
        super().__init__(
            params,
            lr=lr,
            alpha=alpha,
            eps=eps,
            weight_decay=weight_decay,
            momentum=momentum,
            centered=centered,
        )

    def update(self, p: Tensor, g: Array, state: dict[str, Any], options: Group) -> None:
        """s = alpha s + (1 - alpha) g^2, then the step; `state` keeps what the options need."""
        if not state:
            state["square_mean"] = np.zeros_like(p.data)
            if options["centered"]:
                state["mean"] = np.zeros_like(p.data)
            if options["momentum"]:
                state["velocity"] = np.zeros_like(p.data)
        alpha, work = options["alpha"], self.scratch(p, 1)
        if options["weight_decay"]:
            g = l2_gradient(p, g, options["weight_decay"], out=self.scratch(p))
        s = state["square_mean"]
        running_mean(s, np.multiply(g, g, out=work), alpha, work)
        if options["centered"]:
            m = state["mean"]
            running_mean(m, g, alpha, work)
            s = np.subtract(s, np.multiply(m, m, out=work), out=work)
            np.maximum(s, 0, out=s)  # rounding may leave it a little below
        np.sqrt(s, out=work)
        work += options["eps"]
        step = np.divide(g, work, out=work)
        if options["momentum"]:
            v = state["velocity"]
            v *= options["momentum"]
            v += step
            step = v
        p.data -= np.multiply(step, options["lr"], out=work)


def running_mean(mean: Array, new: Array, keep: float, work: Array) -> None:
    """mean = keep mean + (1 - keep) new, in place; `work` may be `new` itself."""
    np.multiply(new, 1 - keep, out=work)
    mean *= keep
    mean += work
