"""Stage 1 in the manner of micrograd: every operation leaves a closure behind.

The closure remembers the numbers that the operation saw. Called later, it hands the gradient of
the result on to the inputs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from numbers import Real

from stage1_autodiff.derivatives import d_exponent, d_pow, power
from stage1_autodiff.graph import backward


def pass_nothing_on() -> None:
    """The closure of a leaf, which has no inputs."""


class Value:
    """A number, its gradient, the set of its parents and the closure that feeds them."""

    def __init__(
        self, data: float, parents: Iterable[Value] = (), op: str = "", label: str = ""
    ) -> None:
        if not isinstance(data, Real):
            raise TypeError(f"Value: expected a real number, got {data!r}; convert it first")
        self.data = float(data)
        self.grad = 0.0
        self.parents = set(parents)
        self.op = op
        self.label = label
        self._backward: Callable[[], None] = pass_nothing_on

    def backward(self) -> None:
        backward(self)

    def __add__(self, other: Value | float) -> Value:
        other = as_value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward() -> None:
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __radd__(self, other: float) -> Value:
        return self + other

    def __sub__(self, other: Value | float) -> Value:
        other = as_value(other)
        out = Value(self.data - other.data, (self, other), "-")

        def _backward() -> None:
            self.grad += out.grad
            other.grad -= out.grad

        out._backward = _backward
        return out

    def __rsub__(self, other: float) -> Value:
        return -self + other

    def __mul__(self, other: Value | float) -> Value:
        other = as_value(other)
        a, b = self.data, other.data
        out = Value(a * b, (self, other), "*")

        def _backward() -> None:
            self.grad += b * out.grad
            other.grad += a * out.grad

        out._backward = _backward
        return out

    def __rmul__(self, other: float) -> Value:
        return self * other

    def __neg__(self) -> Value:
        return self * -1

    def __truediv__(self, other: Value | float) -> Value:
        other = as_value(other)
        a, b = self.data, other.data
        if not b:
            raise ZeroDivisionError(f"div: expected a non-zero denominator, got {a} / {b}")
        out = Value(a / b, (self, other), "/")

        def _backward() -> None:
            self.grad += out.grad / b
            other.grad -= out.grad * (a / b) / b

        out._backward = _backward
        return out

    def __rtruediv__(self, other: float) -> Value:
        return as_value(other) / self

    def __pow__(self, other: Value | float) -> Value:
        other = as_value(other)
        a, b = self.data, other.data
        if a < 0 and not b.is_integer():
            raise ValueError(f"pow: expected a base >= 0 for a fraction, got ({a}) ** {b}")
        if a == 0 and b < 0:
            raise ZeroDivisionError(f"pow: expected a non-zero base, got {a} ** {b}")
        out = Value(power(a, b), (self, other), "**")

        def _backward() -> None:
            self.grad += d_pow(a, b) * out.grad
            other.grad += d_exponent(a, b) * out.grad

        out._backward = _backward
        return out

    def __rpow__(self, other: float) -> Value:
        return as_value(other) ** self

    def __abs__(self) -> Value:
        return self.abs()

    def __lt__(self, other: Value | float) -> bool:
        return self.data < as_value(other).data

    def __gt__(self, other: Value | float) -> bool:
        return self.data > as_value(other).data

    def exp(self) -> Value:
        try:
            y = math.exp(self.data)
        except OverflowError:
            y = math.inf
        return self._function("exp", y, y)

    def log(self) -> Value:
        if self.data <= 0:
            raise ValueError(f"log: expected a number > 0, got {self.data}")
        return self._function("log", math.log(self.data), 1 / self.data)

    def tanh(self) -> Value:
        y = math.tanh(self.data)
        return self._function("tanh", y, 1 - y**2)

    def sigmoid(self) -> Value:
        shrunk = math.exp(-abs(self.data))  # between 0 and 1, whatever the sign
        y = (1.0 if self.data >= 0 else shrunk) / (1 + shrunk)
        return self._function("sigmoid", y, y * (1 - y))

    def relu(self) -> Value:
        is_off = self.data < 0
        return self._function("relu", 0.0 if is_off else self.data, 0.0 if is_off else 1.0)

    def sin(self) -> Value:
        return self._function("sin", math.sin(self.data), math.cos(self.data))

    def cos(self) -> Value:
        return self._function("cos", math.cos(self.data), -math.sin(self.data))

    def sqrt(self) -> Value:
        if self.data < 0:
            raise ValueError(f"sqrt: expected a number >= 0, got {self.data}")
        y = math.sqrt(self.data)
        return self._function("sqrt", y, 0.5 / y if y else math.inf)

    def abs(self) -> Value:
        return self._function("abs", abs(self.data), math.copysign(1.0, self.data))

    def _function(self, op: str, y: float, slope: float) -> Value:
        """The result y of a function of self alone, whose local derivative is `slope`."""
        out = Value(y, (self,), op)

        def _backward() -> None:
            self.grad += slope * out.grad

        out._backward = _backward
        return out

    def __repr__(self) -> str:
        label = f", label={self.label!r}" if self.label else ""
        return f"Value(data={self.data:.6g}, grad={self.grad:.6g}{label})"


def as_value(x: Value | float) -> Value:
    """x itself, or a new leaf around the number x."""
    return x if isinstance(x, Value) else Value(x)
