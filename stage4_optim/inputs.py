"""Checks at the door of optimizers and training loops, before anything is computed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sized
from pathlib import Path
from typing import Any

import numpy as np

from stage2_tensor import Tensor
from stage3_nn import Module, check_iterable, check_number, check_sizes, check_tensor

Array = np.ndarray
Group = dict[str, Any]


def check_not_negative(op: str, **numbers: float) -> None:
    """Refuse numbers below 0, and NaN: `check_not_negative("clip_grad_norm", max_norm=n)`.

    Raises:    ValueError: if there is one.
    """
    check_number(op, **numbers)
    for name, number in numbers.items():
        if not number >= 0:
            raise ValueError(f"{op}: expected {name} of at least 0, got {number}")


def check_above_zero(op: str, **numbers: float) -> None:
    """Refuse 0, numbers below it, and NaN.

    Raises:    TypeError: if one is no number. ValueError: if one is not above 0.
    """
    check_number(op, **numbers)
    for name, number in numbers.items():
        if not number > 0:
            raise ValueError(f"{op}: expected {name} above 0, got {number}")


def check_decay(op: str, **decays: float) -> None:
    """Refuse what is not from 0 to below 1: with 1, a running mean never moves.

    Raises:    ValueError: if there is one.
    """
    check_number(op, **decays)
    for name, decay in decays.items():
        if not 0 <= decay < 1:
            raise ValueError(f"{op}: expected {name} from 0 to below 1, got {decay}")


def read_tensors(op: str, parameters: Iterable[Tensor]) -> list[Tensor]:
    """The Tensors of a list or a generator.

    Raises:    TypeError: if it is none, or something in it is no Tensor.
    """
    check_iterable(op, parameters=parameters)
    found = list(parameters)
    check_tensor(op, **{f"parameter {i}": p for i, p in enumerate(found)})
    return found


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


# Optimizers.


def check_list(params: object) -> None:
    """Refuse a single Tensor, or a model, where a list of parameters belongs.

    Raises:    TypeError: if it is no list.
    """
    shapeless = getattr(params, "shape", None) == ()  # an array of NumPy's without axes
    if isinstance(params, Tensor) or shapeless or not isinstance(params, Iterable):
        raise TypeError(
            f"optimizer: expected a list of Tensors, got one {type(params).__name__}; "
            "pass model.parameters(), or [x] for a single Tensor x"
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
        numbers = value if isinstance(value, tuple | list) else [value]
        if len(numbers) != (2 if key == "betas" else 1) or not all(map(is_number, numbers)):
            kind = "two numbers" if key == "betas" else "a number"
            mend = "; a schedule goes to the Trainer" if callable(value) else ""
            raise TypeError(f"optimizer: expected {key} as {kind}, got {value!r}{mend}")
        if key in ("betas", "momentum", "alpha") and any(not 0 <= x < 1 for x in numbers):
            raise ValueError(f"optimizer: expected {key} from 0 to below 1, got {value}")
        if not all(x >= 0 for x in numbers):
            raise ValueError(f"optimizer: expected {key} of at least 0, got {value}")


def is_number(x: object) -> bool:
    """True for a single number of Python or NumPy, True and False among them."""
    if isinstance(x, np.generic | np.ndarray):
        return x.dtype.kind in "fiub" and x.ndim == 0
    return isinstance(x, int | float)


def check_saved(groups: list[Group], saved: dict[str, Any]) -> None:
    """Refuse the saved state of another optimizer, or of another model.

    Raises:    ValueError: if the groups or the parameters are not as many, the options are
               others, or a remembered array has another shape.
    """
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
        for key, value in remembered.items():
            if np.shape(value) not in ((), parameters[i].shape):
                raise ValueError(
                    f"load_state_dict: expected {key} of parameter {i} to have shape "
                    f"{parameters[i].shape}, got {np.shape(value)}"
                )


# Training.


def check_run(model: Module, parameters: list[Tensor], data: Sized, accumulate: int) -> None:
    """Refuse data without batches, and an optimizer that moves none of this model's parameters.

    Raises:    TypeError: if the data have no length. ValueError: for the others.
    """
    if not hasattr(data, "__len__"):
        raise TypeError(
            f"Trainer: expected data with a length, got a {type(data).__name__}; make it a list"
        )
    if not len(data):
        raise ValueError(
            "Trainer: expected at least one batch of data, got none; with drop_last a batch "
            "that is not full is left out"
        )
    check_sizes("Trainer", 1, accumulate=accumulate)
    if not {*map(id, parameters)} & {*map(id, model.parameters())}:
        raise ValueError(
            "Trainer: expected an optimizer of this model's parameters, got one of others; "
            "build the model first, then the optimizer"
        )


RUN = {  # the parts of a checkpoint beside its arrays
    "optimizer": dict, "param_groups": list, "generators": dict, "position": dict, "settings": dict
}  # fmt: skip


def read_run(path: Path, words: Mapping[str, str]) -> dict[str, Any]:
    """All that a checkpoint holds beside its arrays.

    Raises:    ValueError: if it is not the checkpoint of a run, or lacks a part.
    """
    if "run" not in words:
        raise ValueError(
            f"resume: expected the checkpoint of a run, got {path}, which holds weights only"
        )
    try:
        run = {"settings": {}, **json.loads(words["run"])}
        missing = [name for name, kind in RUN.items() if not isinstance(run.get(name), kind)]
    except (ValueError, TypeError, RecursionError):
        raise ValueError(f"resume: expected a run as JSON in {path}, got something else") from None
    if missing or "step" not in run["position"]:
        raise ValueError(
            f"resume: expected {', '.join(RUN)} in {path}, got a checkpoint without "
            f"{', '.join(missing or ['the step'])}; it is of another version, so begin a new run"
        )
    return run


def not_this_run(path: Path, error: Exception) -> ValueError:
    """The error for a checkpoint that does not fit the model, the optimizer or the data."""
    return ValueError(f"resume: expected a checkpoint of this run, got {path}: {error}")


def no_tensor(loss: object) -> TypeError:
    """The error for a loss that has left the graph, or was never returned."""
    mend = "is a return missing?" if loss is None else "leave out .item()"
    return TypeError(
        "Trainer: expected a Tensor from loss(model, batch), or a pair of it and a count, "
        f"got {loss!r}; {mend}"
    )
