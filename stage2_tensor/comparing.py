"""Comparisons, element by element. Each is a method of Tensor.

The answer is an array of booleans and no node: a step has the slope 0, so nothing would flow back.
There is no `==` among them: a Tensor is equal to itself alone, so that it can be the key of a dict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stage2_tensor.checks.shapes import check_broadcast

if TYPE_CHECKING:
    from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def lt(a: Tensor, b: Operand) -> Array:
    """True where a < b."""
    x, y = read_operands("<", a, b)
    return x < y


def le(a: Tensor, b: Operand) -> Array:
    """True where a <= b."""
    x, y = read_operands("<=", a, b)
    return x <= y


def gt(a: Tensor, b: Operand) -> Array:
    """True where a > b."""
    x, y = read_operands(">", a, b)
    return x > y


def ge(a: Tensor, b: Operand) -> Array:
    """True where a >= b."""
    x, y = read_operands(">=", a, b)
    return x >= y


def read_operands(op: str, a: Tensor, b: Operand) -> tuple[Array, Array]:
    """The arrays to compare.

    Raises:    ValueError: if their shapes do not fit.
    """
    x, y = a.data, a.operand(b).data
    check_broadcast(op, x.shape, y.shape)
    return x, y
