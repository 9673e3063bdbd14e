"""The matrix product, for vectors, matrices and stacks of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stage2_tensor.broadcasting import check_broadcast

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
    rows = x.reshape(-1, K)
    y = (rows @ w).reshape(*x.shape[:-1], M)
    y = y if b.ndim > 1 else y[..., 0]
    x_shape, w_shape = x.shape, b.shape
    return a.from_op(
        y,
        (a, lambda g: (g.reshape(-1, M) @ w.T).reshape(x_shape)),
        (b, lambda g: (rows.T @ g.reshape(-1, M)).reshape(w_shape)),
        op="@",
    )


def rmatmul(a: Tensor, b: Operand) -> Tensor:
    """b @ a, for an array on the left."""
    return matmul(a.operand(b), a)


def check_matmul(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    """Refuse shapes that have no matrix product.

    Raises:    ValueError: if the two K differ, or an input is a single number.
    """
    rule = "expected (..., N, K) @ (..., K, M)"
    if len(a) == 0 or len(b) == 0:
        raise ValueError(f"matmul: {rule}, got {a} @ {b}; use * for a single number")
    inner = b[-2] if len(b) > 1 else b[0]
    if a[-1] != inner:
        mend = "check the order of the two"
        if len(b) > 1 and a[-1] == b[-1]:
            mend = "did you mean to transpose b, a @ b.swapaxes(-1, -2)?"
        elif len(a) > 1 and a[-2] == inner:
            mend = "did you mean to transpose a, a.swapaxes(-1, -2) @ b?"
        raise ValueError(f"matmul: {rule}, got {a} @ {b}: K is {a[-1]} and {inner}; {mend}")
    check_broadcast("matmul", a[:-2], b[:-2])
