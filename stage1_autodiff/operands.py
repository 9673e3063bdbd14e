"""Which numbers a Value takes; what it refuses, it refuses in words."""

import math
from numbers import Real


def as_float(x: float) -> float:
    """x as a Python float; any real number will do, NumPy's scalars among them.

    Raises:    TypeError: if x is not a real number.
    """
    if not isinstance(x, Real):
        raise TypeError(f"Value: expected a real number, got {x!r}; convert it with float() first")
    return float(x)


def check_finite(op: str, x: float) -> None:
    """Refuse an infinite operand, of which the operation has no value."""
    if math.isinf(x):
        raise ValueError(f"{op}: expected a finite number, got {x}; look where it became infinite")
