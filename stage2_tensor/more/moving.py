"""Elements that are copied, moved or blanked out. Apart from `outer`, nothing is computed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stage2_tensor.checks.reductions import Axis
from stage2_tensor.checks.shapes import check_axis
from stage2_tensor.creation import as_tensor
from stage2_tensor.joining import pair
from stage2_tensor.more.checks import (
    check_vectors,
    read_counts,
    read_one,
    read_repeats,
    read_shifts,
    require_matrix,
)
from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def repeat(x: Operand, repeats: int | Sequence[int], axis: int | None = None) -> Tensor:
    """Each element so many times in a row, as in NumPy; without an axis x is flattened first.

    Gradient:  an element receives the sum over its copies
    Raises:    ValueError: if there is no such axis, or not one number of repeats >= 0 for all or
               for each. TypeError: if they are not whole numbers.
    """
    x = as_tensor(x)
    x, axis = (x.flatten(), 0) if axis is None else (x, axis)
    check_axis("repeat", x.shape, axis)
    n = x.shape[axis]
    return pick(x, np.repeat(np.arange(n), read_repeats(repeats, n)), axis)


def tile(x: Operand, reps: int | Sequence[int]) -> Tensor:
    """x as a whole, so many times along each axis; this is PyTorch's `x.repeat`.

    Gradient:  an element receives the sum over its copies
    Raises:    ValueError: if a number is negative. TypeError: if one is no whole number.
    """
    x = as_tensor(x)
    counts = read_counts("tile", "reps", reps)
    ndim = max(len(counts), x.ndim)
    x = x.reshape((1,) * (ndim - x.ndim) + x.shape)
    for axis, times in enumerate((1,) * (ndim - len(counts)) + counts):
        x = pick(x, np.tile(np.arange(x.shape[axis]), times), axis)
    return x


def pick(x: Tensor, ids: Array, axis: int) -> Tensor:
    """The elements at these places of an axis, each as often as it is named."""
    return x.swapaxes(0, axis).take(ids).swapaxes(0, axis)


def roll(x: Operand, shift: int | tuple[int, ...], axis: Axis = None) -> Tensor:
    """Every element moved by `shift` places; what falls off one end comes back at the other.

    Without an axis the elements move in reading order.

    Gradient:  dL/dx = g, rolled back
    Raises:    ValueError: if there is no such axis, or not one shift for each axis. TypeError: if
               a shift is no whole number.
    """
    x = as_tensor(x)
    shifts = read_shifts(x.shape, shift, axis)
    back = tuple(-s for s in shifts)
    if axis is None:
        return x.from_op(np.roll(x.data, shifts), (x, lambda g: np.roll(g, back)), op="roll")
    axes = axis if isinstance(axis, tuple) else (axis,)
    y = np.roll(x.data, shifts, axes)
    return x.from_op(y, (x, lambda g: np.roll(g, back, axes)), op="roll")


def tril(x: Operand, k: int = 0) -> Tensor:
    """The lower triangle of each matrix, 0 above its k-th diagonal.

    Gradient:  dL/dx = g, blanked out in the same places
    Raises:    ValueError: if x has fewer than two axes. TypeError: if k is no whole number.
    """
    x, k = require_matrix("tril", x), read_one("tril", "k", k)
    return x.from_op(np.tril(x.data, k), (x, lambda g: np.tril(g, k)), op="tril")


def triu(x: Operand, k: int = 0) -> Tensor:
    """The upper triangle of each matrix, 0 below its k-th diagonal.

    Gradient:  dL/dx = g, blanked out in the same places
    Raises:    ValueError: if x has fewer than two axes. TypeError: if k is no whole number.
    """
    x, k = require_matrix("triu", x), read_one("triu", "k", k)
    return x.from_op(np.triu(x.data, k), (x, lambda g: np.triu(g, k)), op="triu")


def outer(a: Operand, b: Operand) -> Tensor:
    """Each element of a times each of b.

    Shapes:    a: (N,), b: (M,) -> (N, M)
    Gradient:  dL/da = g b,  dL/db = g^T a
    Raises:    ValueError: if one of them is no vector.
    """
    a, b = pair(a, b)
    check_vectors("outer", a.shape, b.shape)
    return a.unsqueeze(1) * b
