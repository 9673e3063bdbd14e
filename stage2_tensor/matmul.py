"""The matrix product, for vectors, matrices and stacks of matrices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from stage2_tensor.checks.shapes import check_matmul

if TYPE_CHECKING:
    from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def matmul_2d(a: Tensor, b: Tensor) -> Tensor:
    """The product of two matrices whose shapes fit.

    Shapes:    a: (N, K), b: (K, M) -> (N, M)
    Gradient:  dL/da = g b^T,  dL/db = a^T g
    """
    x, w = a.data, b.data
    return a.from_op(x @ w, (a, lambda g: g @ w.T), (b, lambda g: x.T @ g), op="@")


def matmul(a: Tensor, b: Operand) -> Tensor:
    """a @ b over the last two axes; leading axes broadcast.

    A vector on the left counts as a row, on the right as a column; its axis is gone afterwards.

    Shapes:    a: (..., N, K), b: (..., K, M) -> (..., N, M)
    Gradient:  dL/da = g b^T,  dL/db = a^T g
    Raises:    ValueError: if an input is a single number or the two K differ.
    """
    b = a.operand(b)
    check_matmul(a.shape, b.shape)
    if a.ndim == b.ndim == 2:
        return matmul_2d(a, b)
    x = a.data if a.ndim > 1 else a.data[None, :]  # (..., N, K)
    w = b.data if b.ndim > 1 else b.data[:, None]  # (..., K, M)
    if x.ndim > 2 and w.ndim == 2:
        return matmul_flat(a, b, x, w)
    product = x @ w  # (..., N, M)
    full, b_shape = product.shape, b.shape
    rows = full[-2:-1] if a.ndim > 1 else ()
    columns = full[-1:] if b.ndim > 1 else ()
    y = product.reshape((*full[:-2], *rows, *columns))

    def vjp_a(g: Array) -> Array:
        return g.reshape(full) @ w.swapaxes(-1, -2)  # (..., N, K)

    def vjp_b(g: Array) -> Array:
        gradient = x.swapaxes(-1, -2) @ g.reshape(full)  # (..., K, M)
        return gradient if len(b_shape) > 1 else gradient[..., 0]

    return a.from_op(y, (a, vjp_a), (b, vjp_b), op="@")


def matmul_flat(a: Tensor, b: Tensor, x: Array, w: Array) -> Tensor:
    """(..., N, K) @ (K, M) as one product of two matrices, which is faster than a stack of them."""
    K, M = w.shape
    N = math.prod(x.shape[:-1])  # not -1: with K = 0 no number of rows is too large
    rows = x.reshape(N, K)
    y = (rows @ w).reshape(*x.shape[:-1], M)
    y = y if b.ndim > 1 else y[..., 0]
    x_shape, w_shape = x.shape, b.shape
    return a.from_op(
        y,
        (a, lambda g: (g.reshape(N, M) @ w.T).reshape(x_shape)),
        (b, lambda g: (rows.T @ g.reshape(N, M)).reshape(w_shape)),
        op="@",
    )


def rmatmul(a: Tensor, b: Operand) -> Tensor:
    """b @ a, for an array on the left."""
    return matmul(a.operand(b), a)
