"""Learning rates per group under one schedule: the groups keep their proportion."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from stage2_tensor import Tensor
from stage4_optim.inputs import check_options
from stage4_optim.more.checks import check_first_rate, check_has_rate
from stage4_optim.optimizer import Group, Optimizer


class GroupRates(Optimizer):
    """Setting `lr` sets that of the first group; every other one keeps its ratio to it.

    A group that began with a tenth of the first one's learning rate always has a tenth, under any
    schedule: put this class before an optimizer, as `class MySGD(GroupRates, SGD)`. The groups
    remember what they began with as "initial_lr", the name that PyTorch's schedules use.
    """

    def __init__(self, params: Iterable[Tensor] | Iterable[Group], **options: Any) -> None:
        super().__init__(params, **options)
        check_has_rate(self.param_groups)
        for group in self.param_groups:
            group["initial_lr"] = group["lr"]
        check_first_rate([group["initial_lr"] for group in self.param_groups])

    @property
    def lr(self) -> float:
        """The learning rate of the first group; setting it moves the others in proportion."""
        return self.param_groups[0]["lr"]

    @lr.setter
    def lr(self, lr: float) -> None:
        """Set the learning rate of the first group, and those of the others in proportion."""
        check_options({"lr": lr})
        first = self.param_groups[0]["initial_lr"]
        for group in self.param_groups:
            ratio = group["initial_lr"] / first if first else 1.0
            group["lr"] = float(lr) * ratio
