"""Operations that make one number out of many, along some axes. Each is a method of Tensor.

`axis` is a number, a tuple of them, or None for all; negative ones count from the end. With
`keepdims` a reduced axis stays, with size 1. In this file `sum`, `max` and `min` are the methods
that are defined here, not Python's own.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from stage2_tensor.checks.reductions import Axis, check_choice, check_some, reduced_axes

if TYPE_CHECKING:
    from stage2_tensor.tensor import Tensor

Array = np.ndarray


def sum(x: Tensor, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The sum.

    Gradient:  dL/dx = g, copied along the reduced axes
    """
    axes = reduced_axes("sum", x.shape, axis, keepdims)
    shape = x.shape
    y = x.data.sum(axis=axes, keepdims=keepdims)
    return x.from_op(y, (x, lambda g: spread(g, shape, axes)), op="sum")


def mean(x: Tensor, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The mean.

    Gradient:  dL/dx = g / n, copied along the reduced axes, where n numbers made one
    Raises:    ValueError: if there is no element.
    """
    axes = reduced_axes("mean", x.shape, axis, keepdims)
    check_some("mean", x.shape, axes)
    shape, n = x.shape, count(x.shape, axes)
    y = x.data.mean(axis=axes, keepdims=keepdims)
    return x.from_op(y, (x, lambda g: spread(g / n, shape, axes)), op="mean")


def max(x: Tensor, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The largest element. Tied ones share the gradient equally.

    Gradient:  dL/dx = g / (number of ties) where x is the maximum, else 0, also for an infinite g
    Raises:    ValueError: if there is no element to choose from.
    """
    return extreme("max", x, np.max, axis, keepdims)


def min(x: Tensor, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The smallest element. Tied ones share the gradient equally.

    Gradient:  dL/dx = g / (number of ties) where x is the minimum, else 0, also for an infinite g
    Raises:    ValueError: if there is no element to choose from.
    """
    return extreme("min", x, np.min, axis, keepdims)


def var(x: Tensor, axis: Axis = None, keepdims: bool = False, correction: float = 0) -> Tensor:
    """The variance: the mean squared distance from the mean, over n - correction.

    Gradient:  dL/dx = g 2 (x - mean) / (n - correction)
    Raises:    ValueError: if n is not larger than the correction.
    """
    axes = reduced_axes("var", x.shape, axis, keepdims)
    check_some("var", x.shape, axes, correction)
    shape, n = x.shape, count(x.shape, axes) - correction
    centred = x.data - x.data.mean(axis=axes, keepdims=True)
    y = (centred * centred).sum(axis=axes, keepdims=keepdims) / n
    return x.from_op(y, (x, lambda g: spread(g * (2 / n), shape, axes) * centred), op="var")


def std(x: Tensor, axis: Axis = None, keepdims: bool = False, correction: float = 0) -> Tensor:
    """The standard deviation: the square root of the variance.

    Gradient:  dL/dvar = g / (2 y), and 0 where all elements are equal: as in PyTorch, a constant
               feature is left alone instead of making NaN of its model
    """
    variance = x.var(axis, keepdims, correction)
    y = np.sqrt(variance.data)
    return x.from_op(y, (variance, lambda g: g / np.where(y == 0, np.inf, 2 * y)), op="std")


def logsumexp(x: Tensor, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """log(sum(exp(x))), without an overflow; of numbers among which there is a NaN, NaN.

    Gradient:  dL/dx = g softmax(x) = g exp(x - y)
    Raises:    ValueError: if there is no element.
    """
    axes = reduced_axes("logsumexp", x.shape, axis, keepdims)
    check_some("logsumexp", x.shape, axes)
    largest = x.data.max(axis=axes, keepdims=True)
    largest = np.where(np.isinf(largest), 0, largest)  # inf - inf would be NaN
    e = np.exp(x.data - largest)
    total = e.sum(axis=axes, keepdims=True)
    with np.errstate(divide="ignore"):  # log(0) is -inf, and right
        y = np.log(total) + largest
    share = e / np.where(total == 0, 1, total)  # a NaN in the row makes all of it NaN
    shape = x.shape
    y = y if keepdims else y.squeeze(axes)
    return x.from_op(y, (x, lambda g: spread(g, shape, axes) * share), op="logsumexp")


def argmax(x: Tensor, axis: int | None = None) -> Array | np.intp:
    """The place of the largest element, the first one if several are; it has no gradient."""
    check_choice("argmax", x.shape, axis)
    return x.data.argmax(axis)


def argmin(x: Tensor, axis: int | None = None) -> Array | np.intp:
    """The place of the smallest element, the first one if several are; it has no gradient."""
    check_choice("argmin", x.shape, axis)
    return x.data.argmin(axis)


def extreme(op: str, x: Tensor, choose, axis: Axis, keepdims: bool) -> Tensor:
    """`max` or `min`, by the function of NumPy that chooses."""
    axes = reduced_axes(op, x.shape, axis, keepdims)
    check_some(op, x.shape, axes)
    shape = x.shape
    kept = choose(x.data, axis=axes, keepdims=True)
    numbers = x.data
    y = kept if keepdims else kept.squeeze(axes)

    def vjp(g: Array) -> Array:
        ties = (numbers == kept) | np.isnan(kept)  # NaN is equal to nothing: all share it
        n = ties.sum(axis=axes, keepdims=True, dtype=kept.dtype)
        each = spread(g.reshape(kept.shape) / n, shape, axes)
        return np.where(ties, each, 0)  # not each * ties: an infinite g times 0 is NaN

    return x.from_op(y, (x, vjp), op=op)


def count(shape: tuple[int, ...], axes: tuple[int, ...]) -> int:
    """The number of elements that are made into one."""
    return math.prod([shape[a] for a in axes])


def spread(g: Array, shape: tuple[int, ...], axes: tuple[int, ...]) -> Array:
    """g copied along the reduced axes, whether they were kept or not; a view, not to be written."""
    kept = tuple(1 if a in axes else n for a, n in enumerate(shape))
    return np.broadcast_to(g.reshape(kept), shape)
