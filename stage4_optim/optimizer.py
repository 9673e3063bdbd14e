"""The part that all optimizers share: a walk through the parameters, and a memory for each.

A subclass says in `update` how one parameter moves. It writes into the array of the parameter:
no graph is made, the parameter stays a leaf, and after the first step nothing is allocated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from stage2_tensor import Tensor
from stage4_optim.inputs import (
    check_group_dicts,
    check_groups,
    check_list,
    check_options,
    check_saved,
)

Array = np.ndarray
Group = dict[str, Any]


class Optimizer:
    """Moves parameters against their gradients.

    param_groups  a list of dicts: "params", and the options of an update: "lr" and others
    state         what an update remembers, by parameter: arrays, and how many steps it has seen
    """

    def __init__(self, params: Iterable[Tensor] | Iterable[Group], **options: Any) -> None:
        self.param_groups = make_groups(params, options)
        self.state: dict[Tensor, dict[str, Any]] = {p: {} for p in self.parameters()}
        self._scratch: dict[tuple, Array] = {}

    def parameters(self) -> list[Tensor]:
        """The parameters of all groups."""
        return [p for group in self.param_groups for p in group["params"]]

    @property
    def lr(self) -> float:
        """The learning rate of the first group; setting it sets that of every group."""
        return self.param_groups[0]["lr"]

    @lr.setter
    def lr(self, lr: float) -> None:
        """Set the learning rate of every group."""
        check_options({"lr": lr})
        for group in self.param_groups:
            group["lr"] = float(lr)

    def step(self) -> None:
        """Move every parameter that has a gradient; leave the others, and their state, alone."""
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self.update(p, p.grad, self.state[p], group)

    def update(self, p: Tensor, g: Array, state: dict[str, Any], options: Group) -> None:
        """Move p, whose gradient is g. Every optimizer defines its own."""
        name = type(self).__name__
        raise TypeError(f"{name}: expected a method update, got none")

    def zero_grad(self) -> None:
        """Forget the gradient of every parameter."""
        for p in self.parameters():
            p.zero_grad()

    def state_dict(self) -> dict[str, Any]:
        """All that a later step depends on, with parameters by their number; arrays are copied.

        "state" holds a dict of arrays and numbers for each parameter, "param_groups" the options.
        """
        number = {p: i for i, p in enumerate(self.parameters())}
        return {
            "state": {
                number[p]: {
                    key: value.copy() if isinstance(value, np.ndarray) else value
                    for key, value in remembered.items()
                }
                for p, remembered in self.state.items()
            },
            "param_groups": [
                {**group, "params": [number[p] for p in group["params"]]}
                for group in self.param_groups
            ],
        }

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on where the optimizer of `saved` stood. The arrays are copied.

        Raises:    ValueError: if the groups or the parameters are not as many, or a remembered
                   array has another shape. TypeError: if `saved` is no such state. Nothing is
                   loaded then.
        """
        check_saved(self.param_groups, saved)
        parameters = self.parameters()
        for group, options in zip(self.param_groups, saved["param_groups"]):
            group.update({**options, "params": group["params"]})
        for i, remembered in saved["state"].items():
            self.state[parameters[i]] = {
                key: np.array(value) if isinstance(value, np.ndarray) else value
                for key, value in remembered.items()
            }

    def scratch(self, p: Tensor, number: int = 0) -> Array:
        """An array like p to compute in, the same one for every step; its content is undefined."""
        key = (p.shape, p.dtype, number)
        if key not in self._scratch:
            self._scratch[key] = np.empty_like(p.data)
        return self._scratch[key]


def make_groups(params: Iterable[Tensor] | Iterable[Group], options: Group) -> list[Group]:
    """The parameters as groups, each with its own options in place of the common ones.

    Raises:    ValueError: if there is no parameter, or one comes twice. TypeError: if something
               is no Tensor, or an option is none of this optimizer.
    """
    check_list(params)
    items: list[Any] = list(params)
    if not items or not isinstance(items[0], dict):
        items = [{"params": items}]
    check_group_dicts(items)
    groups = [{**options, **group, "params": list(group["params"])} for group in items]
    check_groups(groups, options)
    return groups
