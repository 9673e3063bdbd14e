"""More ways to make one number out of many: a product, a place, a yes or no."""

from __future__ import annotations

import numpy as np

from stage2_tensor import reductions
from stage2_tensor.checks.reductions import Axis, reduced_axes
from stage2_tensor.creation import as_tensor
from stage2_tensor.reductions import count, spread
from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def prod(x: Operand, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The product; that of nothing is 1.

    Gradient:  dL/dx = g times the product of all others
    Raises:    ValueError: if there is no such axis.
    """
    x = as_tensor(x)
    axes = reduced_axes("prod", x.shape, axis)
    numbers, shape = x.data, x.shape
    y = numbers.prod(axis=axes, keepdims=keepdims)
    return x.from_op(y, (x, lambda g: spread(g, shape, axes) * others(numbers, axes)), op="prod")


def others(x: Array, axes: tuple[int, ...]) -> Array:
    """For each number the product of all others along the axes.

    What stands before it times what stands behind: y / x would fail where x is 0.
    """
    last = tuple(range(-len(axes), 0))
    moved = np.moveaxis(x, axes, last)
    rows = moved.reshape(*moved.shape[: x.ndim - len(axes)], count(x.shape, axes))
    one = np.ones_like(rows[..., :1])
    before = np.concatenate([one, rows[..., :-1]], -1).cumprod(-1)
    behind = np.concatenate([one, rows[..., :0:-1]], -1).cumprod(-1)[..., ::-1]
    return np.moveaxis((before * behind).reshape(moved.shape), last, axes)


def argmax(x: Operand, axis: int | None = None, keepdims: bool = False) -> Array | np.intp:
    """The place of the largest element, the first one if several are; it has no gradient.

    Raises:    ValueError: if there is no such axis, or nothing to choose from.
    """
    x = as_tensor(x)
    return with_axis(reductions.argmax(x, axis), x, axis, keepdims)


def argmin(x: Operand, axis: int | None = None, keepdims: bool = False) -> Array | np.intp:
    """The place of the smallest element, the first one if several are; it has no gradient.

    Raises:    ValueError: if there is no such axis, or nothing to choose from.
    """
    x = as_tensor(x)
    return with_axis(reductions.argmin(x, axis), x, axis, keepdims)


def with_axis(places: Array | np.intp, x: Tensor, axis: int | None, keepdims: bool):
    """The places, with the axes that were reduced as axes of size 1 if they are to stay."""
    if not keepdims:
        return places
    return np.reshape(places, (1,) * x.ndim) if axis is None else np.expand_dims(places, axis)


def any(x: Operand, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """True where a number along the axes is not 0; of none, False. No node, NaN counts as true.

    Raises:    ValueError: if there is no such axis.
    """
    x = as_tensor(x)
    axes = reduced_axes("any", x.shape, axis)
    return Tensor((x.data != 0).any(axis=axes, keepdims=keepdims))


def all(x: Operand, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """True where no number along the axes is 0; of none, True. No node, NaN counts as true.

    Raises:    ValueError: if there is no such axis.
    """
    x = as_tensor(x)
    axes = reduced_axes("all", x.shape, axis)
    return Tensor((x.data != 0).all(axis=axes, keepdims=keepdims))


def isnan(x: Operand) -> Tensor:
    """True where x is not a number, element by element. It is no node."""
    return Tensor(np.isnan(as_tensor(x).data))
