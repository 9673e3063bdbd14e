"""Checks at the door of optimizers and training loops, before anything is computed."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from stage2_tensor import Tensor
from stage3_nn import check_real, check_sizes

Array = np.ndarray
Group = dict[str, Any]


def check_finite(op: str, **numbers: float) -> None:
    """Refuse NaN and infinity: `check_finite("cosine", peak=peak)`.

    Raises:    ValueError: if there is one. TypeError: if it is no number.
    """
    check_real(op, **numbers)
    for name, number in numbers.items():
        if not math.isfinite(number):
            raise ValueError(f"{op}: expected a finite {name}, got {number}")


def check_decay(op: str, **decays: float) -> None:
    """Refuse what is not from 0 to below 1: with 1, a running mean never moves.

    Raises:    ValueError: if there is one. TypeError: if it is no number.
    """
    check_real(op, **decays)
    for name, decay in decays.items():
        if not 0 <= decay < 1:
            raise ValueError(f"{op}: expected {name} from 0 to below 1, got {decay}")


def finite(g: Array | float) -> bool:
    """True if no number is infinite or NaN."""
    return bool(np.isfinite(g).all())


def not_finite(params: Iterable[Tensor]) -> FloatingPointError:
    """The error for gradients that are not finite: it names the first."""
    i, p = next((i, p) for i, p in enumerate(params) if p.grad is not None and not finite(p.grad))
    name = p.label or f"number {i}, of shape {p.shape},"
    return FloatingPointError(
        f"clip_grad_norm: expected finite gradients, got NaN or infinity in parameter {name} "
        "first; find_break(loss) shows where it came from"
    )


def read_parameters(op: str, parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    """A list of Tensors; a single one is a list of one.

    Raises:    TypeError: if it is a model, or something in it is no Tensor.
    """
    if isinstance(parameters, Tensor):
        return [parameters]
    several = isinstance(parameters, Iterable) and getattr(parameters, "shape", None) != ()
    params: list = [*parameters] if several else [parameters]
    for p in params:
        if not isinstance(p, Tensor):
            raise TypeError(f"{op}: expected Tensors, got {p!r}; pass model.parameters()")
    return params


def check_norm_type(norm_type: float) -> None:
    """Refuse what is no norm.

    Raises:    ValueError: if it is not above 0. TypeError: if it is no number.
    """
    check_real("clip_grad_norm", norm_type=norm_type)
    if not norm_type > 0:
        raise ValueError(f"clip_grad_norm: expected a norm_type above 0, got {norm_type}")


def check_turns(parts: tuple, then: object) -> None:
    """Refuse schedules that cannot follow each other.

    Raises:    TypeError: if a part is no pair of a number of steps and a schedule, or `then` is
               none. ValueError: if a number of steps is negative.
    """
    for part in (*parts, (0, then)):
        if not isinstance(part, tuple | list) or len(part) != 2 or not callable(part[1]):
            raise TypeError(
                f"in_turn: expected pairs (steps, schedule) and then=schedule, got {part!r}; "
                "write in_turn((100, linear_warmup(1e-3, 100)), then=constant(1e-3))"
            )
        check_sizes("in_turn", steps=part[0])


# Optimizers.


def check_list(params: object) -> None:
    """Refuse a single Tensor, or a model, where a list of parameters belongs, and half a group.

    Raises:    TypeError: if it is no list, or a group in it has no list of parameters.
    """
    shapeless = getattr(params, "shape", None) == ()  # an array of NumPy's without axes
    if isinstance(params, Tensor) or shapeless or not isinstance(params, Iterable):
        raise TypeError(
            f"optimizer: expected a list of Tensors, got one {type(params).__name__}; "
            "pass model.parameters(), or [x] for a single Tensor x"
        )


def check_group_dicts(groups: list) -> None:
    """Refuse a list of groups unless each is a dict with a list of parameters.

    Raises:    TypeError: if one is not.
    """
    for group in groups:
        if not isinstance(group, dict) or not isinstance(group.get("params"), Iterable):
            raise TypeError(
                f'optimizer: expected groups as {{"params": [...], "lr": 0.1}}, got {group!r}'
            )


def check_groups(groups: list[Group], options: Group) -> None:
    """Refuse groups without parameters, the same one twice, and options that are none of these.

    Raises:    ValueError: if there is no parameter, or one comes twice. TypeError: if something
               is no Tensor, or an option is unknown.
    """
    parameters = [p for group in groups for p in group["params"]]
    if not parameters:
        raise ValueError("optimizer: expected at least one parameter, got none")
    for p in parameters:
        if not isinstance(p, Tensor):
            raise TypeError(f"optimizer: expected Tensors, got {p!r}; pass model.parameters()")
    if len(set(map(id, parameters))) < len(parameters):
        raise ValueError("optimizer: expected every parameter once, got one twice")
    unknown = {key for group in groups for key in group} - {*options, "params"}
    if unknown:
        known, got = ", ".join(options), ", ".join(sorted(unknown))
        raise TypeError(f"optimizer: expected the options {known}, got {got}")
    for group in groups:
        check_options(group)


def check_options(group: Group) -> None:
    """Refuse options that cannot be meant, such as a negative learning rate.

    Raises:    TypeError: if one is no number. ValueError: if it is out of range.
    """
    for key, value in group.items():
        if key == "params":
            continue
        numbers = value if key == "betas" and isinstance(value, tuple | list) else [value]
        if len(numbers) != (2 if key == "betas" else 1) or not all(map(is_number, numbers)):
            kind = "two numbers" if key == "betas" else "a number"
            mend = "; a schedule goes to the Trainer" if callable(value) else ""
            raise TypeError(f"optimizer: expected {key} as {kind}, got {value!r}{mend}")
        if key in ("betas", "momentum", "alpha") and any(not 0 <= x < 1 for x in numbers):
            raise ValueError(f"optimizer: expected {key} from 0 to below 1, got {value}")
        if not all(x >= 0 for x in numbers):
            raise ValueError(f"optimizer: expected {key} of at least 0, got {value}")
        if not all(x <= sys.float_info.max for x in numbers):
            raise ValueError(f"optimizer: expected a finite {key}, got {value}")


def is_number(x: object) -> bool:
    """True for a single number of Python or NumPy, True and False among them."""
    if isinstance(x, np.generic | np.ndarray):
        return x.dtype.kind in "fiub" and x.ndim == 0
    return isinstance(x, int | float)


def check_saved(groups: list[Group], saved: dict[str, Any]) -> None:
    """Refuse the saved state of another optimizer, or of another model.

    Raises:    ValueError: if the groups or the parameters are not as many, the options are
               others, or a remembered array has another shape. TypeError: if it is no such state.
    """
    try:
        whole = all(isinstance(group["params"], list) for group in saved["param_groups"])
        whole = whole and all(isinstance(kept, dict) for kept in saved["state"].values())
    except (TypeError, LookupError, AttributeError):
        whole = False
    if not whole:
        raise TypeError("load_state_dict: expected what state_dict gives, got something else")
    sizes = [len(group["params"]) for group in groups]
    found = [len(group["params"]) for group in saved["param_groups"]]
    if sizes != found:
        raise ValueError(
            f"load_state_dict: expected groups of {sizes} parameters, got {found}; "
            "build the optimizer as it was when it was saved"
        )
    for mine, theirs in zip(groups, saved["param_groups"]):
        if mine.keys() != theirs.keys():
            raise ValueError(
                f"load_state_dict: expected the options {', '.join(mine)}, got {', '.join(theirs)}"
            )
    parameters = [p for group in groups for p in group["params"]]
    for i, remembered in saved["state"].items():
        if i not in range(len(parameters)):
            raise ValueError(
                f"load_state_dict: expected parameters 0 to {len(parameters) - 1}, got {i!r}"
            )
        for key, value in remembered.items():
            if np.shape(value) not in ((), parameters[i].shape):
                raise ValueError(
                    f"load_state_dict: expected {key} of parameter {i} to have shape "
                    f"{parameters[i].shape}, got {np.shape(value)}"
                )
