"""Uphill instead of downhill: for a reward, or a likelihood, that is to grow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from stage2_tensor import Tensor
from stage4_optim.optimizer import Group, Optimizer

Array = np.ndarray


class Maximize(Optimizer):
    """With maximize=True, every update is made as if the gradient pointed the other way.

    Weight decay still pulls towards 0. Put this class before an optimizer, as
    `class MySGD(Maximize, SGD)`.
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[Group],
        maximize: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(params, **options)
        for group in self.param_groups:
            group["maximize"] = maximize

    def update(self, p: Tensor, g: Array, state: dict[str, Any], options: Group) -> None:
        """The update of the optimizer, for g or for -g. g itself is not changed."""
        if options["maximize"]:
            g = np.negative(g, out=self.scratch(p, 2))  # 0 and 1 are the optimizer's own
        super().update(p, g, state, options)
