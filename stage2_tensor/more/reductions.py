"""More ways to make one number out of many: a product, a place, a yes or no."""

from __future__ import annotations

import numpy as np

from stage2_tensor.checks.reductions import Axis, check_choice, reduced_axes
from stage2_tensor.creation import as_tensor
from stage2_tensor.reductions import count, spread
from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def prod(x: Operand, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The product; that of nothing is 1.

    Gradient:  dL/dx = g times the product of all others
    Raises:    ValueError: if there is no such axis. TypeError: if keepdims is no flag.
    """
    x = as_tensor(x)
    axes = reduced_axes("prod", x.shape, axis, keepdims)
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
    check_choice("argmax", x.shape, axis, keepdims)
    return np.argmax(x.data, axis=axis, keepdims=keepdims)


def argmin(x: Operand, axis: int | None = None, keepdims: bool = False) -> Array | np.intp:
    """The place of the smallest element, the first one if several are; it has no gradient.

    Raises:    ValueError: if there is no such axis, or nothing to choose from.
    """
    x = as_tensor(x)
    check_choice("argmin", x.shape, axis, keepdims)
    return np.argmin(x.data, axis=axis, keepdims=keepdims)


def any(x: Operand, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """True where some number along the axes is not 0; False if there are none. NaN is not 0.

    The answer holds booleans and has no gradient.

    Raises:    ValueError: if there is no such axis. TypeError: if keepdims is no flag.
    """
    x = as_tensor(x)
    axes = reduced_axes("any", x.shape, axis, keepdims)
    return Tensor((x.data != 0).any(axis=axes, keepdims=keepdims))


def all(x: Operand, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """True where no number along the axes is 0; True if there are none. NaN is not 0.

    The answer holds booleans and has no gradient.

    Raises:    ValueError: if there is no such axis. TypeError: if keepdims is no flag.
    """
    x = as_tensor(x)
    axes = reduced_axes("all", x.shape, axis, keepdims)
    return Tensor((x.data != 0).all(axis=axes, keepdims=keepdims))


def isnan(x: Operand) -> Tensor:
    """True where an element is not a number; the answer has no gradient."""
    return Tensor(np.isnan(as_tensor(x).data))
