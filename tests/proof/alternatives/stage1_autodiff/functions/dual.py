"""Dual numbers as pairs, with the chain rule in one helper."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import NamedTuple, TypeAlias

from stage1_autodiff import derivatives as d
from stage1_autodiff.value import Value

Number: TypeAlias = "float | Value | Dual"


class DualPair(NamedTuple):
    """What a Dual is made of."""

    value: Number
    derivative: Number = 0.0


class Dual(DualPair):
    """value + derivative e, with e * e = 0."""

    __slots__ = ()
    __array_ufunc__ = None  # else a NumPy scalar on the left takes the pair for an array

    def __add__(self, other: Number) -> Dual:
        (a, da), (b, db) = self, dual(other)
        return Dual(a + b, da + db)

    def __radd__(self, other: Number) -> Dual:
        return dual(other).__add__(self)

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.derivative)

    def __sub__(self, other: Number) -> Dual:
        (a, da), (b, db) = self, dual(other)
        return Dual(a - b, da - db)

    def __rsub__(self, other: Number) -> Dual:
        return dual(other).__sub__(self)

    def __mul__(self, other: Number) -> Dual:
        (a, da), (b, db) = self, dual(other)
        return Dual(a * b, a * db + da * b)

    def __rmul__(self, other: Number) -> Dual:
        return dual(other).__mul__(self)

    def __truediv__(self, other: Number) -> Dual:
        (a, da), (b, db) = self, dual(other)
        return Dual(a / b, (da - a / b * db) / b)

    def __rtruediv__(self, other: Number) -> Dual:
        return dual(other).__truediv__(self)

    def __pow__(self, exponent: float) -> Dual:
        return self.chain(self.value**exponent, d.d_pow(self.value, exponent))

    def __lt__(self, other: Number) -> bool:
        return self.value < dual(other).value

    def __gt__(self, other: Number) -> bool:
        return self.value > dual(other).value

    def chain(self, y: Number, slope: Number) -> Dual:
        """The value y of a function of self, which has this slope there."""
        return Dual(y, slope * self.derivative)

    def exp(self) -> Dual:
        y = compute(self.value, "exp")
        return self.chain(y, d.d_exp(y))

    def log(self) -> Dual:
        return self.chain(compute(self.value, "log"), d.d_log(self.value))

    def tanh(self) -> Dual:
        y = compute(self.value, "tanh")
        return self.chain(y, d.d_tanh(y))

    def sigmoid(self) -> Dual:
        y = compute(self.value, "sigmoid")
        return self.chain(y, d.d_sigmoid(y))

    def relu(self) -> Dual:
        return self.chain(compute(self.value, "relu"), d.d_relu(self.value))

    def sin(self) -> Dual:
        return self.chain(compute(self.value, "sin"), compute(self.value, "cos"))

    def cos(self) -> Dual:
        return self.chain(compute(self.value, "cos"), -compute(self.value, "sin"))

    def __repr__(self) -> str:
        return f"Dual(value={self.value}, derivative={self.derivative})"


def dual(x: Number) -> Dual:
    return x if isinstance(x, Dual) else Dual(x)


@singledispatch
def compute(x: float, name: str) -> Number:
    """The function called `name` at x, whatever kind of number x is."""
    return getattr(Value(x), name)().data


@compute.register(Value)
@compute.register(Dual)
def _(x: Value | Dual, name: str) -> Number:
    return getattr(x, name)()


def derivative(f: Callable[[Dual], Dual], x: Number) -> Number:
    return dual(f(Dual(x, 1.0))).derivative


def second_derivative(f: Callable[[Dual], Dual], x: float) -> float:
    """The derivative of the function that gives the derivative."""
    slope = derivative(lambda at: derivative(f, at), x)
    return slope
