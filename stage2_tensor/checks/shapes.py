"""Refusals of the operations that broadcast, move or multiply axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index

import numpy as np

from stage2_tensor.checks.shape_errors import clash

Shape = tuple[int, ...]
LARGEST = 2**40  # a size beyond it is a slip: NumPy would say so in words of its own


def read_sizes(op: str, shape: tuple) -> Shape:
    """The numbers of a shape; `f(2, 3)` and `f((2, 3))` mean the same.

    Raises:    TypeError: if they are not whole numbers. ValueError: if one is beyond any memory.
    """
    given = shape[0] if len(shape) == 1 and isinstance(shape[0], Sequence | np.ndarray) else shape
    try:
        found = tuple(index(n) for n in given)
    except TypeError:
        raise TypeError(
            f"{op}: expected whole numbers, got {given}; write them as in {op}(2, 3)"
        ) from None
    if max(found, default=0) > LARGEST:
        raise ValueError(f"{op}: expected sizes that a memory can hold, got {found}")
    return found


def read_lengths(op: str, shape: tuple) -> Shape:
    """The sizes of axes that are to be made.

    Raises:    TypeError: if they are not whole numbers. ValueError: if one is negative.
    """
    new = read_sizes(op, shape)
    if any(n < 0 for n in new):
        raise ValueError(f"{op}: expected sizes >= 0, got {new}; only reshape works out a -1")
    return new


def is_size(n: object) -> bool:
    """True for a whole number."""
    return isinstance(n, int | np.integer)


def check_shapes(op: str, shapes: Sequence[Shape]) -> None:
    """Refuse what is no shape.

    Raises:    TypeError: if one of them is no tuple or list of whole numbers.
    """
    for shape in shapes:
        sequence = isinstance(shape, tuple | list)
        if not sequence or not all(map(is_size, shape)):
            raise TypeError(
                f"{op}: expected shapes, which are tuples of sizes, got {shape!r}; "
                "a single axis is written (3,)"
            )


def check_broadcast(op: str, a: Shape, b: Shape) -> None:
    """Refuse shapes that do not broadcast, with a message that draws them.

    Raises:    ValueError: if an axis has two sizes that are not 1.
    """
    if a == b:
        return
    for n, m in zip(reversed(a), reversed(b)):
        if n != m and n != 1 and m != 1:
            raise clash(op, a, b)


def check_sum_down(g: np.ndarray, shape: Shape) -> None:
    """Refuse to sum a gradient down to a shape that does not broadcast to its own.

    Raises:    ValueError: if an axis of `shape` is neither 1 nor that of g. TypeError: if these
               are no array and no tuple.
    """
    numbers = isinstance(g, np.ndarray | np.generic) and g.dtype.kind in "fiub"
    if not numbers or not isinstance(shape, tuple) or not all(map(is_size, shape)):
        raise TypeError(f"unbroadcast: expected an array and a shape, got {g!r} and {shape!r}")
    added = g.ndim - len(shape)
    if added < 0 or any(n not in (1, m) for n, m in zip(shape, g.shape[added:])):
        raise ValueError(
            f"unbroadcast: expected a shape that broadcasts to {g.shape}, got {shape}; "
            "a vjp returns a gradient of the shape of its output or its input"
        )


def check_axis(op: str, shape: Shape, axis: int, added: int = 0) -> None:
    """Refuse what is no axis of a shape that has `added` axes more.

    Raises:    ValueError: if there is no such axis.
    """
    ndim = len(shape) + added
    if ndim == 0:
        raise ValueError(
            f"{op}: expected a Tensor that has axes, got shape (); reshape(1) gives it one"
        )
    whole = type(axis) is int or isinstance(axis, np.integer)
    if not whole or not -ndim <= axis < ndim:
        raise ValueError(
            f"{op}: expected an axis from {-ndim} to {ndim - 1}, got {axis!r} for {shape}"
        )


def read_axes(op: str, shape: Shape, axis: int | tuple[int, ...] | None) -> tuple[int, ...]:
    """The named axes as a tuple, each of which exists; () for None.

    Raises:    ValueError: if there is no such axis, or one is named twice.
    """
    axes = axis if isinstance(axis, tuple) else () if axis is None else (axis,)
    for a in axes:
        check_axis(op, shape, a)
    if len(axes) > 1 and len({a % len(shape) for a in axes}) < len(axes):
        raise ValueError(f"{op}: expected different axes, got axis={axis} for {shape}")
    return axes


def check_reshape(old: Shape, new: Shape) -> None:
    """Refuse a shape that the elements do not fill.

    Raises:    ValueError: if it has another number of elements, or two sizes left open.
    """
    size = math.prod(old)
    known = math.prod(n for n in new if n != -1)
    unknown = new.count(-1)
    fits = known == size if not unknown else known and size % known == 0
    if unknown > 1 or not fits or any(n < -1 for n in new):
        raise ValueError(
            f"reshape: expected a shape of {size} elements, got {new} for {old}; "
            "let one size be -1 to have it computed"
        )


def check_order(shape: Shape, order: tuple[int, ...]) -> None:
    """Refuse an order of axes that leaves one out, or names one twice.

    Raises:    ValueError: if `order` does not name every axis once.
    """
    ndim = len(shape)
    if sorted(a + ndim if a < 0 else a for a in order) != list(range(ndim)):
        raise ValueError(
            f"transpose: expected each of the {ndim} axes once, got {order} for {shape}; "
            "swapaxes exchanges two of them"
        )


def check_squeeze(shape: Shape, axes: tuple[int, ...]) -> None:
    """Refuse to leave out an axis that holds several elements, or none.

    Raises:    ValueError: if a named axis is not of size 1.
    """
    for a in axes:
        if shape[a] != 1:
            raise ValueError(
                f"squeeze: expected axes of size 1, got axis {a} of {shape}; "
                "index it or reduce it instead"
            )


def check_broadcast_to(old: Shape, new: Shape) -> None:
    """Refuse a shape that the old one does not broadcast to.

    Raises:    ValueError: if an axis is neither 1 nor that of the new shape.
    """
    added = len(new) - len(old)
    fits = all(n in (1, m) for n, m in zip(old, new[added:]))
    if added < 0 or not fits or any(n < 0 for n in new):
        raise ValueError(f"broadcast_to: expected a shape that {old} broadcasts to, got {new}")


def read_widths(shape: Shape, widths: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The widths of the padding, as a pair of Python's integers per axis.

    Raises:    ValueError: if there is not one pair of widths >= 0 per axis, or no axis.
    """
    check_axis("pad", shape, 0)
    try:
        pairs = [(index(before), index(after)) for before, after in widths]
    except (TypeError, ValueError):
        pairs = []
    if len(pairs) != len(shape) or any(n < 0 for pair in pairs for n in pair):
        raise ValueError(
            f"pad: expected {len(shape)} pairs (before, after) of numbers >= 0 for {shape}, "
            f"got {widths}; (0, 0) leaves an axis as it is"
        )
    return pairs


def check_matmul(a: Shape, b: Shape) -> None:
    """Refuse shapes that have no matrix product.

    Raises:    ValueError: if the two K differ, or an input is a single number.
    """
    rule = "(..., N, K) @ (..., K, M)"
    if len(a) == 0 or len(b) == 0:
        raise ValueError(f"matmul: expected {rule}, got {a} @ {b}; use * for a single number")
    inner = b[-2] if len(b) > 1 else b[0]
    if a[-1] != inner:
        fix = ""
        if len(b) > 1 and a[-1] == b[-1]:
            fix = "; did you mean to transpose b, a @ b.swapaxes(-1, -2)?"
        elif len(a) > 1 and a[-2] == inner:
            fix = "; did you mean to transpose a, a.swapaxes(-1, -2) @ b?"
        raise ValueError(f"matmul: expected {rule}, got {a} @ {b}: K is {a[-1]} and {inner}{fix}")
    check_broadcast("matmul", a[:-2], b[:-2])
