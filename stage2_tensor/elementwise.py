"""Operations that treat every element alike. Each is a method of Tensor.

A vjp takes g, the gradient of the output, and returns that of one input, still in the shape of
the output: the engine sums over the axes that broadcasting copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stage2_tensor.checks.numbers import check_bounds, check_power, no_booleans
from stage2_tensor.checks.shapes import check_broadcast
from stage2_tensor.masking import masked

if TYPE_CHECKING:
    from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def unchanged(g: Array) -> Array:
    """The vjp of an input that the output moves along with."""
    return g


def add(a: Tensor, b: Operand) -> Tensor:
    """a + b.

    Gradient:  dL/da = g,  dL/db = g
    """
    b = a.operand(b)
    x, y = a.data, b.data
    check_broadcast("add", x.shape, y.shape)
    return a.from_op(x + y, (a, unchanged), (b, unchanged), op="+")


def sub(a: Tensor, b: Operand) -> Tensor:
    """a - b.

    Gradient:  dL/da = g,  dL/db = -g
    """
    b = a.operand(b)
    x, y = a.data, b.data
    check_broadcast("sub", x.shape, y.shape)
    if x.dtype.kind == y.dtype.kind == "b":
        raise no_booleans("sub")
    return a.from_op(x - y, (a, unchanged), (b, np.negative), op="-")


def mul(a: Tensor, b: Operand) -> Tensor:
    """a * b.

    Gradient:  dL/da = g b,  dL/db = g a
    """
    b = a.operand(b)
    x, y = a.data, b.data
    check_broadcast("mul", x.shape, y.shape)
    return a.from_op(x * y, (a, lambda g: g * y), (b, lambda g: g * x), op="*")


def div(a: Tensor, b: Operand) -> Tensor:
    """a / b.

    Gradient:  dL/da = g / b,  dL/db = -g a / b^2
    """
    b = a.operand(b)
    x, y = a.data, b.data
    check_broadcast("div", x.shape, y.shape)
    return a.from_op(x / y, (a, lambda g: g / y), (b, lambda g: -g * x / (y * y)), op="/")


def pow(a: Tensor, b: Operand) -> Tensor:
    """a ** b. 0 ** 0 is 1, with slope 0 by both inputs; 0 ** b jumps at b = 0, from inf to 0.

    Gradient:  dL/da = g b a^(b - 1),  dL/db = g a^b ln a
    """
    b = a.operand(b)
    x, p = a.data, b.data
    check_broadcast("pow", x.shape, p.shape)
    check_power(x, p)
    y = np.power(x, p)

    def vjp_a(g: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(p == 0, 0, g * (p * np.power(x, p - 1)))

    def vjp_b(g: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where((x == 0) & (p >= 0), 0, g * (y * np.log(x)))

    return a.from_op(y, (a, vjp_a), (b, vjp_b), op="**")


def radd(a: Tensor, b: Operand) -> Tensor:
    """b + a, for a number or an array on the left."""
    return add(a.operand(b), a)


def rsub(a: Tensor, b: Operand) -> Tensor:
    """b - a, for a number or an array on the left."""
    return sub(a.operand(b), a)


def rmul(a: Tensor, b: Operand) -> Tensor:
    """b * a, for a number or an array on the left."""
    return mul(a.operand(b), a)


def rdiv(a: Tensor, b: Operand) -> Tensor:
    """b / a, for a number or an array on the left."""
    return div(a.operand(b), a)


def rpow(a: Tensor, b: Operand) -> Tensor:
    """b ** a, for a number or an array on the left."""
    return pow(a.operand(b), a)


def neg(x: Tensor) -> Tensor:
    """-x.

    Gradient:  dL/dx = -g
    """
    if x.data.dtype.kind == "b":
        raise no_booleans("neg")
    return x.from_op(-x.data, (x, np.negative), op="neg")


def abs(x: Tensor) -> Tensor:
    """The distance of each element from 0.

    Gradient:  dL/dx = g sign(x), which is 0 at 0
    """
    if x.data.dtype.kind == "b":
        raise no_booleans("abs")
    sign = np.sign(x.data)
    return x.from_op(np.abs(x.data), (x, lambda g: g * sign), op="abs")


def exp(x: Tensor) -> Tensor:
    """e ** x.

    Gradient:  dL/dx = g y
    """
    y = np.exp(x.data)
    return x.from_op(y, (x, lambda g: g * y), op="exp")


def log(x: Tensor) -> Tensor:
    """The natural logarithm.

    Gradient:  dL/dx = g / x
    """
    numbers = x.data
    return x.from_op(np.log(numbers), (x, lambda g: g / numbers), op="log")


def sqrt(x: Tensor) -> Tensor:
    """The square root.

    Gradient:  dL/dx = g / (2 y)
    """
    y = np.sqrt(x.data)
    return x.from_op(y, (x, lambda g: g / (2 * y)), op="sqrt")


def sin(x: Tensor) -> Tensor:
    """The sine, in radians.

    Gradient:  dL/dx = g cos(x)
    """
    numbers = x.data
    return x.from_op(np.sin(numbers), (x, lambda g: g * np.cos(numbers)), op="sin")


def cos(x: Tensor) -> Tensor:
    """The cosine, in radians.

    Gradient:  dL/dx = -g sin(x)
    """
    numbers = x.data
    return x.from_op(np.cos(numbers), (x, lambda g: -g * np.sin(numbers)), op="cos")


def tanh(x: Tensor) -> Tensor:
    """The hyperbolic tangent.

    Gradient:  dL/dx = g (1 - y^2)
    """
    y = np.tanh(x.data)
    return x.from_op(y, (x, lambda g: g * (1 - y * y)), op="tanh")


def sigmoid(x: Tensor) -> Tensor:
    """1 / (1 + e ** -x). Far below 0 the power is infinite, and 1 / inf is the 0 that is meant.

    Gradient:  dL/dx = g y (1 - y)
    """
    if x.data.dtype.kind == "b":
        raise no_booleans("sigmoid")
    with np.errstate(over="ignore"):
        y = 1 / (1 + np.exp(-x.data))
    return x.from_op(y, (x, lambda g: (1 - y) * y * g), op="sigmoid")


def relu(x: Tensor) -> Tensor:
    """max(0, x). NaN stays NaN.

    Gradient:  dL/dx = g where x > 0, else 0, also for an infinite g
    """
    y = np.maximum(x.data, 0)
    return x.from_op(y, (x, lambda g: masked(g, y > 0)), op="relu")


def clip(x: Tensor, low: float | None = None, high: float | None = None) -> Tensor:
    """x, with what is below `low` or above `high` brought to that bound.

    Gradient:  dL/dx = g within the bounds, else 0, also for an infinite g
    Raises:    TypeError: if a bound is not a number. ValueError: if low > high.
    """
    check_bounds(low, high)
    if x.data.dtype.kind == "b":
        raise no_booleans("clip")
    y = np.clip(x.data, low, high)
    within = y == x.data
    return x.from_op(y, (x, lambda g: masked(g, within)), op="clip")
