"""Comparisons, element by element. Each is a method of Tensor.

The answer is an array of booleans and no node: a step has the slope 0, so nothing would flow back.
`==` is not among them: a Tensor is equal to itself alone, so that it can be looked up in lists and
dicts. `equal` compares numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stage2_tensor.checks.numbers import check_no_numbers, is_tensor, require_tensor
from stage2_tensor.checks.shapes import check_broadcast

if TYPE_CHECKING:
    from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def equal(a: Operand, b: Operand) -> Array:
    """True where a = b; one of them is a Tensor.

    Raises:    TypeError: if none is. ValueError: if their shapes do not fit.
    """
    if not is_tensor(a):
        a, b = require_tensor("equal", b), a
    x, y = read_operands("equal", a, b)
    return x == y


def eq(a: Tensor, b: object) -> bool:
    """True if b is the same Tensor.

    Raises:    TypeError: if b holds numbers, which would be compared one by one.
    """
    check_no_numbers(b)
    return NotImplemented  # Python goes on to ask whether they are the same object


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
