"""Refusals of the operations that make one number out of many."""

from __future__ import annotations

import math
from typing import TypeAlias

from stage2_tensor.checks.options import check_real
from stage2_tensor.checks.shapes import Shape, check_axis, read_axes

Axis: TypeAlias = int | tuple[int, ...] | None


def reduced_axes(op: str, shape: Shape, axis: Axis, keepdims: bool = False) -> tuple[int, ...]:
    """The axes to reduce, counted from 0.

    Raises:    ValueError: if an axis does not exist or is named twice. TypeError: for a list, and
               for `keepdims` that is neither True nor False, as in sum(0, 1).
    """
    if not isinstance(keepdims, bool):
        raise TypeError(
            f"{op}: expected keepdims True or False, got {keepdims!r}; "
            "several axes are one tuple, axis=(0, 1)"
        )
    if axis is None:
        return tuple(range(len(shape)))
    if isinstance(axis, list):
        raise TypeError(f"{op}: expected axes in a tuple, got {axis}; write axis={tuple(axis)}")
    return tuple(a % len(shape) for a in read_axes(op, shape, axis))


def check_some(op: str, shape: Shape, axes: tuple[int, ...], correction: float = 0) -> None:
    """Refuse to make one number out of none, or out of no more than the correction takes away.

    Raises:    ValueError: if the axes do not hold more numbers than that. TypeError: if the
               correction is no number.
    """
    if type(correction) is not int or correction < 0:
        check_real(op, correction=correction)
        if not correction > -math.inf:
            raise TypeError(f"{op}: expected correction to be a number, got {correction!r}")
    n = math.prod([shape[a] for a in axes])
    if n == 0 or n <= correction:
        rule = f"more than correction={correction} elements" if n else "at least one element"
        raise ValueError(f"{op}: expected {rule}, got {n} in shape {shape}")


def check_choice(op: str, shape: Shape, axis: int | None, keepdims: bool = False) -> None:
    """Refuse what `argmax` cannot choose along: it knows one axis, or None.

    Raises:    ValueError: if there is no such axis, or nothing to choose from.
    """
    if axis is not None:
        check_axis(op, shape, axis)
    check_some(op, shape, reduced_axes(op, shape, axis, keepdims))
