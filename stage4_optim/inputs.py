"""Checks at the door of optimizers and training loops, before anything is computed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sized
from pathlib import Path
from typing import Any

import numpy as np

from stage2_tensor import Tensor
from stage3_nn import Module, check_callable, check_not_negative, check_real, check_sizes

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
    params: list = [*parameters] if isinstance(parameters, Iterable) else [parameters]
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
        numbers = value if isinstance(value, tuple | list) else [value]
        if len(numbers) != (2 if key == "betas" else 1) or not all(map(is_number, numbers)):
            kind = "two numbers" if key == "betas" else "a number"
            mend = "; a schedule goes to the Trainer" if callable(value) else ""
            raise TypeError(f"optimizer: expected {key} as {kind}, got {value!r}{mend}")
        if key in ("betas", "momentum", "alpha") and any(not 0 <= x < 1 for x in numbers):
            raise ValueError(f"optimizer: expected {key} from 0 to below 1, got {value}")
        if not all(x >= 0 for x in numbers):
            raise ValueError(f"optimizer: expected {key} of at least 0, got {value}")
        if math.inf in numbers:
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


# Training.


def check_model(op: str, model: object) -> None:
    """Refuse what is no model.

    Raises:    TypeError: if it is no Module.
    """
    if not isinstance(model, Module):
        raise TypeError(f"{op}: expected a Module, got {model!r}")


def check_optimizer(optimizer: object) -> None:
    """Refuse what moves no parameters.

    Raises:    TypeError: if it is no optimizer.
    """
    if not hasattr(optimizer, "param_groups"):
        raise TypeError(f"find_lr: expected an optimizer, got {optimizer!r}")


def check_loop_options(schedule: object, max_norm: float, average: object) -> None:
    """Refuse options of a training loop that it could not use in its first step.

    Raises:    TypeError: if one is of another kind. ValueError: if max_norm is negative or NaN.
    """
    check_callable("Trainer", schedule=schedule)
    check_not_negative("Trainer", max_norm=max_norm)
    if average is not None and not hasattr(average, "applied"):
        raise TypeError(f"Trainer: expected an ExponentialMovingAverage, got {average!r}")


def check_settings(settings: object) -> None:
    """Refuse settings that have no names.

    Raises:    TypeError: if they are no dict.
    """
    if settings is not None and not isinstance(settings, Mapping):
        raise TypeError(f'Trainer: expected settings as {{"preset": "small"}}, got {settings!r}')


def check_limits(steps: int | None, epochs: int | None, minutes: float | None) -> None:
    """Refuse limits that are never reached, as NaN is not.

    Raises:    TypeError: if one is no number, or half a step. ValueError: if it is negative,
               infinite or NaN.
    """
    counts = {"steps": steps, "epochs": epochs}
    check_sizes("fit", **{name: n for name, n in counts.items() if n is not None})
    if minutes is not None:
        check_finite("fit", minutes=minutes)
        check_not_negative("fit", minutes=minutes)


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
