"""Stage 2 with Function classes: a tensor knows the operation that made it, its `ctx`."""

from __future__ import annotations

import numpy as np
from stage2_tensor.functions import (
    Add,
    Best,
    Div,
    Masked,
    MatMul,
    Move,
    Mul,
    Neg,
    Pow,
    Recorded,
    Slope,
    Sub,
    Sum,
)

from stage1_autodiff import topological_order
from stage2_tensor.broadcasting import unbroadcast
from stage2_tensor.checks.numbers import check_bounds, real_array
from stage2_tensor.checks.reductions import reduced_axes
from stage2_tensor.checks.shapes import check_broadcast
from stage2_tensor.grad_mode import GradMode
from stage2_tensor.indexing import scatter_add
from stage2_tensor.reductions import count

Operand = object


def elementwise(value, slope):
    """A method that applies a function to each element."""
    return lambda self: Tensor.apply(Slope([self], value=value, slope=slope))


def stable_sigmoid(x):
    e = np.exp(-abs(x))
    return np.where(x < 0, e / (1 + e), 1 / (1 + e))


class Tensor:
    """An array, its gradient, and the Function that made it, if one did."""

    __array_ufunc__ = None

    def __init__(self, data, requires_grad=False, dtype=None, label=""):
        self.data = as_array(data, dtype)
        if requires_grad and self.data.dtype.kind != "f":
            raise TypeError(f"Tensor: expected floats for requires_grad, got {self.data.dtype}")
        self.requires_grad, self.grad, self.ctx = requires_grad, None, None
        self.op, self.label, self.line = "", label, ""

    @staticmethod
    def apply(ctx):
        y = ctx.forward(*(x.data for x in ctx.inputs))
        return Tensor.after(ctx, y, type(ctx).__name__)

    @staticmethod
    def after(ctx, y, op):
        out = Tensor.__new__(Tensor)
        out.data = np.asarray(y)
        out.requires_grad = GradMode.enabled and any(x.requires_grad for x in ctx.inputs)
        out.ctx = ctx if out.requires_grad else None
        out.grad, out.op, out.label, out.line = None, op, "", ""
        return out

    @staticmethod
    def from_op(data, *edges, op=""):
        ctx = Recorded([parent for parent, _ in edges], vjps=[vjp for _, vjp in edges])
        return Tensor.after(ctx, data, op)

    @property
    def parents(self):
        return tuple(self.ctx.inputs) if self.ctx else ()

    def operand(self, other):
        if isinstance(other, Tensor):
            return other
        return Tensor(real_array("operand", other, self.dtype if self.dtype.kind == "f" else None))

    def backward(self, gradient=None):
        if not self.requires_grad:
            raise RuntimeError("backward: expected a tensor that requires a gradient")
        if gradient is None and self.size != 1:
            raise ValueError(f"backward: expected one element, got shape {self.shape}")
        g = np.ones(self.shape) if gradient is None else getattr(gradient, "data", gradient)
        if np.shape(g) != self.shape:
            raise ValueError(f"backward: expected shape {self.shape}, got {np.shape(g)}")
        grads = {self: [np.array(g, self.dtype)]}
        for node in reversed(topological_order(self)):
            g = sum(grads.pop(node, []))
            if not node.requires_grad:
                continue
            if node.ctx is None:
                node.grad = g + (0 if node.grad is None else node.grad)
                node.grad = np.asarray(node.grad, node.dtype)
                continue
            for parent, share in zip(node.ctx.inputs, node.ctx.backward(g)):
                share = unbroadcast(np.asarray(share), parent.shape).astype(parent.dtype)
                grads.setdefault(parent, []).append(share)

    def zero_grad(self):
        self.grad = None

    def detach(self):
        return Tensor(np.copy(self.data))

    def numpy(self):
        return self.data

    def item(self):
        if self.size != 1:
            raise ValueError(f"item: expected one element, got shape {self.shape}")
        return self.data.item()

    shape = property(lambda self: self.data.shape)
    ndim = property(lambda self: self.data.ndim)
    size = property(lambda self: self.data.size)
    dtype = property(lambda self: self.data.dtype)
    T = property(lambda self: self.transpose())

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

    def _two(self, kind, other, swap=False):
        a, b = self, self.operand(other)
        a, b = (b, a) if swap else (a, b)
        check_broadcast(kind.__name__.lower(), a.shape, b.shape)
        return Tensor.apply(kind([a, b]))

    def __add__(self, other):
        return self._two(Add, other)

    def __sub__(self, other):
        return self._two(Sub, other)

    def __mul__(self, other):
        return self._two(Mul, other)

    def __truediv__(self, other):
        return self._two(Div, other)

    def __pow__(self, other):
        return self._two(Pow, other)

    def __radd__(self, other):
        return self._two(Add, other, swap=True)

    def __rsub__(self, other):
        return self._two(Sub, other, swap=True)

    def __rmul__(self, other):
        return self._two(Mul, other, swap=True)

    def __rtruediv__(self, other):
        return self._two(Div, other, swap=True)

    def __rpow__(self, other):
        return self._two(Pow, other, swap=True)

    def __neg__(self):
        return Tensor.apply(Neg([self]))

    exp = elementwise(np.exp, lambda x, y: y)
    log = elementwise(np.log, lambda x, y: 1 / x)
    sqrt = elementwise(np.sqrt, lambda x, y: 0.5 / y)
    sin = elementwise(np.sin, lambda x, y: np.cos(x))
    cos = elementwise(np.cos, lambda x, y: -np.sin(x))
    tanh = elementwise(np.tanh, lambda x, y: (1 - y) * (1 + y))
    sigmoid = elementwise(stable_sigmoid, lambda x, y: y - y * y)

    def relu(self):
        above_0 = {"value": lambda x: np.maximum(x, 0), "slope": lambda x, y: x > 0}
        return Tensor.apply(Masked([self], **above_0))

    abs = __abs__ = elementwise(np.fabs, lambda x, y: np.sign(x))

    def clip(self, low=None, high=None):
        check_bounds(low, high)
        bounded = {"value": lambda x: np.clip(x, low, high), "slope": lambda x, y: x == y}
        return Tensor.apply(Masked([self], **bounded))

    def sum(self, axis=None, keepdims=False):
        axes = reduced_axes("sum", self.shape, axis)
        return Tensor.apply(Sum([self], axes=axes, keepdims=keepdims))

    def mean(self, axis=None, keepdims=False):
        n = count(self.shape, reduced_axes("mean", self.shape, axis))
        return self.sum(axis, keepdims) * (1 / n)

    def _best(self, choose, axis, keepdims):
        axes = reduced_axes(choose.__name__, self.shape, axis)
        return Tensor.apply(Best([self], choose=choose, axes=axes, keepdims=keepdims))

    def max(self, axis=None, keepdims=False):
        return self._best(np.max, axis, keepdims)

    def min(self, axis=None, keepdims=False):
        return self._best(np.min, axis, keepdims)

    def var(self, axis=None, keepdims=False, correction=0):
        n = count(self.shape, reduced_axes("var", self.shape, axis))
        if n <= correction:
            raise ValueError(f"var: expected more than {correction} elements, got {n}")
        square = (self - self.mean(axis, keepdims=True)) ** 2
        return square.sum(axis, keepdims) / (n - correction)

    def std(self, axis=None, keepdims=False, correction=0):
        return self.var(axis, keepdims, correction).sqrt()

    def logsumexp(self, axis=None, keepdims=False):
        axes = reduced_axes("logsumexp", self.shape, axis)
        top = self.data.max(axis=axes, keepdims=True)
        top = np.where(np.isfinite(top), top, self.dtype.type(0))
        with np.errstate(divide="ignore", invalid="ignore"):
            y = (self - top).exp().sum(axes, keepdims=True).log() + top
        return y if keepdims else y.squeeze(axes)

    def argmax(self, axis=None):
        return self.data.argmax(axis)

    def argmin(self, axis=None):
        return self.data.argmin(axis)

    def _move(self, there, back):
        return Tensor.apply(Move([self], there=there, back=back))

    def reshape(self, *shape):
        shape = shape if len(shape) != 1 or isinstance(shape[0], int) else tuple(shape[0])
        return self._move(lambda x: np.reshape(x, shape), lambda g: np.reshape(g, self.shape))

    def flatten(self):
        return self.reshape(self.size)

    def transpose(self, *axes):
        axes = axes if len(axes) != 1 or isinstance(axes[0], int) else tuple(axes[0])
        order = tuple(range(self.ndim))[::-1] if not axes else tuple(np.arange(self.ndim)[[*axes]])
        if len(order) != self.ndim:
            raise ValueError(f"transpose: expected {self.ndim} axes, got {axes}")
        return self._move(
            lambda x: np.transpose(x, order),
            lambda g: np.moveaxis(g, range(self.ndim), order),
        )

    def swapaxes(self, a, b):
        return self._move(lambda x: np.swapaxes(x, a, b), lambda g: np.swapaxes(g, a, b))

    def squeeze(self, axis=None):
        return self._move(lambda x: np.squeeze(x, axis), lambda g: g.reshape(self.shape))

    def unsqueeze(self, axis):
        return self._move(lambda x: np.expand_dims(x, axis), lambda g: g.reshape(self.shape))

    def broadcast_to(self, *shape):
        shape = shape if len(shape) != 1 or isinstance(shape[0], int) else tuple(shape[0])
        return self._move(lambda x: np.broadcast_to(x, shape), lambda g: g)

    def pad(self, widths, value=0.0):
        inside = tuple(slice(b, b + n) for (b, _), n in zip(widths, self.shape, strict=True))
        return self._move(lambda x: np.pad(x, widths, constant_values=value), lambda g: g[inside])

    def flip(self, axis=None):
        return self._move(lambda x: np.flip(x, axis), lambda g: np.flip(g, axis))

    def __getitem__(self, index):
        parts = index if isinstance(index, tuple) else (index,)
        parts = tuple(getattr(p, "data", p) if isinstance(p, Tensor) else p for p in parts)
        places = np.arange(self.size).reshape(self.shape)[parts]

        def back(g):
            flat = np.bincount(np.ravel(places), np.ravel(g), minlength=self.size)
            return flat.reshape(self.shape)

        return self._move(lambda x: x[parts], back)

    def take(self, ids):
        ids = np.asarray(getattr(ids, "data", ids) if isinstance(ids, Tensor) else ids)
        if ids.dtype.kind not in "iu" or (ids.size and not 0 <= ids.min() <= ids.max() < len(self)):
            raise IndexError(f"take: expected integers from 0 to {len(self) - 1}, got {ids}")
        return self._move(lambda x: np.take(x, ids, 0), lambda g: scatter_add(g, ids, self.shape))

    def __matmul__(self, other):
        other = self.operand(other)
        if not self.ndim or not other.ndim:
            raise ValueError("matmul: expected at least one axis, got a single number")
        a = self.unsqueeze(0) if self.ndim == 1 else self
        b = other.unsqueeze(1) if other.ndim == 1 else other
        if a.shape[-1] != b.shape[-2]:
            raise ValueError(f"matmul: expected equal K, got {self.shape} @ {other.shape}")
        check_broadcast("matmul", a.shape[:-2], b.shape[:-2])
        y = Tensor.apply(MatMul([a, b]))
        y = y.squeeze(-1) if other.ndim == 1 else y
        return y.squeeze(-2 if other.ndim > 1 else -1) if self.ndim == 1 else y

    def __rmatmul__(self, other):
        return self.operand(other) @ self


def as_array(data, dtype=None):
    if isinstance(data, Tensor):
        return as_array(data.data, dtype)
    if dtype is None and type(data) in (int, float, bool, list, tuple):
        dtype = np.float32
    array = np.asarray(data, dtype)
    if not (np.issubdtype(array.dtype, np.integer) or array.dtype.kind in "fb"):
        raise TypeError(f"Tensor: expected real numbers, got {array.dtype}")
    return array
