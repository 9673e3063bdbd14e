"""Refusals of the options that many operations have: a number, a yes or no."""

from __future__ import annotations

import reprlib
from numbers import Real

import numpy as np


def check_real(op: str, **numbers: float) -> None:
    """Refuse what is no single real number: `check_real("normal", std=std)`.

    Raises:    TypeError: if it is text, None, an array or something else. ValueError: if it is
               too large for a float.
    """
    for name, number in numbers.items():
        if type(number) is float:
            continue
        if not isinstance(number, int | np.integer | float | np.floating | np.bool):
            fix = "; convert it with float()" if isinstance(number, Real) else ""
            raise TypeError(f"{op}: expected {name} to be a number, got {number!r}{fix}")
        try:
            float(number)
        except OverflowError:
            raise ValueError(
                f"{op}: expected {name} below 1.8e308, got {reprlib.repr(number)}"
            ) from None


def check_flag(op: str, **flags: bool) -> None:
    """Refuse what is neither True nor False: `check_flag("SGD", nesterov=nesterov)`.

    Raises:    TypeError: if it is something else.
    """
    for name, flag in flags.items():
        if not isinstance(flag, bool | np.bool):
            raise TypeError(f"{op}: expected {name} True or False, got {flag!r}")
