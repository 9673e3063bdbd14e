"""AMSGrad: an Adam whose steps cannot grow again because large gradients are forgotten."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from stage2_tensor import Tensor
from stage4_optim import adam
from stage4_optim.adaptive import running_mean
from stage4_optim.optimizer import Group

Array = np.ndarray


class AMSGrad(adam.Adam):
    """With amsgrad=True Adam divides by the root of v_max, the largest v so far, instead of v.

    Source:    Reddi, Kale and Kumar (2018), On the Convergence of Adam and Beyond. Differs: m and
               v_max are corrected for their start at 0, as in Adam and in PyTorch.
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[Group],
        amsgrad: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(params, **options)
        for group in self.param_groups:
            group["amsgrad"] = amsgrad

    def adam_step(self, p: Tensor, g: Array, state: dict[str, Any], options: Group) -> None:
        """The step of the exercise; with amsgrad the same, and `state` gets "v_max" too."""
        if not options["amsgrad"]:
            return super().adam_step(p, g, state, options)
        if not state:
            state.update(step=0, **{name: np.zeros_like(p.data) for name in ("m", "v", "v_max")})
        beta1, beta2 = options["betas"]
        state["step"] += 1
        t, m, v, v_max = state["step"], state["m"], state["v"], state["v_max"]
        work = self.scratch(p, 1)
        running_mean(m, g, beta1, work)
        running_mean(v, np.multiply(g, g, out=work), beta2, work)
        np.maximum(v_max, v, out=v_max)
        np.sqrt(v_max, out=work)
        work *= 1 / math.sqrt(1 - beta2**t)
        work += options["eps"]
        np.divide(m, work, out=work)
        work *= options["lr"] / (1 - beta1**t)
        p.data -= work
