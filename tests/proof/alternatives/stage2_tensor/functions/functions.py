"""One class per operation: forward computes and saves, backward reads what was saved."""

from __future__ import annotations

import numpy as np


class Function:
    """An operation that was carried out; it keeps its inputs and whatever backward needs."""

    def __init__(self, inputs, **settings):
        self.inputs = inputs
        self.saved = ()
        self.__dict__.update(settings)

    def save(self, *arrays):
        self.saved = arrays

    def forward(self, *arrays):
        raise TypeError(f"{type(self).__name__}: expected a forward of its own, got none")

    def backward(self, g):
        raise TypeError(f"{type(self).__name__}: expected a backward of its own, got none")


class Recorded(Function):
    """An operation that was handed over as edges."""

    def backward(self, g):
        return [vjp(g) for vjp in self.vjps]


class Add(Function):
    def forward(self, a, b):
        return a + b

    def backward(self, g):
        return g, g


class Sub(Function):
    def forward(self, a, b):
        return a - b

    def backward(self, g):
        return g, -g


class Mul(Function):
    def forward(self, a, b):
        self.save(a, b)
        return a * b

    def backward(self, g):
        a, b = self.saved
        return b * g, a * g


class Div(Function):
    def forward(self, a, b):
        self.save(a, b)
        return a / b

    def backward(self, g):
        a, b = self.saved
        return g / b, -(a / b) * (g / b)


class Pow(Function):
    def forward(self, a, b):
        y = a**b
        self.save(a, b, y)
        return y

    def backward(self, g):
        a, b, y = self.saved
        by_a, by_b = np.zeros(np.shape(y)), np.zeros(np.shape(y))
        a, b = np.broadcast_arrays(a, b)
        moves = b != 0
        with np.errstate(divide="ignore", invalid="ignore"):
            by_a[moves] = (b * a ** np.where(moves, b - 1, 0))[moves]
            some = (a != 0) | (b < 0)
            by_b[some] = (y * np.log(np.where(some, a, 1)))[some]
        return g * by_a, g * by_b


class Neg(Function):
    def forward(self, x):
        return -x

    def backward(self, g):
        return (-g,)


class Slope(Function):
    """An operation on each element, by a pair of functions: its value, and its slope."""

    def forward(self, x):
        y = self.value(x)
        self.save(x, y)
        return y

    def backward(self, g):
        return (g * self.slope(*self.saved),)


class Masked(Slope):
    """The same, for a slope that is true where g passes."""

    def backward(self, g):
        passed = np.zeros_like(g)
        np.copyto(passed, g, where=self.slope(*self.saved))
        return (passed,)


class Sum(Function):
    def forward(self, x):
        self.shape = x.shape
        return x.sum(axis=self.axes, keepdims=self.keepdims)

    def backward(self, g):
        full = [1 if i in self.axes else n for i, n in enumerate(self.shape)]
        return (np.tile(g.reshape(full), [n // m for n, m in zip(self.shape, full)]),)


class Best(Function):
    """max and min."""

    def forward(self, x):
        y = self.choose(x, axis=self.axes, keepdims=True)
        ties = np.equal(x, y)
        self.save(ties, np.sum(ties, axis=self.axes, keepdims=True))
        self.kept = y.shape
        return y if self.keepdims else y.reshape(np.squeeze(y, self.axes).shape)

    def backward(self, g):
        ties, n = self.saved
        return (np.where(ties, g.reshape(self.kept) / n, 0),)


class Move(Function):
    """An operation that only moves elements, and knows the opposite move."""

    def forward(self, x):
        return self.there(x)

    def backward(self, g):
        return (self.back(g),)


class MatMul(Function):
    def forward(self, a, b):
        self.save(a, b)
        return np.einsum("...ij,...jk->...ik", a, b, optimize=True)

    def backward(self, g):
        a, b = self.saved
        by_a = np.einsum("...ik,...jk->...ij", g, b, optimize=True)
        return by_a, np.einsum("...ij,...ik->...jk", a, g, optimize=True)
