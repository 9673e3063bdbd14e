"""Operations that move numbers without changing them. Each is a method of Tensor.

The way back is the opposite move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stage2_tensor.checks.numbers import real_array
from stage2_tensor.checks.shapes import (
    check_axis,
    check_broadcast_to,
    check_order,
    check_reshape,
    check_squeeze,
    read_axes,
    read_sizes,
    read_widths,
)

if TYPE_CHECKING:
    from stage2_tensor.tensor import Tensor

Array = np.ndarray


def reshape(x: Tensor, *shape: int | tuple[int, ...]) -> Tensor:
    """The same elements, in reading order, in another shape; one size may be -1.

    Raises:    ValueError: if the shape has another number of elements.
    """
    new = read_sizes("reshape", shape)
    check_reshape(x.shape, new)
    old = x.shape
    return x.from_op(x.data.reshape(new), (x, lambda g: g.reshape(old)), op="reshape")


def flatten(x: Tensor) -> Tensor:
    """All elements in one axis."""
    return reshape(x, -1 if x.size else 0)


def transpose(x: Tensor, *axes: int | tuple[int, ...]) -> Tensor:
    """The axes in the given order; in reverse order if none is given.

    Raises:    ValueError: if `axes` does not name every axis once.
    """
    order = read_sizes("transpose", axes) or tuple(reversed(range(x.ndim)))
    check_order(x.shape, order)
    back = tuple(int(i) for i in np.argsort([a % x.ndim for a in order]))
    return x.from_op(x.data.transpose(order), (x, lambda g: g.transpose(back)), op="transpose")


def swapaxes(x: Tensor, a: int, b: int) -> Tensor:
    """Axes a and b exchanged."""
    check_axis("swapaxes", x.shape, a)
    check_axis("swapaxes", x.shape, b)
    return x.from_op(x.data.swapaxes(a, b), (x, lambda g: g.swapaxes(a, b)), op="swapaxes")


def squeeze(x: Tensor, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """Without the axes of size 1, or without the named ones.

    Raises:    ValueError: if a named axis has another size.
    """
    check_squeeze(x.shape, read_axes("squeeze", x.shape, axis))
    old = x.shape
    return x.from_op(x.data.squeeze(axis), (x, lambda g: g.reshape(old)), op="squeeze")


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
    new = read_sizes("broadcast_to", shape)
    check_broadcast_to(x.shape, new)
    return x.from_op(np.broadcast_to(x.data, new), (x, lambda g: g), op="broadcast_to")


def pad(x: Tensor, widths: Sequence[tuple[int, int]], value: float = 0.0) -> Tensor:
    """x with `value` around it: for each axis (how many before, how many after).

    Raises:    ValueError: if there is not one pair of widths >= 0 per axis.
    """
    pairs = read_widths(x.shape, widths)
    inside = tuple(slice(before, before + n) for (before, _), n in zip(pairs, x.shape))
    y = np.pad(x.data, pairs, constant_values=real_array("pad", value))
    return x.from_op(y, (x, lambda g: g[inside]), op="pad")


def flip(x: Tensor, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """The elements in reverse order along the axis, or along all."""
    read_axes("flip", x.shape, axis)
    return x.from_op(np.flip(x.data, axis), (x, lambda g: np.flip(g, axis)), op="flip")
