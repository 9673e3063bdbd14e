"""Checks at the door of training loops and their checkpoints, before anything is computed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sized
from pathlib import Path
from typing import Any

from stage2_tensor import Tensor
from stage3_nn import Module, check_callable, check_not_negative, check_sizes
from stage4_optim.inputs import check_finite


def check_model(op: str, model: object) -> None:
    """Refuse what is no model.

    Raises:    TypeError: if it is no Module.
    """
    if not isinstance(model, Module):
        raise TypeError(f"{op}: expected a Module, got {model!r}")


def check_optimizer(op: str, optimizer: object, loss: object) -> None:
    """Refuse what moves no parameters, and what gives no loss to move them by.

    Raises:    TypeError: if it is no optimizer, or the loss no function.
    """
    if not hasattr(optimizer, "param_groups"):
        raise TypeError(f"{op}: expected an optimizer, got {optimizer!r}")
    if not callable(loss):
        raise TypeError(f"{op}: expected a function that returns the loss, got {loss!r}")


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


def check_patience(patience: int | None, evaluate: object) -> None:
    """Refuse to wait for better evaluations where there are none.

    Raises:    ValueError: if there is patience and nothing that evaluates.
    """
    if patience is not None and evaluate is None:
        raise ValueError(
            "Trainer: expected evaluate for patience to count, got None; "
            'pass a function that returns {"loss": ...}'
        )


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


def no_tensor(loss: object, op: str = "Trainer") -> TypeError:
    """The error for a loss that has left the graph, or was never returned."""
    mend = "is a return missing?" if loss is None else "leave out .item()"
    return TypeError(
        f"{op}: expected a Tensor from loss(model, batch), or a pair of it and a count, "
        f"got {loss!r}; {mend}"
    )
