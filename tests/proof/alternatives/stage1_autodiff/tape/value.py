"""Stage 1 as a tape: every number gets the next serial number when it is made.

A result is always younger than its inputs. So the youngest-first order of the serial numbers is
an order in which gradients may be handed on, and no search of the graph is needed to find it.
"""

from __future__ import annotations

import itertools
import math
from numbers import Real

import numpy as np

from stage1_autodiff import derivatives as d
from stage1_autodiff.graph import backward

next_serial = itertools.count().__next__


class Value:
    """A number with a serial number and its edges: pairs of a parent and a local derivative."""

    __slots__ = ("serial", "data", "grad", "edges")

    def __init__(self, data: float, *edges: tuple[Value, float]) -> None:
        if not isinstance(data, Real):
            raise TypeError(f"Value: expected a real number, got {type(data).__name__}")
        self.serial = next_serial()
        self.data = float(data)
        self.grad = np.float64(0.0)
        self.edges = edges

    @property
    def parents(self) -> list[Value]:
        return [parent for parent, _ in self.edges]

    def backward(self) -> None:
        backward(self)

    def __add__(self, other: Value | float) -> Value:
        other = lift(other)
        da, db = d.d_add(self.data, other.data)
        return Value(self.data + other.data, (self, da), (other, db))

    def __mul__(self, other: Value | float) -> Value:
        other = lift(other)
        da, db = d.d_mul(self.data, other.data)
        return Value(self.data * other.data, (self, da), (other, db))

    def __pow__(self, other: Value | float) -> Value:
        other = lift(other)
        base, exponent = self.data, other.data
        if base == 0 and exponent < 0:
            raise ZeroDivisionError(f"cannot raise 0 to the power {exponent}")
        y = d.power(base, exponent)
        if isinstance(y, complex):
            raise ValueError(f"({base}) ** {exponent} is not a real number")
        return Value(y, (self, d.d_pow(base, exponent)), (other, d.d_exponent(base, exponent)))

    # All other operators are made of these three.

    def __neg__(self) -> Value:
        return self * -1.0

    def __sub__(self, other: Value | float) -> Value:
        return self + (-lift(other))

    def __truediv__(self, other: Value | float) -> Value:
        return self * lift(other) ** -1

    def __radd__(self, other: float) -> Value:
        return lift(other) + self

    def __rsub__(self, other: float) -> Value:
        return lift(other) - self

    def __rmul__(self, other: float) -> Value:
        return lift(other) * self

    def __rtruediv__(self, other: float) -> Value:
        return lift(other) / self

    def __rpow__(self, other: float) -> Value:
        return lift(other) ** self

    def __abs__(self) -> Value:
        return self.abs()

    def __lt__(self, other: Value | float) -> bool:
        return self.data < lift(other).data

    def __gt__(self, other: Value | float) -> bool:
        return self.data > lift(other).data

    def exp(self) -> Value:
        y = math.exp(self.data) if self.data < 709.78 else math.inf
        return Value(y, (self, d.d_exp(y)))

    def log(self) -> Value:
        if not self.data > 0:
            raise ValueError(f"log of {self.data}, which is not positive")
        return Value(math.log(self.data), (self, d.d_log(self.data)))

    def tanh(self) -> Value:
        y = math.tanh(self.data)
        return Value(y, (self, d.d_tanh(y)))

    def sigmoid(self) -> Value:
        y = 0.5 + 0.5 * math.tanh(0.5 * self.data)
        return Value(y, (self, d.d_sigmoid(y)))

    def relu(self) -> Value:
        y = self.data if not self.data < 0 else 0.0  # written so that NaN passes
        return Value(y, (self, d.d_relu(self.data)))

    def sin(self) -> Value:
        return Value(math.sin(self.data), (self, math.cos(self.data)))

    def cos(self) -> Value:
        return Value(math.cos(self.data), (self, -math.sin(self.data)))

    def sqrt(self) -> Value:
        if self.data < 0:
            raise ValueError(f"sqrt of {self.data}, which is negative")
        y = math.sqrt(self.data)
        return Value(y, (self, d.d_sqrt(y)))

    def abs(self) -> Value:
        return Value(abs(self.data), (self, d.d_abs(self.data)))

    def __repr__(self) -> str:
        return f"Value(data={self.data:.6g}, grad={self.grad:.6g})"


def lift(x: Value | float) -> Value:
    """x as a Value: a new one for a plain number."""
    return x if isinstance(x, Value) else Value(x)


as_value = lift
