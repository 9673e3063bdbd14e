"""Refusals of the operations that pick elements."""

from __future__ import annotations

from types import EllipsisType, NoneType

import numpy as np

from stage2_tensor.checks.numbers import real_array

Array = np.ndarray
BASIC = (int, np.integer, slice, NoneType, EllipsisType)  # the parts that pick nothing twice


def read_index(index):
    """An index in which every part that is no integer, slice, None or ... is an array.

    It may have come as a Tensor, a list, a tuple in a tuple, a range.

    Raises:    TypeError: if a part does not hold real numbers.
    """
    return tuple(map(_plain, index)) if isinstance(index, tuple) else _plain(index)


def pick(x: Array, index) -> Array:
    """x[index].

    Raises:    IndexError: if the index does not fit.
    """
    try:
        return x[index]
    except (IndexError, TypeError) as error:
        raise IndexError(
            f"index: expected one that fits shape {x.shape}, got {_told(index)}; {error}"
        ) from None


def read_ids(ids, rows: int) -> Array:
    """The ids of rows as an array.

    Raises:    TypeError: if they are not integers. IndexError: if one is not in 0..rows-1.
    """
    ids = real_array("take", _plain(ids, "take"))
    if ids.dtype.kind not in "iu":
        raise TypeError(
            f"take: expected integer ids, got {ids.dtype}; convert them with astype(int)"
        )
    if ids.size and not 0 <= ids.min() <= ids.max() < rows:
        raise IndexError(f"take: expected ids in range({rows}), got {ids.min()} to {ids.max()}")
    return ids


def _plain(part, op: str = "index"):
    """A basic part of an index as it is; of anything else the array, of integers if it is empty."""
    if issubclass(type(part), BASIC):
        return part
    array = real_array(op, part)
    return array if array.size or isinstance(part, Array) else array.astype(int)


def _told(index) -> str:
    parts = index if isinstance(index, tuple) else (index,)
    return ", ".join(
        f"an array of shape {p.shape}" if isinstance(p, np.ndarray) else str(p) for p in parts
    )
