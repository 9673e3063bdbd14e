"""Dual numbers with every rule written out where it is used."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from stage1_autodiff.derivatives import d_pow
from stage1_autodiff.value import Value

Number: TypeAlias = "float | Value | Dual"


class Dual:
    """value + derivative e, with e * e = 0."""

    def __init__(self, value: Number, derivative: Number = 0.0) -> None:
        self.value = value
        self.derivative = derivative

    def __add__(self, other: Number) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value + other.value, self.derivative + other.derivative)
        return Dual(self.value + other, self.derivative)

    def __radd__(self, other: Number) -> Dual:
        return self + other

    def __neg__(self) -> Dual:
        return Dual(-1 * self.value, -1 * self.derivative)

    def __sub__(self, other: Number) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value - other.value, self.derivative - other.derivative)
        return Dual(self.value - other, self.derivative)

    def __rsub__(self, other: Number) -> Dual:
        return Dual(other - self.value, -1 * self.derivative)

    def __mul__(self, other: Number) -> Dual:
        if isinstance(other, Dual):
            slope = self.derivative * other.value + self.value * other.derivative
            return Dual(self.value * other.value, slope)
        return Dual(self.value * other, self.derivative * other)

    def __rmul__(self, other: Number) -> Dual:
        return self * other

    def __truediv__(self, other: Number) -> Dual:
        if isinstance(other, Dual):
            quotient = self.value / other.value
            slope = (self.derivative - quotient * other.derivative) / other.value
            return Dual(quotient, slope)
        return Dual(self.value / other, self.derivative / other)

    def __rtruediv__(self, other: Number) -> Dual:
        return Dual(other) / self

    def __pow__(self, exponent: float) -> Dual:
        slope = d_pow(self.value, exponent)
        return Dual(self.value**exponent, slope * self.derivative)

    def __lt__(self, other: Number) -> bool:
        return self.value < (other.value if isinstance(other, Dual) else other)

    def __gt__(self, other: Number) -> bool:
        return self.value > (other.value if isinstance(other, Dual) else other)

    def exp(self) -> Dual:
        y = call("exp", self.value)
        return Dual(y, y * self.derivative)

    def log(self) -> Dual:
        return Dual(call("log", self.value), self.derivative / self.value)

    def tanh(self) -> Dual:
        y = call("tanh", self.value)
        return Dual(y, (1 - y * y) * self.derivative)

    def sigmoid(self) -> Dual:
        y = call("sigmoid", self.value)
        return Dual(y, y * (1 - y) * self.derivative)

    def relu(self) -> Dual:
        return Dual(call("relu", self.value), self.derivative * (1 if self.value > 0 else 0))

    def sin(self) -> Dual:
        return Dual(call("sin", self.value), call("cos", self.value) * self.derivative)

    def cos(self) -> Dual:
        return Dual(call("cos", self.value), -1 * call("sin", self.value) * self.derivative)

    def __repr__(self) -> str:
        return f"Dual(value={self.value}, derivative={self.derivative})"


def call(name: str, x: Number) -> Number:
    """The method `name` of a Value or a Dual; of a float, the function of `math`."""
    if isinstance(x, Value | Dual):
        return getattr(x, name)()
    if name == "relu":
        return x if x > 0 else 0.0
    if name == "sigmoid":
        return 1 / (1 + math.exp(-x)) if x > 0 else 1 - 1 / (1 + math.exp(x))
    if name == "exp" and x > 709:
        return math.inf
    return getattr(math, name)(x)


def derivative(f: Callable[[Dual], Dual], x: Number) -> Number:
    result = f(Dual(x, 1.0))
    return result.derivative if isinstance(result, Dual) else 0.0


def second_derivative(f: Callable[[Dual], Dual], x: float) -> float:
    """The slope of the slope: the first measured forward, the second walked backward."""
    leaf = Value(x)
    slope = derivative(f, leaf) + 0 * leaf  # a Value, even where the slope is a constant
    slope.backward()
    return leaf.grad
