"""Refusals of what moves, sorts and picks elements here, and of subscripts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stage2_tensor.checks.numbers import real_array
from stage2_tensor.checks.reductions import Axis
from stage2_tensor.checks.shapes import Shape, read_axes
from stage2_tensor.creation import as_tensor
from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def read_whole(op: str, name: str, numbers: int | Sequence[int]) -> tuple[int, ...]:
    """One whole number, or several, as a tuple.

    Raises:    TypeError: if they are not whole numbers.
    """
    array = np.atleast_1d(real_array(op, numbers))
    if (array.size and array.dtype.kind not in "iu") or array.ndim > 1:  # NumPy takes [] for floats
        raise TypeError(f"{op}: expected whole numbers as {name}, got {numbers!r}")
    return tuple(array.tolist())


def read_one(op: str, name: str, number: int) -> int:
    """One whole number.

    Raises:    TypeError: if it is none, or there are several.
    """
    array = real_array(op, number)
    if array.dtype.kind not in "iu" or array.ndim:
        raise TypeError(f"{op}: expected {name} to be a whole number, got {number!r}")
    return int(array)


def read_counts(op: str, name: str, numbers: int | Sequence[int]) -> tuple[int, ...]:
    """One number of times, or several, as a tuple.

    Raises:    TypeError: if they are not whole numbers. ValueError: if one is negative.
    """
    counts = read_whole(op, name, numbers)
    if min(counts, default=0) < 0:
        raise ValueError(f"{op}: expected {name} of at least 0, got {numbers}")
    return counts


def read_repeats(repeats: int | Sequence[int], n: int) -> tuple[int, ...]:
    """How often each of n elements is repeated.

    Raises:    TypeError: if these are not whole numbers. ValueError: if one is negative, or there
               is not one for all or for each.
    """
    counts = read_counts("repeat", "repeats", repeats)
    if len(counts) not in (1, n):
        raise ValueError(f"repeat: expected 1 or {n} numbers of repeats, got {len(counts)}")
    return counts


def read_shifts(shape: Shape, shift: int | Sequence[int], axis: Axis) -> tuple[int, ...]:
    """How far each axis is rolled.

    Raises:    TypeError: if these are not whole numbers. ValueError: if there is no such axis, or
               not one shift for each.
    """
    shifts = read_whole("roll", "shift", shift)
    axes = read_axes("roll", shape, axis)
    if len(shifts) != max(1, len(axes)):
        raise ValueError(
            f"roll: expected one shift for each axis, got shift={shift} and axis={axis}"
        )
    return shifts


def require_matrix(op: str, x: Operand) -> Tensor:
    """x as a Tensor of matrices.

    Raises:    ValueError: if it has fewer than two axes.
    """
    x = as_tensor(x)
    if x.ndim < 2:
        raise ValueError(f"{op}: expected x of shape (..., N, M), got {x.shape}")
    return x


def check_vectors(op: str, a: Shape, b: Shape) -> None:
    """Refuse what is no vector.

    Raises:    ValueError: if one has more axes than one, or none.
    """
    if len(a) != 1 or len(b) != 1:
        raise ValueError(
            f"{op}: expected two vectors, (N,) and (M,), got {a} and {b}; flatten() makes one"
        )


def check_k(shape: Shape, axis: int, k: int) -> None:
    """Refuse to pick more than there are.

    Raises:    TypeError: if k is no whole number. ValueError: if it is not from 0 to the size.
    """
    k = read_one("topk", "k", k)
    if not 0 <= k <= shape[axis]:
        raise ValueError(
            f"topk: expected k from 0 to {shape[axis]}, the size of axis {axis} of {shape}, got {k}"
        )


def read_places(index: Operand, shape: Shape, axis: int) -> Array:
    """The places to gather from.

    Raises:    TypeError: if they are not integers. ValueError: if their shape does not go with
               that of x. IndexError: if there is no such place.
    """
    places = real_array("gather", index)
    if places.dtype.kind not in "iu":
        raise TypeError(f"gather: expected an index of integers, got {places.dtype}")
    a = axis % len(shape)
    fits = len(places.shape) == len(shape) and all(
        n <= m for i, (n, m) in enumerate(zip(places.shape, shape)) if i != a
    )
    if not fits:
        raise ValueError(
            f"gather: expected an index no longer than x {shape} but along axis {axis}, "
            f"got {places.shape}"
        )
    if places.size and not 0 <= places.min() <= places.max() < shape[a]:
        raise IndexError(
            f"gather: expected places in range({shape[a]}), got {places.min()} to {places.max()}"
        )
    return places


def read_classes(ids: Operand, num_classes: int | None) -> tuple[Array, int]:
    """The ids as an array, and how many classes there are.

    Raises:    TypeError: if the ids are not integers. IndexError: if one is no class.
               ValueError: if nothing says how many classes there are.
    """
    numbers = real_array("one_hot", ids)
    if numbers.dtype.kind not in "iu":
        raise TypeError(f"one_hot: expected integer ids, got {numbers.dtype}")
    if num_classes is None:
        if not numbers.size:
            raise ValueError("one_hot: expected num_classes for no ids at all, got None")
        num_classes = int(numbers.max()) + 1
    num_classes = read_one("one_hot", "num_classes", num_classes)
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < num_classes:
        raise IndexError(
            f"one_hot: expected ids in range({num_classes}), got {numbers.min()} to {numbers.max()}"
        )
    return numbers, num_classes


def check_ellipses(subscripts: str, terms: Sequence[str], shapes: Sequence[Shape]) -> None:
    """Refuse subscripts that do not say which axis is which.

    Raises:    ValueError: if there are more terms than tensors, or fewer, a term has "..." twice,
               or a tensor has too few axes.
    """
    *inputs, _ = terms
    named = [len(term.replace("...", "")) for term in inputs]
    dots = ["..." in term for term in inputs]
    fits = len(inputs) == len(shapes) and all(
        len(shape) >= n if free else len(shape) == n for n, free, shape in zip(named, dots, shapes)
    )
    if not fits or any("." in term.replace("...", "", 1) for term in terms):
        raise ValueError(
            'einsum: expected one letter per axis, and "..." once for those without, got '
            f"{subscripts!r} for shapes {', '.join(map(str, shapes))}"
        )
