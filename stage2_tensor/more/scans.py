"""Running totals along one axis: as many numbers come out as went in."""

from __future__ import annotations

import numpy as np

from stage2_tensor.checks.shapes import check_axis
from stage2_tensor.creation import as_tensor
from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def cumsum(x: Operand, axis: int) -> Tensor:
    """y_k = x_1 + ... + x_k along the axis.

    Gradient:  dL/dx_k = g_k + ... + g_n: the running total from the other end
    Raises:    ValueError: if there is no such axis.
    """
    x = as_tensor(x)
    check_axis("cumsum", x.shape, axis)
    y = x.data.cumsum(axis)
    return x.from_op(y, (x, lambda g: np.flip(np.flip(g, axis).cumsum(axis), axis)), op="cumsum")


def cumprod(x: Operand, axis: int) -> Tensor:
    """y_k = x_1 ... x_k along the axis.

    A zero is no exception, since nothing is divided: y_k = y_(k-1) x_k is differentiated step by
    step, from the last one back.

    Gradient:  dL/dx_k = s_k y_(k-1), where s_k = g_k + s_(k+1) x_(k+1) is what reaches y_k
    Raises:    ValueError: if there is no such axis.
    """
    x = as_tensor(x)
    check_axis("cumprod", x.shape, axis)
    numbers, y = x.data, x.data.cumprod(axis)
    rows = np.moveaxis(numbers, axis, 0)
    before = np.concatenate([np.ones_like(rows[:1]), np.moveaxis(y, axis, 0)[:-1]])  # y_(k-1)

    def vjp(g: Array) -> Array:
        reaches = np.moveaxis(g, axis, 0).copy()  # s
        for k in range(len(rows) - 2, -1, -1):
            reaches[k] += reaches[k + 1] * rows[k + 1]
        return np.moveaxis(reaches * before, 0, axis)

    return x.from_op(y, (x, vjp), op="cumprod")
