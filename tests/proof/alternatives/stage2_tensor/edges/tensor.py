"""Stage 2 with edges, and a queue that hands out the youngest node first.

Every node has a number that counts up. A node is older than all that was made of it, so taking
the youngest first is an order in which no gradient is sent before it is complete: no search for
an order is needed. The rules of the operations are those of the reference, one vjp per edge.
"""

from __future__ import annotations

import heapq
from itertools import count

import numpy as np

from stage2_tensor import elementwise, indexing, matmul, reductions, shaping
from stage2_tensor.checks.numbers import real_array
from stage2_tensor.grad_mode import GradMode

Operand = object
NUMBERS = count()


class Tensor:
    """An array with edges: (parent, vjp) pairs, whether the parent wants a gradient or not."""

    __array_ufunc__ = None

    def __init__(self, data, requires_grad=False, dtype=None, label=""):
        self.data = as_array(data, dtype)
        if requires_grad and self.data.dtype.kind in "iub":
            raise TypeError(f"Tensor: expected floats for requires_grad, got {self.data.dtype}")
        self.requires_grad = requires_grad
        self.grad = None
        self.edges = ()
        self.number = next(NUMBERS)
        self.op, self.label, self.line = "", label, ""

    @classmethod
    def from_op(cls, data, *edges, op=""):
        out = Tensor.__new__(Tensor)
        out.data = np.asarray(data)
        out.requires_grad = GradMode.enabled and any(parent.requires_grad for parent, _ in edges)
        out.edges = edges if out.requires_grad else ()
        out.number = next(NUMBERS)
        out.grad, out.op, out.label, out.line = None, op, "", ""
        return out

    @property
    def parents(self):
        return [parent for parent, _ in self.edges]

    def operand(self, other):
        if isinstance(other, Tensor):
            return other
        array = real_array("operand", other)
        return Tensor(array.astype(self.dtype) if self.dtype.kind == "f" else array)

    def backward(self, gradient=None):
        if not self.requires_grad:
            raise RuntimeError("backward: expected a tensor that requires a gradient")
        if gradient is None and self.size != 1:
            raise ValueError(f"backward: expected one element, got shape {self.shape}")
        g = np.ones(self.shape) if gradient is None else getattr(gradient, "data", gradient)
        g = np.array(g, self.dtype)
        if g.shape != self.shape:
            raise ValueError(f"backward: expected shape {self.shape}, got {g.shape}")
        waiting = {self.number: [self, g]}
        queue = [-self.number]
        while queue:
            node, g = waiting.pop(-heapq.heappop(queue))
            if not node.edges:
                node.grad = g if node.grad is None else node.grad + g
            for parent, vjp in node.edges:
                if not parent.requires_grad:
                    continue
                share = sum_to(np.asarray(vjp(g)), parent.shape).astype(parent.dtype)
                if parent.number in waiting:
                    waiting[parent.number][1] = waiting[parent.number][1] + share
                else:
                    waiting[parent.number] = [parent, share.copy()]
                    heapq.heappush(queue, -parent.number)

    def zero_grad(self):
        self.grad = None

    def detach(self):
        return Tensor(self.data)

    def numpy(self):
        return self.data

    def item(self):
        if self.size != 1:
            raise ValueError(f"item: expected one element, got shape {self.shape}")
        return self.data.item()

    @property
    def shape(self):
        return self.data.shape

    @property
    def ndim(self):
        return self.data.ndim

    @property
    def size(self):
        return self.data.size

    @property
    def dtype(self):
        return self.data.dtype

    @property
    def T(self):
        return self.transpose()

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __lt__(self, other):
        return self.data < self.operand(other).data

    def __le__(self, other):
        return self.data <= self.operand(other).data

    def __gt__(self, other):
        return self.data > self.operand(other).data

    def __ge__(self, other):
        return self.data >= self.operand(other).data

    def __sub__(self, other):
        return self + -self.operand(other)

    def __truediv__(self, other):
        return self * self.operand(other) ** -1

    def __rsub__(self, other):
        return -self + other

    def __rtruediv__(self, other):
        return self**-1 * other

    def sigmoid(self):
        return (self * 0.5).tanh() * 0.5 + 0.5

    def mean(self, axis=None, keepdims=False):
        total = self.sum(axis, keepdims)
        if not self.size:
            raise ValueError(f"mean: expected at least one element, got shape {self.shape}")
        return total * (total.size / self.size)

    def var(self, axis=None, keepdims=False, correction=0):
        centred = self - self.mean(axis, True)
        total = (centred**2).sum(axis, keepdims)
        n = self.size / total.size
        if n <= correction:
            raise ValueError(f"var: expected more than {correction} elements, got {n:g}")
        return total / (n - correction)

    def std(self, axis=None, keepdims=False, correction=0):
        return self.var(axis, keepdims, correction) ** 0.5

    __add__, __radd__ = elementwise.add, elementwise.radd
    __mul__, __rmul__ = elementwise.mul, elementwise.rmul
    __pow__, __rpow__ = elementwise.pow, elementwise.rpow
    __matmul__, __rmatmul__ = matmul.matmul, matmul.rmatmul
    __neg__ = elementwise.neg
    __abs__ = abs = elementwise.abs
    exp, log, sqrt = elementwise.exp, elementwise.log, elementwise.sqrt
    sin, cos, tanh = elementwise.sin, elementwise.cos, elementwise.tanh
    relu, clip = elementwise.relu, elementwise.clip
    sum, max, min = reductions.sum, reductions.max, reductions.min
    logsumexp = reductions.logsumexp
    argmax, argmin = reductions.argmax, reductions.argmin
    reshape, flatten, transpose = shaping.reshape, shaping.flatten, shaping.transpose
    swapaxes, squeeze, unsqueeze = shaping.swapaxes, shaping.squeeze, shaping.unsqueeze
    broadcast_to, pad, flip = shaping.broadcast_to, shaping.pad, shaping.flip
    __getitem__, take = indexing.getitem, indexing.take


def sum_to(g, shape):
    """Sum g to a shape: the axes in front first, then those that were stretched."""
    while g.ndim > len(shape):
        g = g.sum(axis=0)
    for axis, n in enumerate(shape):
        if n == 1 and g.shape[axis] != 1:
            g = g.sum(axis=axis, keepdims=True)
    return g


def as_array(data, dtype=None):
    if isinstance(data, Tensor):
        data = data.data
    if dtype is None:
        dtype = data.dtype if isinstance(data, np.ndarray | np.generic) else "float32"
    array = np.asarray(data, dtype)
    if array.dtype.kind in "OUSc":
        raise TypeError(f"Tensor: expected real numbers, got {array.dtype}")
    return array
