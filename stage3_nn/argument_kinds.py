"""The kinds of arguments that functions take, told in a sentence where another kind comes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sized
from numbers import Real

import numpy as np

from stage2_tensor import Tensor


def check_number(op: str, **numbers: float) -> None:
    """Refuse what is no single real number: `check_number("Dropout", p=p)`.

    Raises:    TypeError: if it is something else.
    """
    for name, number in numbers.items():
        if not isinstance(number, Real):
            raise TypeError(f"{op}: expected {name} as a number, got {number!r}")


def check_flag(op: str, **flags: bool) -> None:
    """Refuse what is neither True nor False: `check_flag("SGD", nesterov=nesterov)`.

    Raises:    TypeError: if it is something else.
    """
    for name, flag in flags.items():
        if not isinstance(flag, bool | np.bool):
            raise TypeError(f"{op}: expected {name} True or False, got {flag!r}")


def check_callable(op: str, **functions: object) -> None:
    """Refuse what is neither None nor a function: `check_callable("DataLoader", length=length)`.

    Raises:    TypeError: if it is something else.
    """
    for name, function in functions.items():
        if function is not None and not callable(function):
            raise TypeError(f"{op}: expected {name} as a function, got {function!r}")


def check_tensor(op: str, **tensors: Tensor) -> None:
    """Refuse what is no Tensor: `check_tensor("mse_loss", x=x)`.

    Raises:    TypeError: if it is something else.
    """
    for name, x in tensors.items():
        if not isinstance(x, Tensor):
            raise TypeError(f"{op}: expected {name} as a Tensor, got {x!r}")


def check_numeric(op: str, **arrays: object) -> None:
    """Refuse what is neither a Tensor nor an array of real numbers.

    Raises:    TypeError: if it is something else.
    """
    for name, x in arrays.items():
        if not isinstance(x, Tensor | np.ndarray) or x.dtype.kind not in "fiub":
            raise TypeError(f"{op}: expected {name} as a Tensor or an array of numbers, got {x!r}")


def check_items(op: str, **collections: object) -> None:
    """Refuse what has no items and no length: `check_items("pad", rows=rows)`.

    Raises:    TypeError: if it has none.
    """
    for name, items in collections.items():
        shapeless = isinstance(items, str | bytes) or getattr(items, "shape", None) == ()
        if shapeless or not (isinstance(items, Iterable) and isinstance(items, Sized)):
            raise TypeError(f"{op}: expected {name} with a length and items, got {items!r}")


def check_iterable(op: str, **collections: object) -> None:
    """Refuse what has no items: `check_iterable("ModuleList", modules=modules)`.

    Raises:    TypeError: if it has none.
    """
    for name, items in collections.items():
        if not isinstance(items, Iterable) or getattr(items, "shape", None) == ():
            raise TypeError(f"{op}: expected {name} as a list, got {items!r}")


def check_model(op: str, model: object) -> None:
    """Refuse what has no named parameters: `check_model("gradient_report", model)`.

    Raises:    TypeError: if it is no Module.
    """
    if not hasattr(model, "named_parameters"):
        raise TypeError(f"{op}: expected a Module, got {model!r}")


def check_path(op: str, path: object) -> None:
    """Refuse what names no file.

    Raises:    TypeError: if it is no string and no Path.
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{op}: expected the path of a file, got {path!r}")
