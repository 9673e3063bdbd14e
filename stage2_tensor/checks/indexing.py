"""Refusals of the operations that pick elements."""

from __future__ import annotations

import numpy as np

from stage2_tensor.checks.numbers import real_array

Array = np.ndarray


def read_index(index):
    """An index of arrays: those in its Tensors, and one in the place of each list.

    Raises:    TypeError: if a list does not hold real numbers.
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
    ids = real_array("take", _plain(ids))
    if ids.dtype.kind not in "iu":
        raise TypeError(
            f"take: expected integer ids, got {ids.dtype}; convert them with astype(int)"
        )
    if ids.size and not 0 <= ids.min() <= ids.max() < rows:
        raise IndexError(f"take: expected ids in range({rows}), got {ids.min()} to {ids.max()}")
    return ids


def _plain(part):
    """The array in a Tensor, and an array instead of a list."""
    if isinstance(part, list):
        part = real_array("index", part) if part else np.zeros(0, int)
    if isinstance(part, np.ndarray):
        return part
    return getattr(part, "data", part)


def _told(index) -> str:
    parts = index if isinstance(index, tuple) else (index,)
    return ", ".join(
        f"an array of shape {p.shape}" if isinstance(p, np.ndarray) else str(p) for p in parts
    )
