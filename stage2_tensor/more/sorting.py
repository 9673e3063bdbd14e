"""Elements in order of size, and picked by their places along one axis.

The order itself has no slope: a small move of x changes no place. So a sort is a permutation, and
the gradient of an element goes back to where it came from. NaN counts as the largest number.
"""

from __future__ import annotations

import numpy as np

from stage2_tensor.checks.options import check_flag
from stage2_tensor.checks.shapes import check_axis
from stage2_tensor.creation import as_tensor
from stage2_tensor.more.checks import check_k, read_classes, read_places
from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def argsort(x: Operand, axis: int = -1, descending: bool = False) -> Array:
    """The places of the elements in order; equal ones keep the order that they have.

    Raises:    ValueError: if there is no such axis.
    """
    x = as_tensor(x)
    check_axis("argsort", x.shape, axis)
    check_flag("argsort", descending=descending)
    if not descending:
        return x.data.argsort(axis, kind="stable")
    rising = np.flip(x.data, axis).argsort(axis, kind="stable")  # turned twice: ties stay in order
    return x.shape[axis] - 1 - np.flip(rising, axis)


def sort(x: Operand, axis: int = -1, descending: bool = False) -> tuple[Tensor, Array]:
    """The elements in order, and their places, as in PyTorch; equal ones keep their order.

    Gradient:  an element receives the gradient of the place that it came to
    Raises:    ValueError: if there is no such axis.
    """
    x = as_tensor(x)
    check_axis("sort", x.shape, axis)
    check_flag("sort", descending=descending)
    places = argsort(x, axis, descending)
    return gather(x, axis, places), places


def topk(x: Operand, k: int, axis: int = -1, largest: bool = True) -> tuple[Tensor, Array]:
    """The k largest elements along the axis, or the smallest, in order; and their places.

    Of equal ones the first is taken.

    Gradient:  an element that is among them receives its gradient, the others 0
    Raises:    ValueError: if there is no such axis, or it has fewer than k elements.
    """
    x = as_tensor(x)
    check_axis("topk", x.shape, axis)
    check_k(x.shape, axis, k)
    check_flag("topk", largest=largest)
    places = argsort(x, axis, descending=largest).take(np.arange(k), axis)
    return gather(x, axis, places), places


def gather(x: Operand, axis: int, index: Operand) -> Tensor:
    """y[i, j] = x[i, index[i, j]] for the last of two axes, and alike for every other.

    Shapes:    index: as many axes as x, no longer than those of x but along `axis` -> its shape
    Gradient:  an element picked twice receives twice
    Raises:    ValueError: if there is no such axis, or the shapes do not go together. TypeError:
               if the places are not integers. IndexError: if there is no such place.
    """
    x = as_tensor(x)
    check_axis("gather", x.shape, axis)
    places = read_places(index, x.shape, axis)
    picked: list[Array] = list(np.ogrid[tuple(slice(n) for n in places.shape)])
    picked[axis] = places
    return x[tuple(picked)]


def one_hot(ids: Operand, num_classes: int | None = None) -> Tensor:
    """1 in the column of each id, 0 elsewhere, in float32; it has no gradient.

    Shapes:    ids: (...) of integers -> (..., num_classes); by default the largest id, plus 1
    Raises:    TypeError: if the ids are not integers. IndexError: if one is no class.
    """
    numbers, K = read_classes(ids, num_classes)
    return Tensor((numbers[..., None] == np.arange(K)).astype(np.float32))
