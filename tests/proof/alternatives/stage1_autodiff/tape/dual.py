"""Dual numbers by one rule: the new derivative is the sum of partial times old derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from stage1_autodiff import derivatives as d
from stage1_autodiff.value import Value

Number: TypeAlias = "float | Value | Dual"


class Dual:
    """A value and how fast it changes."""

    __slots__ = ("value", "derivative")

    def __init__(self, value: Number, derivative: Number = 0.0) -> None:
        self.value = value
        self.derivative = derivative

    def __add__(self, other: Number) -> Dual:
        return binary(d.d_add, self.value + value_of(other), self, other)

    def __radd__(self, other: Number) -> Dual:
        return Dual(other) + self

    def __sub__(self, other: Number) -> Dual:
        return binary(d.d_sub, self.value - value_of(other), self, other)

    def __rsub__(self, other: Number) -> Dual:
        return Dual(other) - self

    def __mul__(self, other: Number) -> Dual:
        return binary(d.d_mul, self.value * value_of(other), self, other)

    def __rmul__(self, other: Number) -> Dual:
        return Dual(other) * self

    def __truediv__(self, other: Number) -> Dual:
        return binary(d.d_div, self.value / value_of(other), self, other)

    def __rtruediv__(self, other: Number) -> Dual:
        return Dual(other) / self

    def __neg__(self) -> Dual:
        return 0.0 - self

    def __pow__(self, exponent: float) -> Dual:
        return Dual(self.value**exponent, d.d_pow(self.value, exponent) * self.derivative)

    def __lt__(self, other: Number) -> bool:
        return self.value < value_of(other)

    def __gt__(self, other: Number) -> bool:
        return self.value > value_of(other)

    def exp(self) -> Dual:
        return unary(d.d_exp, "exp", self, from_output=True)

    def log(self) -> Dual:
        return unary(d.d_log, "log", self, from_output=False)

    def tanh(self) -> Dual:
        return unary(d.d_tanh, "tanh", self, from_output=True)

    def sigmoid(self) -> Dual:
        return unary(d.d_sigmoid, "sigmoid", self, from_output=True)

    def relu(self) -> Dual:
        return unary(d.d_relu, "relu", self, from_output=False)

    def sin(self) -> Dual:
        return unary(lambda x: method("cos", x), "sin", self, from_output=False)

    def cos(self) -> Dual:
        return unary(lambda x: 0.0 - method("sin", x), "cos", self, from_output=False)

    def __repr__(self) -> str:
        return f"Dual(value={self.value}, derivative={self.derivative})"


def value_of(x: Number) -> Number:
    return x.value if isinstance(x, Dual) else x


def binary(rule: Callable, value: Number, x: Dual, other: Number) -> Dual:
    """The result `value` of an operation on x and other, whose partials `rule` gives."""
    partial_x, partial_other = rule(x.value, value_of(other))
    slope = partial_x * x.derivative
    if isinstance(other, Dual):
        slope = slope + partial_other * other.derivative
    return Dual(value, slope)


def unary(rule: Callable, name: str, x: Dual, from_output: bool) -> Dual:
    """The function called `name` of x; `rule` wants its output or its input."""
    y = method(name, x.value)
    return Dual(y, rule(y if from_output else x.value) * x.derivative)


def method(name: str, x: Number) -> Number:
    """x.name(); a plain number takes the way through a Value."""
    if isinstance(x, Value | Dual):
        return getattr(x, name)()
    return getattr(Value(x), name)().data


def derivative(f: Callable[[Dual], Dual], x: Number) -> Number:
    y = f(Dual(x, 1.0))
    if not isinstance(y, Dual):
        return 0.0
    return y.derivative


def second_derivative(f: Callable[[Dual], Dual], x: float) -> float:
    """A dual number of dual numbers: the derivative part of the derivative part."""
    y = f(Dual(Dual(float(x), 1.0), Dual(1.0, 0.0)))
    if isinstance(y, Dual) and isinstance(y.derivative, Dual):
        return y.derivative.derivative
    return 0.0
