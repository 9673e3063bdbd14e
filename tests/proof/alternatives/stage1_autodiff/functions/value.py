"""A Value knows the operation that created it; the operation knows the rest."""

from __future__ import annotations

from numbers import Real

from stage1_autodiff import operations as op
from stage1_autodiff.graph import backward


class Value:
    """A number and the operation it came from, or None for a leaf."""

    __slots__ = ("data", "grad", "creator", "__weakref__")

    __array_ufunc__ = None  # a NumPy scalar on the left leaves the operation to us

    def __init__(self, data: float, creator: op.Operation | None = None) -> None:
        if not isinstance(data, Real):
            raise TypeError(f"a Value holds a real number, not {data!r}")
        self.data = float(data)
        self.grad = 0.0
        self.creator = creator

    @property
    def parents(self) -> tuple[Value, ...]:
        return self.creator.inputs if self.creator else ()

    def backward(self) -> None:
        backward(self)

    def __add__(self, other: Value | float) -> Value:
        return run(op.Add, self, other)

    def __radd__(self, other: float) -> Value:
        return run(op.Add, other, self)

    def __sub__(self, other: Value | float) -> Value:
        return run(op.Subtract, self, other)

    def __rsub__(self, other: float) -> Value:
        return run(op.Subtract, other, self)

    def __mul__(self, other: Value | float) -> Value:
        return run(op.Multiply, self, other)

    def __rmul__(self, other: float) -> Value:
        return run(op.Multiply, other, self)

    def __neg__(self) -> Value:
        return run(op.Subtract, 0.0, self)

    def __truediv__(self, other: Value | float) -> Value:
        return run(op.Divide, self, other)

    def __rtruediv__(self, other: float) -> Value:
        return run(op.Divide, other, self)

    def __pow__(self, other: Value | float) -> Value:
        return run(op.Power, self, other)

    def __rpow__(self, other: float) -> Value:
        return run(op.Power, other, self)

    def __abs__(self) -> Value:
        return run(op.Abs, self)

    def __lt__(self, other: Value | float) -> bool:
        return self.data < as_value(other).data

    def __gt__(self, other: Value | float) -> bool:
        return self.data > as_value(other).data

    def exp(self) -> Value:
        return run(op.Exp, self)

    def log(self) -> Value:
        return run(op.Log, self)

    def tanh(self) -> Value:
        return run(op.Tanh, self)

    def sigmoid(self) -> Value:
        return run(op.Sigmoid, self)

    def relu(self) -> Value:
        return run(op.Relu, self)

    def sin(self) -> Value:
        return run(op.Sin, self)

    def cos(self) -> Value:
        return run(op.Cos, self)

    def sqrt(self) -> Value:
        return run(op.Sqrt, self)

    def abs(self) -> Value:
        return run(op.Abs, self)

    def __repr__(self) -> str:
        return f"Value(data={self.data:.6g}, grad={self.grad:.6g})"


def as_value(x: Value | float) -> Value:
    """x itself, or a new leaf around the number x."""
    return x if isinstance(x, Value) else Value(x)


def run(operation: type[op.Operation], *inputs: Value | float) -> Value:
    """The result of an operation on these inputs."""
    return record(operation(*map(as_value, inputs)))


def record(use: op.Operation) -> Value:
    """The result of one use of an operation, as a Value that knows how it came about."""
    return Value(use.forward(*(x.data for x in use.inputs)), creator=use)
