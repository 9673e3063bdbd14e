"""Forward mode: a dual number carries its own derivative along, and no graph is kept.

One forward pass gives the derivative of every output by ONE input, with no memory of the path.
One backward pass gives the derivative of ONE output by every input. A network has one loss and
many parameters, so it is trained backward; a function of one variable with many outputs, or one
that runs for a billion steps, is better differentiated forward.

A Dual may hold floats, Values or Duals: only operators that all three understand are used. A
Dual that holds Values computes a derivative whose graph can be walked backward, which gives the
second derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from stage1_autodiff.derivatives import (
    d_div,
    d_exp,
    d_log,
    d_mul,
    d_pow,
    d_relu,
    d_sigmoid,
    d_tanh,
)
from stage1_autodiff.inputs import check_function, check_numbers
from stage1_autodiff.value import Value

Number: TypeAlias = "float | Value | Dual"


class Dual:
    """value + derivative e, where e is so small that e * e = 0.

    Both parts may be floats, Values or Duals.

    Source:    Clifford (1873), Preliminary Sketch of Biquaternions, where the unit is omega.
    """

    __slots__ = ("value", "derivative")

    def __init__(self, value, derivative) -> None:
        check_numbers("Dual", value=value, derivative=derivative)
        self.value = value
        self.derivative = derivative

    def __add__(self, other: Number) -> Dual:
        """(a + a' e) + (b + b' e) = (a + b) + (a' + b') e."""
        other = as_dual(other)
        return Dual(self.value + other.value, self.derivative + other.derivative)

    def __radd__(self, other: Number) -> Dual:
        """other + self, for a number on the left."""
        return as_dual(other) + self

    def __neg__(self) -> Dual:
        """-self."""
        return Dual(-self.value, -self.derivative)

    def __sub__(self, other: Number) -> Dual:
        """self - other."""
        return self + -as_dual(other)

    def __rsub__(self, other: Number) -> Dual:
        """other - self, for a number on the left."""
        return as_dual(other) - self

    def __mul__(self, other: Number) -> Dual:
        """(a + a' e) (b + b' e) = a b + (b a' + a b') e; the term with e * e is gone."""
        other = as_dual(other)
        da, db = d_mul(self.value, other.value)
        return Dual(self.value * other.value, da * self.derivative + db * other.derivative)

    def __rmul__(self, other: Number) -> Dual:
        """other * self, for a number on the left."""
        return as_dual(other) * self

    def __truediv__(self, other: Number) -> Dual:
        """self / other."""
        other = as_dual(other)
        da, db = d_div(self.value, other.value)
        return Dual(self.value / other.value, da * self.derivative + db * other.derivative)

    def __rtruediv__(self, other: Number) -> Dual:
        """other / self, for a number on the left."""
        return as_dual(other) / self

    def __pow__(self, exponent: float) -> Dual:
        """self ** exponent, for an exponent that is a plain number."""
        return Dual(self.value**exponent, d_pow(self.value, exponent) * self.derivative)

    def __lt__(self, other: Number) -> bool:
        """True if self.value is the smaller one."""
        return self.value < as_dual(other).value

    def __gt__(self, other: Number) -> bool:
        """True if self.value is the larger one."""
        return self.value > as_dual(other).value

    def __le__(self, other: Number) -> bool:
        """True if self.value is not the larger one."""
        return self.value <= as_dual(other).value

    def __ge__(self, other: Number) -> bool:
        """True if self.value is not the smaller one."""
        return self.value >= as_dual(other).value

    def exp(self) -> Dual:
        """e ** self."""
        y = apply("exp", self.value)
        return Dual(y, d_exp(y) * self.derivative)

    def log(self) -> Dual:
        """The natural logarithm of self."""
        return Dual(apply("log", self.value), d_log(self.value) * self.derivative)

    def tanh(self) -> Dual:
        """The hyperbolic tangent of self."""
        y = apply("tanh", self.value)
        return Dual(y, d_tanh(y) * self.derivative)

    def sigmoid(self) -> Dual:
        """1 / (1 + e ** -self)."""
        y = apply("sigmoid", self.value)
        return Dual(y, d_sigmoid(y) * self.derivative)

    def relu(self) -> Dual:
        """max(0, self)."""
        return Dual(apply("relu", self.value), d_relu(self.value) * self.derivative)

    def sin(self) -> Dual:
        """The sine of self."""
        return Dual(apply("sin", self.value), apply("cos", self.value) * self.derivative)

    def cos(self) -> Dual:
        """The cosine of self."""
        return Dual(apply("cos", self.value), -apply("sin", self.value) * self.derivative)

    def __repr__(self) -> str:
        return f"Dual(value={self.value}, derivative={self.derivative})"


def as_dual(x: Number) -> Dual:
    """x itself if it is a Dual, else a constant: a Dual whose derivative is 0."""
    return x if isinstance(x, Dual) else Dual(x, 0.0)


def apply(name: str, x: Number):
    """The function called `name` of x; a plain float borrows the one of Value."""
    return getattr(x, name)() if isinstance(x, Value | Dual) else getattr(Value(x), name)().data


def derivative(f: Callable[[Dual], Number], x: Number) -> Number:
    """df/dx at x in one forward pass: seed the input with derivative 1, read the output's.

    Calls may be nested, `derivative(lambda x: derivative(f, x), x)`, as long as the inner function
    uses no Dual of the outer call: the two e would be taken for the same.
    """
    check_function("derivative", f)
    return as_dual(f(Dual(x, 1.0))).derivative


def second_derivative(f: Callable[[Dual], Number], x: float) -> float:
    """d2f/dx2 at x: the derivative computed forward on a Value, then walked backward."""
    check_function("second_derivative", f)
    leaf = Value(x)
    slope = derivative(f, leaf)
    if isinstance(slope, Value):  # else the slope does not depend on x
        slope.backward()
    return leaf.grad
