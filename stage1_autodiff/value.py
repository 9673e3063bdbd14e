"""A number that remembers which numbers it was computed from.

An operation is one `return`: its value, its parents, and one local derivative per parent. That is
all `backward` needs, and since a node points at its parents only, a graph is freed the moment
nobody holds its root.
"""

from __future__ import annotations

import math
import sys

from stage1_autodiff.derivatives import (
    d_abs,
    d_add,
    d_div,
    d_exp,
    d_exponent,
    d_log,
    d_mul,
    d_pow,
    d_relu,
    d_sigmoid,
    d_sqrt,
    d_sub,
    d_tanh,
    power,
)
from stage1_autodiff.graph import backward
from stage1_autodiff.number import Number
from stage1_autodiff.operands import (
    as_float,
    check_finite,
    division_by_zero,
    root_of_negative,
    zero_to_negative_power,
)

LARGEST_EXPONENT = math.log(sys.float_info.max)  # 709.78: exp() of more is infinite


class Value(Number):
    """A float with a gradient: a node of the graph that every operation extends.

    data      the number
    grad      d root / d self, filled by `root.backward()`; 0.0 before
    parents   the Values this one was computed from; () for a leaf
    partials  d self / d parent, one float per parent
    op        the name of the operation; "" for a leaf
    label     a name for pictures and reports, if you give one

    With `Value.prune = True` a relu that is off is a leaf: it would send nothing anyway. What it
    was computed from is freed at once, so that training takes less time, and no picture shows it.
    """

    __slots__ = ("data", "grad", "parents", "partials", "op", "label")

    prune = False

    def __init__(
        self,
        data: float,
        parents: tuple[Value, ...] = (),
        partials: tuple[float, ...] = (),
        op: str = "",
        label: str = "",
    ) -> None:
        self.data: float = data if type(data) is float else as_float(data)
        self.grad = 0.0
        self.parents = parents
        self.partials = partials
        self.op = op
        self.label = label

    def backward(self) -> None:
        """Add d self / d leaf to the gradient of every leaf that self was computed from."""
        backward(self)

    # Operators. A plain number on either side becomes a leaf of its own.

    def __add__(self, other: Value | float) -> Value:
        """self + other."""
        other = other if isinstance(other, Value) else Value(other)
        a, b = self.data, other.data
        return Value(a + b, (self, other), d_add(a, b), "+")

    def __radd__(self, other: float) -> Value:
        """other + self, for a number on the left. `sum` needs it: it starts from the number 0."""
        return as_value(other) + self

    def __sub__(self, other: Value | float) -> Value:
        """self - other."""
        other = as_value(other)
        a, b = self.data, other.data
        return Value(a - b, (self, other), d_sub(a, b), "-")

    def __rsub__(self, other: float) -> Value:
        """other - self, for a number on the left."""
        return as_value(other) - self

    def __mul__(self, other: Value | float) -> Value:
        """self * other."""
        other = other if isinstance(other, Value) else Value(other)
        a, b = self.data, other.data
        return Value(a * b, (self, other), d_mul(a, b), "*")

    def __rmul__(self, other: float) -> Value:
        """other * self, for a number on the left."""
        return as_value(other) * self

    def __neg__(self) -> Value:
        """-self."""
        return Value(-self.data, (self,), (-1.0,), "neg")

    def __truediv__(self, other: Value | float) -> Value:
        """self / other.

        Raises:    ZeroDivisionError: if other is 0.
        """
        other = as_value(other)
        a, b = self.data, other.data
        if b == 0:
            raise division_by_zero(a, b)
        return Value(a / b, (self, other), d_div(a, b), "/")

    def __rtruediv__(self, other: float) -> Value:
        """other / self, for a number on the left."""
        return as_value(other) / self

    def __pow__(self, other: Value | float) -> Value:
        """self ** other. A Value as exponent is differentiated too; 0 ** 0 is 1, with slope 0.

        Raises:    ValueError: if self is negative and other is not a whole number.
                   ZeroDivisionError: if self is 0 and other is negative.
        """
        a, b = self.data, as_value(other).data
        if a < 0 and b % 1 != 0:
            raise root_of_negative(a, b)
        if a == 0 and b < 0:
            raise zero_to_negative_power(a, b)
        y = power(a, b)
        if isinstance(other, Value):
            return Value(y, (self, other), (d_pow(a, b), d_exponent(a, b)), "**")
        return Value(y, (self,), (d_pow(a, b),), f"** {b:g}")

    def __rpow__(self, other: float) -> Value:
        """other ** self, for a number on the left."""
        return as_value(other) ** self

    def __abs__(self) -> Value:
        """abs(self)."""
        return self.abs()

    # Functions.

    def exp(self) -> Value:
        """e ** self; infinite where the result is too large for a float."""
        y = math.inf if self.data > LARGEST_EXPONENT else math.exp(self.data)
        return Value(y, (self,), (d_exp(y),), "exp")

    def log(self) -> Value:
        """The natural logarithm of self.

        Raises:    ValueError: if self is not positive.
        """
        if self.data <= 0:
            raise ValueError(
                f"log: expected a number > 0, got {self.data}; add a small number to it first"
            )
        return Value(math.log(self.data), (self,), (d_log(self.data),), "log")

    def tanh(self) -> Value:
        """The hyperbolic tangent of self, between -1 and 1."""
        y = math.tanh(self.data)  # safe at +-1000, which (e^2x - 1) / (e^2x + 1) is not
        return Value(y, (self,), (d_tanh(y),), "tanh")

    def sigmoid(self) -> Value:
        """1 / (1 + e ** -self), between 0 and 1."""
        if self.data >= 0:
            y = 1 / (1 + math.exp(-self.data))
        else:  # the same, times e^x / e^x: no exp() of a large number on either side
            y = math.exp(self.data) / (1 + math.exp(self.data))
        return Value(y, (self,), (d_sigmoid(y),), "sigmoid")

    def relu(self) -> Value:
        """max(0, self). NaN stays NaN."""
        if self.data <= 0:
            return switched_off("relu", self)
        return Value(self.data, (self,), (d_relu(self.data),), "relu")

    def sin(self) -> Value:
        """The sine of self, in radians.

        Raises:    ValueError: if self is infinite.
        """
        check_finite("sin", self.data)
        return Value(math.sin(self.data), (self,), (math.cos(self.data),), "sin")

    def cos(self) -> Value:
        """The cosine of self, in radians.

        Raises:    ValueError: if self is infinite.
        """
        check_finite("cos", self.data)
        return Value(math.cos(self.data), (self,), (-math.sin(self.data),), "cos")

    def sqrt(self) -> Value:
        """The square root of self.

        Raises:    ValueError: if self is negative.
        """
        if self.data < 0:
            raise ValueError(f"sqrt: expected a number >= 0, got {self.data}; take abs() first")
        y = math.sqrt(self.data)
        return Value(y, (self,), (d_sqrt(y),), "sqrt")

    def abs(self) -> Value:
        """The distance of self from 0."""
        return Value(abs(self.data), (self,), (d_abs(self.data),), "abs")

    def __repr__(self) -> str:
        label = f", label={self.label!r}" if self.label else ""
        return f"Value(data={self.data:.6g}, grad={self.grad:.6g}{label})"


def switched_off(op: str, *parents: Value) -> Value:
    """A relu that is off: 0, whatever its parents do; a leaf if the graph is pruned."""
    kept = () if Value.prune else parents
    return Value(0.0, kept, (0.0,) * len(kept), op)


def as_value(x: Value | float) -> Value:
    """x itself if it is a Value, else a new leaf that holds the number x."""
    return x if isinstance(x, Value) else Value(x)
