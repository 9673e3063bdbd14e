"""The numbers that a Value and its operations take, and the errors for all others."""

import math
import reprlib
from numbers import Real


def as_float(x: float) -> float:
    """x as a Python float; any real number will do, NumPy's scalars among them.

    Raises:    TypeError: if x is not a real number. ValueError: if it is too large for a float.
    """
    if not isinstance(x, Real):
        raise TypeError(f"Value: expected a real number, got {x!r}; convert it with float() first")
    try:
        return float(x)
    except OverflowError:
        raise ValueError(f"Value: expected a number below 1.8e308, got {reprlib.repr(x)}") from None


def check_finite(op: str, x: float) -> None:
    """Refuse an infinite operand, of which the operation has no value."""
    if math.isinf(x):
        raise ValueError(f"{op}: expected a finite number, got {x}")


def division_by_zero(a: float, b: float) -> ZeroDivisionError:
    """The error for a / b where b is 0."""
    return ZeroDivisionError(
        f"div: expected a non-zero denominator, got {a} / {b}; "
        "add a small number to the denominator"
    )


def root_of_negative(a: float, b: float) -> ValueError:
    """The error for a ** b where a is negative and b is no whole number."""
    return ValueError(
        f"pow: expected a base >= 0 for a fractional exponent, got ({a}) ** {b}; "
        "take abs() of the base"
    )


def zero_to_negative_power(a: float, b: float) -> ZeroDivisionError:
    """The error for a ** b where a is 0 and b is negative."""
    return ZeroDivisionError(
        f"pow: expected a non-zero base for a negative exponent, got {a} ** {b}; "
        "add a small number to the base"
    )
