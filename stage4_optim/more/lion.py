"""Lion, an optimizer in one file: how to add one of your own.

Three things make an optimizer. `__init__` hands its options to `Optimizer`, which keeps them for
each group and checks them. `update` moves one Parameter, in place: into p.data, with arrays from
`scratch` to compute in. What it remembers it puts into `state`, as arrays and numbers; checkpoints
save that by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from stage2_tensor import Tensor
from stage4_optim.adaptive import running_mean
from stage4_optim.decay import shrink
from stage4_optim.optimizer import Group, Optimizer

Array = np.ndarray


class Lion(Optimizer):
    """p = p - lr (sign(c) + weight_decay p), with c = beta1 m + (1 - beta1) g.

    m is a running mean of g, with beta2, brought up to date after the step. Every weight moves by
    lr, however large its gradient is, so lr is a third to a tenth of Adam's.

    Source:    Chen et al. (2023), Symbolic Discovery of Optimization Algorithms, and
               lion/lion_pytorch.py in the authors' repository, google/automl.
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[Group],
        lr: float = 1e-4,
        betas: tuple[float, float] = (0.9, 0.99),
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(params, lr=lr, betas=betas, weight_decay=weight_decay)

    def update(self, p: Tensor, g: Array, state: dict[str, Any], options: Group) -> None:
        """The decay, the step by the sign of c, then m; `state` gets "m"."""
        if not state:
            state["m"] = np.zeros_like(p.data)
        beta1, beta2 = options["betas"]
        m, c, work = state["m"], self.scratch(p), self.scratch(p, 1)
        np.copyto(c, m)
        running_mean(c, g, beta1, work)
        np.sign(c, out=c)
        c *= options["lr"]
        shrink(p, options["lr"], options["weight_decay"])
        p.data -= c
        running_mean(m, g, beta2, work)
