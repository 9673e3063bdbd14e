"""Operations that move numbers without changing them. Each is a method of Tensor.

The way back is the opposite move.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

import numpy as np

from stage2_tensor.plain import real_array

if TYPE_CHECKING:
    from stage2_tensor.tensor import Tensor

Array = np.ndarray


def reshape(x: Tensor, *shape: int | tuple[int, ...]) -> Tensor:
    """The same elements, in reading order, in another shape; one size may be -1.

    Raises:    ValueError: if the shape has another number of elements.
    """
    new = sizes("reshape", shape)
    known = math.prod(n for n in new if n != -1)
    unknown = new.count(-1)
    fits = known == x.size if not unknown else known and x.size % known == 0
    if unknown > 1 or not fits or any(n < -1 for n in new):
        raise ValueError(
            f"reshape: expected a shape of {x.size} elements, got {new} for {x.shape}; "
            "let one size be -1 to have it computed"
        )
    old = x.shape
    return x.from_op(x.data.reshape(new), (x, lambda g: g.reshape(old)), op="reshape")


def flatten(x: Tensor) -> Tensor:
    """All elements in one axis."""
    return reshape(x, -1 if x.size else 0)


def transpose(x: Tensor, *axes: int | tuple[int, ...]) -> Tensor:
    """The axes in the given order; in reverse order if none is given.

    Raises:    ValueError: if `axes` does not name every axis once.
    """
    order = sizes("transpose", axes) or tuple(reversed(range(x.ndim)))
    positive = tuple(a + x.ndim if a < 0 else a for a in order)
    if sorted(positive) != list(range(x.ndim)):
        raise ValueError(
            f"transpose: expected each of the {x.ndim} axes once, got {order} for {x.shape}; "
            "swapaxes exchanges two of them"
        )
    back = tuple(int(i) for i in np.argsort(positive))
    return x.from_op(x.data.transpose(positive), (x, lambda g: g.transpose(back)), op="transpose")


def swapaxes(x: Tensor, a: int, b: int) -> Tensor:
    """Axes a and b exchanged."""
    check_axis("swapaxes", x.shape, a)
    check_axis("swapaxes", x.shape, b)
    return x.from_op(x.data.swapaxes(a, b), (x, lambda g: g.swapaxes(a, b)), op="swapaxes")


def squeeze(x: Tensor, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """Without the axes of size 1, or without the named ones.

    Raises:    ValueError: if a named axis has another size.
    """
    axes = axis if isinstance(axis, tuple) or axis is None else (axis,)
    for a in axes or ():
        check_axis("squeeze", x.shape, a)
        if x.shape[a] != 1:
            raise ValueError(
                f"squeeze: expected axes of size 1, got axis {a} of {x.shape}; "
                "index it or reduce it instead"
            )
    old = x.shape
    return x.from_op(x.data.squeeze(axes), (x, lambda g: g.reshape(old)), op="squeeze")


def unsqueeze(x: Tensor, axis: int) -> Tensor:
    """With a new axis of size 1 at that place of the new shape."""
    check_axis("unsqueeze", x.shape, axis, added=1)
    old = x.shape
    return x.from_op(np.expand_dims(x.data, axis), (x, lambda g: g.reshape(old)), op="unsqueeze")


def broadcast_to(x: Tensor, *shape: int | tuple[int, ...]) -> Tensor:
    """x copied along new axes and axes of size 1, up to the given shape.

    Gradient:  dL/dx = g, summed over the copies; the engine does that
    Raises:    ValueError: if x does not broadcast to that shape.
    """
    new = sizes("broadcast_to", shape)
    added = len(new) - x.ndim
    fits = all(n in (1, m) for n, m in zip(x.shape, new[added:]))
    if added < 0 or not fits or any(n < 0 for n in new):
        raise ValueError(
            f"broadcast_to: expected a shape that {x.shape} broadcasts to, got {new}; "
            "axes must be equal or 1, from the right"
        )
    return x.from_op(np.broadcast_to(x.data, new), (x, lambda g: g), op="broadcast_to")


def pad(x: Tensor, widths: Sequence[tuple[int, int]], value: float = 0.0) -> Tensor:
    """x with `value` around it: for each axis (how many before, how many after).

    Raises:    ValueError: if there is not one pair of widths >= 0 per axis.
    """
    try:
        pairs = [(index(before), index(after)) for before, after in widths]
    except (TypeError, ValueError):
        pairs = []
    if len(pairs) != x.ndim or any(n < 0 for pair in pairs for n in pair):
        raise ValueError(
            f"pad: expected {x.ndim} pairs (before, after) of numbers >= 0 for {x.shape}, "
            f"got {widths}; (0, 0) leaves an axis as it is"
        )
    inside = tuple(slice(before, before + n) for (before, _), n in zip(pairs, x.shape))
    y = np.pad(x.data, pairs, constant_values=real_array("pad", value))
    return x.from_op(y, (x, lambda g: g[inside]), op="pad")


def flip(x: Tensor, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """The elements in reverse order along the axis, or along all."""
    for a in axis if isinstance(axis, tuple) else () if axis is None else (axis,):
        check_axis("flip", x.shape, a)
    return x.from_op(np.flip(x.data, axis), (x, lambda g: np.flip(g, axis)), op="flip")


def sizes(op: str, shape: tuple) -> tuple[int, ...]:
    """The numbers of a shape; `f(2, 3)` and `f((2, 3))` mean the same.

    Raises:    TypeError: if they are not whole numbers.
    """
    given = shape[0] if len(shape) == 1 and isinstance(shape[0], Sequence | np.ndarray) else shape
    try:
        return tuple(index(n) for n in given)
    except TypeError:
        raise TypeError(
            f"{op}: expected whole numbers, got {given}; write them as in {op}(2, 3)"
        ) from None


def check_axis(op: str, shape: tuple[int, ...], axis: int, added: int = 0) -> None:
    """Refuse what is no axis of a shape that has `added` axes more.

    Raises:    ValueError: if there is no such axis.
    """
    ndim = len(shape) + added
    if ndim == 0:
        raise ValueError(
            f"{op}: expected a Tensor that has axes, got shape (); reshape(1) gives it one"
        )
    if not isinstance(axis, int | np.integer) or not -ndim <= axis < ndim:
        raise ValueError(
            f"{op}: expected an axis from {-ndim} to {ndim - 1}, got {axis!r} for {shape}; "
            "0 is the first axis, -1 the last"
        )
