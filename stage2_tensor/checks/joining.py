"""Refusals of the operations that join tensors, and of the one that takes them apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index

import numpy as np

from stage2_tensor.checks.numbers import real_array
from stage2_tensor.checks.shapes import Shape, check_axis
from stage2_tensor.tensor import Operand, Tensor


def as_tensors(op: str, operands: Iterable[Operand]) -> list[Tensor]:
    """Tensors of Tensors and constants; a constant takes the dtype of the float Tensor it meets.

    Where there is no Tensor, arrays keep their dtype, and numbers and lists take that of a float
    array.

    Raises:    TypeError: if these are not several, or not made of real numbers.
    """
    try:
        given = list(operands)
    except TypeError:
        raise TypeError(
            f"{op}: expected a list of tensors, got {operands!r}; write {op}([a, b])"
        ) from None
    known = [x for x in given if isinstance(x, Tensor)]
    if len(known) == len(given):
        return known
    known = known or [x for x in given if isinstance(x, np.ndarray | np.generic)]
    floats = [x.dtype for x in known if x.dtype.kind == "f"]
    dtype = np.result_type(*floats) if floats else None if known else np.float32
    return [x if isinstance(x, Tensor) else Tensor(real_array(op, x, dtype)) for x in given]


def check_joinable(op: str, tensors: Sequence[Tensor], axis: int) -> None:
    """Refuse tensors that cannot be put one after the other along `axis`.

    Raises:    ValueError: if there are none, or another axis differs.
    """
    if not tensors:
        raise ValueError(f"{op}: expected at least one tensor, got none")
    shapes = [t.shape for t in tensors]
    check_axis(op, shapes[0], axis)
    ndim = len(shapes[0])
    others = {shape[: axis % ndim] + shape[axis % ndim + 1 :] for shape in shapes}
    if len(others) > 1 or any(len(shape) != ndim for shape in shapes):
        told = ", ".join(map(str, shapes))
        raise ValueError(f"{op}: expected equal sizes on every axis but {axis}, got {told}")


def check_stackable(tensors: Sequence[Tensor], axis: int) -> None:
    """Refuse tensors that cannot be put side by side along a new axis.

    Raises:    ValueError: if there are none, or their shapes differ.
    """
    if not tensors:
        raise ValueError("stack: expected tensors of one shape, got none")
    shapes = [t.shape for t in tensors]
    if len(set(shapes)) != 1:
        told = ", ".join(map(str, shapes))
        raise ValueError(
            f"stack: expected tensors of one shape, got {told}; concatenate joins them"
        )
    check_axis("stack", shapes[0], axis, added=1)


def read_cuts(shape: Shape, axis: int, sections: int | Sequence[int]) -> list[int]:
    """The places at which every part of a split begins, and the end of the last one.

    Raises:    ValueError: if the axis cannot be cut into so many equal parts, or at those places.
               TypeError: if they are not whole numbers.
    """
    n = shape[axis]
    if isinstance(sections, int | np.integer):
        if sections < 1 or n % sections:
            raise ValueError(
                f"split: expected a number that divides axis {axis} of {shape}, got {sections}; "
                "or name the places to cut at"
            )
        return list(range(0, n + 1, n // sections)) if n else [0] * (sections + 1)
    try:
        cuts = [0, *map(index, sections), n]
    except TypeError:
        raise TypeError(
            f"split: expected a whole number or a list of them, got {sections!r}; "
            "split(x, 2) makes two halves"
        ) from None
    if cuts != sorted(cuts):
        raise ValueError(
            f"split: expected rising places from 0 to {n} for axis {axis} of {shape}, "
            f"got {sections}"
        )
    return cuts
