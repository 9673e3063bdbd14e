"""Stochastic gradient descent, and the ball that rolls: momentum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from stage2_tensor import Tensor
from stage3_nn import check_flag, check_real
from stage4_optim.decay import l2_gradient
from stage4_optim.optimizer import Group, Optimizer

Array = np.ndarray


class SGD(Optimizer):
    """p = p - lr v, where v is the gradient, or its running sum with momentum.

    Source:    Sutskever, Martens, Dahl and Hinton (2013), section 2, for momentum and Nesterov's.
               Differs: v holds gradients and not steps, as in PyTorch, so that a new learning
               rate acts at once.
    Raises:    ValueError: for Nesterov without momentum, or with dampening.
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[Group],
        lr: float = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
    ) -> None:
        check_flag("SGD", nesterov=nesterov)
        check_real("SGD", momentum=momentum, dampening=dampening)
        if nesterov and (not momentum or dampening):
            raise ValueError(
                "SGD: expected momentum, and no dampening, for nesterov=True, got "
                f"momentum={momentum} and dampening={dampening}"
            )
        super().__init__(
            params,
            lr=lr,
            momentum=momentum,
            dampening=dampening,
            weight_decay=weight_decay,
            nesterov=nesterov,
        )

    def update(self, p: Tensor, g: Array, state: dict[str, Any], options: Group) -> None:
        """p = p - lr v, in place.

        v is the gradient g: first with its L2 decay, if there is one; then `velocity` of that, if
        there is momentum.
        """
        if options["weight_decay"]:
            g = l2_gradient(p, g, options["weight_decay"], out=self.scratch(p))
        v = self.velocity(p, g, state, options) if options["momentum"] else g
        p.data -= np.multiply(v, options["lr"], out=self.scratch(p, 1))

    def velocity(self, p: Tensor, g: Array, state: dict[str, Any], options: Group) -> Array:
        """v = mu v + (1 - dampening) g, or g + mu v of that with Nesterov.

        The first v is g itself, not dampened. v lives in `state` under "velocity".
        """
        mu, work = options["momentum"], self.scratch(p, 1)
        if "velocity" not in state:
            v = state["velocity"] = np.array(g)
        else:
            v = state["velocity"]
            v *= mu
            v += np.multiply(g, 1 - options["dampening"], out=work)
        if not options["nesterov"]:
            return v
        np.multiply(v, mu, out=work)
        work += g
        return work
