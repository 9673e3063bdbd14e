"""Adam: momentum, and a learning rate for every weight, both corrected for their start at 0."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from stage2_tensor import Tensor
from stage4_optim.adaptive import running_mean
from stage4_optim.decay import l2_gradient, shrink
from stage4_optim.optimizer import Group, Optimizer

Array = np.ndarray


class Adam(Optimizer):
    """p = p - lr m_hat / (sqrt(v_hat) + eps), with running means m of g and v of g^2.

    m and v start at 0, which pulls them to 0; m_hat = m / (1 - beta1^t) undoes that. t counts the
    steps of this parameter. Weight decay is L2: part of the gradient.

    Source:    Kingma and Ba (2015), Adam, algorithm 1.
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[Group],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)

    def update(self, p: Tensor, g: Array, state: dict[str, Any], options: Group) -> None:
        """The step of algorithm 1, on the gradient with L2 decay."""
        if options["weight_decay"]:
            g = l2_gradient(p, g, options["weight_decay"], out=self.scratch(p))
        self.adam_step(p, g, state, options)

    def adam_step(self, p: Tensor, g: Array, state: dict[str, Any], options: Group) -> None:
        """m, v and t brought up to date, then p moved. g is not changed.

        In place, in the order of the formula; only the corrections of m and v wait: they are single
        numbers, which join eps and lr. `state` gets "step", "m" and "v".
        """
        if not state:
            state.update(step=0, m=np.zeros_like(p.data), v=np.zeros_like(p.data))
        beta1, beta2 = options["betas"]
        state["step"] += 1
        t, m, v, work = state["step"], state["m"], state["v"], self.scratch(p, 1)
        running_mean(m, g, beta1, work)
        running_mean(v, np.multiply(g, g, out=work), beta2, work)
        correction = math.sqrt(1 - beta2**t)  # sqrt(v_hat) = sqrt(v) / correction
        np.sqrt(v, out=work)
        work += options["eps"] * correction
        np.divide(m, work, out=work)
        work *= options["lr"] * correction / (1 - beta1**t)
        p.data -= work


class AdamW(Adam):
    """Adam with decoupled weight decay: first p = p (1 - lr weight_decay), then Adam's step.

    Source:    Loshchilov and Hutter (2017), algorithm 2. Differs: their eta and alpha are one lr.
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[Group],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay)

    def update(self, p: Tensor, g: Array, state: dict[str, Any], options: Group) -> None:
        """The decay, then the step of algorithm 1 on the bare gradient."""
        shrink(p, options["lr"], options["weight_decay"])
        self.adam_step(p, g, state, options)
