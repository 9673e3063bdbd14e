"""Picking elements. The way back puts each gradient where its element came from, and adds up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stage2_tensor.checks.indexing import pick, read_ids, read_index
from stage2_tensor.checks.shapes import check_axis

if TYPE_CHECKING:
    from stage2_tensor.tensor import Tensor

Array = np.ndarray


def getitem(x: Tensor, index) -> Tensor:
    """x[index], for integers, slices, None, ..., integer arrays and boolean masks.

    Any other sequence within the index counts as an array, whatever it came as.

    Gradient:  dL/dx[index] += g: an element picked twice receives twice
    Raises:    IndexError: if the index does not fit.
    """
    index = read_index(index)
    y = pick(x.data, index)
    shape, dtype = x.shape, x.dtype
    repeats = _may_repeat(index)

    def vjp(g: Array) -> Array:
        whole = np.zeros(shape, dtype)
        if repeats:
            np.add.at(whole, index, g)
        else:
            whole[index] = g
        return whole

    return x.from_op(y, (x, vjp), op="index")


def take(x: Tensor, ids: Array | Tensor) -> Tensor:
    """The rows of x with these ids: an embedding.

    Shapes:    x: (V, ...), ids: any shape I of integers -> I + (...)
    Gradient:  row v receives the sum of g over every place where v was picked
    Raises:    TypeError: if the ids are not integers. IndexError: if one is not in 0..V-1.
               ValueError: if x has no rows because it has no axes.
    """
    check_axis("take", x.shape, 0)
    ids = read_ids(ids, x.shape[0])
    shape = x.shape
    return x.from_op(x.data.take(ids, axis=0), (x, lambda g: scatter_add(g, ids, shape)), op="take")


def scatter_add(g: Array, ids: Array, shape: tuple[int, ...]) -> Array:
    """An array of `shape` whose row v is the sum of the rows of g that belong to v.

    The rows are sorted, so that those which belong together are neighbours, and added up from
    one `first` to the next. `np.add.at` says all this in a line and is seven times slower.
    """
    whole = np.zeros(shape, g.dtype)
    if ids.size:
        flat, rows = ids.reshape(-1), g.reshape(ids.size, *shape[1:])
        order = np.argsort(flat, kind="stable")
        present, first = np.unique(flat[order], return_index=True)
        whole[present] = np.add.reduceat(rows.take(order, axis=0), first, axis=0)
    return whole


def _may_repeat(index) -> bool:
    """True if some element may be picked twice: only arrays of integers can do that."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(p, Array) and p.ndim and p.dtype.kind in "iu" for p in parts)
