"""What every optimizer does: walk through the parameters, and remember something about each.

A subclass says in `update` how one parameter moves. It writes into the array of the parameter:
no graph is made, the parameter stays a leaf, and after the first step nothing is allocated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from stage2_tensor import Tensor

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
        raise TypeError(f"{name}: expected a method update, got none; define it")

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
                   array has another shape. Nothing is loaded then.
        """
        sizes = [len(group["params"]) for group in self.param_groups]
        found = [len(group["params"]) for group in saved["param_groups"]]
        if sizes != found:
            raise ValueError(
                f"load_state_dict: expected groups of {sizes} parameters, got {found}; "
                "build the optimizer as it was when it was saved"
            )
        for mine, theirs in zip(self.param_groups, saved["param_groups"]):
            if mine.keys() != theirs.keys():
                raise ValueError(
                    f"load_state_dict: expected the options {', '.join(mine)}, got "
                    f"{', '.join(theirs)}; they are those of another optimizer"
                )
        parameters = self.parameters()
        for i, remembered in saved["state"].items():
            for key, value in remembered.items():
                if np.shape(value) not in ((), parameters[i].shape):
                    raise ValueError(
                        f"load_state_dict: expected {key} of parameter {i} to have shape "
                        f"{parameters[i].shape}, got {np.shape(value)}; is it of another model?"
                    )
        for group, options in zip(self.param_groups, saved["param_groups"]):
            group.update({**options, "params": group["params"]})
        for i, remembered in saved["state"].items():
            self.state[parameters[i]] = {
                key: np.array(value) if isinstance(value, np.ndarray) else value
                for key, value in remembered.items()
            }

    def scratch(self, p: Tensor, number: int = 0) -> Array:
        """An array like p to compute in, the same one for every step; its content is nobody's."""
        key = (p.shape, p.dtype, number)
        if key not in self._scratch:
            self._scratch[key] = np.empty_like(p.data)
        return self._scratch[key]


def make_groups(params: Iterable[Tensor] | Iterable[Group], options: Group) -> list[Group]:
    """The parameters as groups, each with its own options in place of the common ones.

    Raises:    ValueError: if there is no parameter, or one comes twice. TypeError: if something
               is no Tensor, or an option is none of this optimizer.
    """
    if isinstance(params, Tensor) or not isinstance(params, Iterable):
        raise TypeError(
            f"optimizer: expected a list of Tensors, got one {type(params).__name__}; "
            "pass model.parameters(), or [x] for a single Tensor x"
        )
    items: list[Any] = list(params)
    if not items or not isinstance(items[0], dict):
        items = [{"params": items}]
    groups = [{**options, **group, "params": list(group["params"])} for group in items]
    parameters = [p for group in groups for p in group["params"]]
    if not parameters:
        raise ValueError("optimizer: expected at least one parameter, got none; is there a model?")
    for p in parameters:
        if not isinstance(p, Tensor):
            raise TypeError(f"optimizer: expected Tensors, got {p!r}; pass model.parameters()")
    if len(set(map(id, parameters))) < len(parameters):
        raise ValueError(
            "optimizer: expected every parameter once, got one twice; it would move twice"
        )
    unknown = {key for group in groups for key in group} - {*options, "params"}
    if unknown:
        known, got = ", ".join(options), ", ".join(sorted(unknown))
        raise TypeError(f"optimizer: expected the options {known}, got {got}; is it misspelt?")
    for group in groups:
        check_options(group)
    return groups


def check_options(group: Group) -> None:
    """Raise ValueError or TypeError if an option cannot be meant: a negative learning rate."""
    for key, value in group.items():
        if key == "params":
            continue
        numbers = value if isinstance(value, tuple | list) else [value]
        if len(numbers) != (2 if key == "betas" else 1) or not all(map(is_number, numbers)):
            kind = "two numbers" if key == "betas" else "a number"
            raise TypeError(
                f"optimizer: expected {key} as {kind}, got {value!r}; "
                "a schedule goes to the Trainer"
            )
        if key in ("betas", "momentum", "alpha") and any(not 0 <= x < 1 for x in numbers):
            raise ValueError(
                f"optimizer: expected {key} from 0 to below 1, got {value}; 0.9 is usual"
            )
        if not all(x >= 0 for x in numbers):
            raise ValueError(
                f"optimizer: expected {key} of at least 0, got {value}; is its sign wrong?"
            )


def is_number(x: object) -> bool:
    """Whether x is a single number of Python or NumPy, True and False among them."""
    return isinstance(x, int | float | np.generic | np.ndarray) and np.ndim(x) == 0
