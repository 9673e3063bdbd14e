"""The kinds of arguments that functions take, told in a sentence where another kind comes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sized

from stage2_tensor import Tensor
from stage2_tensor import check_flag as check_flag
from stage2_tensor import check_real as check_real


def check_items(op: str, **collections: object) -> None:
    """Refuse what has no items and no length: `check_items("pad", rows=rows)`.

    Raises:    TypeError: if it has none.
    """
    for name, items in collections.items():
        shapeless = isinstance(items, str | bytes) or getattr(items, "shape", None) == ()
        if shapeless or not (isinstance(items, Iterable) and isinstance(items, Sized)):
            raise TypeError(f"{op}: expected {name} with a length and items, got {items!r}")


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


def check_tensor(op: str, x: object) -> None:
    """Refuse what is no Tensor, where its methods are needed.

    Raises:    TypeError: if it is an array, a list, or something else.
    """
    if not isinstance(x, Tensor):
        raise TypeError(f"{op}: expected a Tensor, got a {type(x).__name__}; write Tensor(x)")


def check_callable(op: str, **functions: object) -> None:
    """Refuse what cannot be called; None stands for an option that was left out.

    Raises:    TypeError: if it is no function.
    """
    for name, function in functions.items():
        if function is not None and not callable(function):
            raise TypeError(f"{op}: expected {name} to be a function, got {function!r}")


def check_list(op: str, things: object) -> None:
    """Refuse one thing where several belong.

    Raises:    TypeError: if it cannot be gone through.
    """
    if not isinstance(things, Iterable) or getattr(things, "shape", None) == ():
        raise TypeError(f"{op}: expected a list, got {things!r}")
