"""Stage 2 in the manner of micrograd: one class, and every operation leaves one closure behind.

The closure gets the gradient of the result and hands all inputs their share, summed to their
shape. Operations that come from elsewhere as edges are turned into such a closure too.
"""

from __future__ import annotations

import numpy as np

from stage1_autodiff import topological_order
from stage2_tensor.broadcasting import unbroadcast
from stage2_tensor.checks.numbers import check_bounds, real_array
from stage2_tensor.checks.reductions import check_some, reduced_axes
from stage2_tensor.checks.shapes import check_broadcast, check_matmul
from stage2_tensor.grad_mode import GradMode
from stage2_tensor.indexing import scatter_add
from stage2_tensor.reductions import count

Operand = object


class Tensor:
    """An array, its gradient, the list of its parents and the closure that feeds them."""

    __array_priority__ = 1000
    __array_ufunc__ = None

    def __init__(self, data, requires_grad=False, dtype=None, label=""):
        self.data = as_array(data, dtype)
        if requires_grad and not np.issubdtype(self.data.dtype, np.floating):
            raise TypeError(f"Tensor: expected floats for requires_grad, got {self.data.dtype}")
        self.grad = None
        self.requires_grad = requires_grad
        self.parents = []
        self._share = None
        self.op, self.label, self.line = "", label, ""

    @staticmethod
    def from_op(data, *edges, op=""):
        return Tensor.made_of(
            data,
            [parent for parent, _ in edges],
            lambda g: [vjp(g) for _, vjp in edges],
            op,
        )

    @staticmethod
    def made_of(data, inputs, closure, op):
        out = Tensor.__new__(Tensor)
        out.data = np.asarray(data)
        out.grad, out.op, out.label, out.line = None, op, "", ""
        out.requires_grad = GradMode.enabled and any(x.requires_grad for x in inputs)
        out.parents = list(inputs) if out.requires_grad else []
        out._share = closure if out.requires_grad else None
        return out

    def operand(self, other):
        if isinstance(other, Tensor):
            return other
        if np.issubdtype(self.dtype, np.floating):
            return Tensor(real_array("operand", other, self.dtype))
        return Tensor(real_array("operand", other))

    def backward(self, gradient=None):
        if not self.requires_grad:
            raise RuntimeError("backward: expected a tensor that requires a gradient")
        if gradient is None:
            if self.size != 1:
                raise ValueError(f"backward: expected one element, got shape {self.shape}")
            gradient = np.ones(self.shape)
        gradient = np.array(getattr(gradient, "data", gradient), self.dtype)
        if gradient.shape != self.shape:
            raise ValueError(f"backward: expected shape {self.shape}, got {gradient.shape}")
        on_the_way = {id(self): gradient}
        for node in topological_order(self)[::-1]:
            if id(node) not in on_the_way:
                continue  # a constant
            g = on_the_way.pop(id(node))
            if node._share is None:
                if node.requires_grad:
                    node.grad = g if node.grad is None else node.grad + g
                continue
            for parent, share in zip(node.parents, node._share(g)):
                if parent.requires_grad:
                    share = np.array(unbroadcast(np.asarray(share), parent.shape), parent.dtype)
                    on_the_way[id(parent)] = on_the_way.get(id(parent), 0) + share

    def zero_grad(self):
        self.grad = None

    def detach(self):
        return Tensor(self.data.copy())

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

    def _binary(self, other, op, f, closure):
        other = self.operand(other)
        check_broadcast(op, self.shape, other.shape)
        a, b = self.data, other.data
        y = f(a, b)
        return Tensor.made_of(y, [self, other], lambda g: closure(g, a, b, y), op)

    def __add__(self, other):
        return self._binary(other, "add", np.add, lambda g, a, b, y: (g, g))

    def __sub__(self, other):
        return self + -self.operand(other)

    def __mul__(self, other):
        return self._binary(other, "mul", np.multiply, lambda g, a, b, y: (g * b, g * a))

    def __truediv__(self, other):
        return self._binary(other, "div", np.divide, lambda g, a, b, y: (g / b, -g * y / b))

    def __pow__(self, other):
        def closure(g, a, b, y):
            safe = np.where((a == 0) & (b >= 0), 1, a)
            with np.errstate(divide="ignore", invalid="ignore"):
                by_a = np.where(b == 0, 0, b * np.power(np.where((a == 0) & (b == 0), 1, a), b - 1))
                by_b = np.where((a == 0) & (b >= 0), 0, y * np.log(safe))
            return g * by_a, g * by_b

        return self._binary(other, "pow", np.power, closure)

    def __radd__(self, other):
        return self.operand(other) + self

    def __rsub__(self, other):
        return self.operand(other) - self

    def __rmul__(self, other):
        return self.operand(other) * self

    def __rtruediv__(self, other):
        return self.operand(other) / self

    def __rpow__(self, other):
        return self.operand(other) ** self

    def __rmatmul__(self, other):
        return self.operand(other) @ self

    def _unary(self, op, y, slope):
        return Tensor.made_of(y, [self], lambda g: [g * slope()], op)

    def __neg__(self):
        return Tensor.made_of(-self.data, [self], lambda g: [-g], "neg")

    def abs(self):
        x = self.data
        return self._unary("abs", np.abs(x), lambda: np.sign(x))

    __abs__ = abs

    def exp(self):
        y = np.exp(self.data)
        return self._unary("exp", y, lambda: y)

    def log(self):
        x = self.data
        return self._unary("log", np.log(x), lambda: 1 / x)

    def sqrt(self):
        y = np.sqrt(self.data)
        return self._unary("sqrt", y, lambda: 0.5 / y)

    def sin(self):
        x = self.data
        return self._unary("sin", np.sin(x), lambda: np.cos(x))

    def cos(self):
        x = self.data
        return self._unary("cos", np.cos(x), lambda: -np.sin(x))

    def tanh(self):
        y = np.tanh(self.data)
        return self._unary("tanh", y, lambda: 1 - y**2)

    def sigmoid(self):
        y = 0.5 * (1 + np.tanh(0.5 * self.data))
        return self._unary("sigmoid", y.astype(self.dtype), lambda: y * (1 - y))

    def relu(self):
        x = self.data
        y = np.where(x < 0, x.dtype.type(0), x)
        return Tensor.made_of(y, [self], lambda g: [np.where(x > 0, g, 0)], "relu")

    def clip(self, low=None, high=None):
        check_bounds(low, high)
        y = np.clip(self.data, low, high)
        x = self.data
        return Tensor.made_of(y, [self], lambda g: [np.where(x == y, g, 0)], "clip")

    def sum(self, axis=None, keepdims=False):
        axes = reduced_axes("sum", self.shape, axis)
        shape = self.shape

        def closure(g):
            if not keepdims:
                g = np.expand_dims(g, axes)
            return [g * np.ones(shape)]

        return Tensor.made_of(self.data.sum(axes, keepdims=keepdims), [self], closure, "sum")

    def mean(self, axis=None, keepdims=False):
        axes = reduced_axes("mean", self.shape, axis)
        check_some("mean", self.shape, axes)
        return self.sum(axes, keepdims) / count(self.shape, axes)

    def _extreme(self, op, axis, keepdims):
        axes = reduced_axes(op, self.shape, axis)
        if count(self.shape, axes) == 0:
            raise ValueError(f"{op}: expected at least one element, got shape {self.shape}")
        best = getattr(np, op)(self.data, axis=axes, keepdims=True)
        ties = self.data == best

        def closure(g):
            if not keepdims:
                g = np.expand_dims(g, axes)
            return [np.where(ties, g / ties.sum(axes, keepdims=True), 0)]

        y = best if keepdims else np.squeeze(best, axes)
        return Tensor.made_of(y, [self], closure, op)

    def max(self, axis=None, keepdims=False):
        return self._extreme("max", axis, keepdims)

    def min(self, axis=None, keepdims=False):
        return self._extreme("min", axis, keepdims)

    def var(self, axis=None, keepdims=False, correction=0):
        axes = reduced_axes("var", self.shape, axis)
        check_some("var", self.shape, axes, correction)
        centred = self - self.mean(axes, keepdims=True)
        return (centred * centred).sum(axes, keepdims) / (count(self.shape, axes) - correction)

    def std(self, axis=None, keepdims=False, correction=0):
        return self.var(axis, keepdims, correction).sqrt()

    def logsumexp(self, axis=None, keepdims=False):
        axes = reduced_axes("logsumexp", self.shape, axis)
        top = self.data.max(axis=axes, keepdims=True)
        shifted = self.data - np.where(np.isinf(top), 0, top)
        total = np.exp(shifted).sum(axes, keepdims=True)
        with np.errstate(divide="ignore"):
            y = np.log(total) + np.where(np.isinf(top), 0, top)
        share = np.exp(shifted) / np.maximum(total, np.finfo(total.dtype).tiny)

        def closure(g):
            return [(g if keepdims else np.expand_dims(g, axes)) * share]

        y = y if keepdims else np.squeeze(y, axes)
        return Tensor.made_of(y, [self], closure, "logsumexp")

    def argmax(self, axis=None):
        return self.data.argmax(axis)

    def argmin(self, axis=None):
        return self.data.argmin(axis)

    def reshape(self, *shape):
        shape = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
        old = self.shape
        y = self.data.reshape(shape)  # NumPy refuses what does not fit
        return Tensor.made_of(y, [self], lambda g: [g.reshape(old)], "reshape")

    def flatten(self):
        return self.reshape(self.size)

    def transpose(self, *axes):
        axes = axes[0] if len(axes) == 1 and isinstance(axes[0], tuple | list) else axes
        order = [a % self.ndim for a in axes] if axes else list(range(self.ndim))[::-1]
        back = [order.index(i) for i in range(len(order))] if len(set(order)) == self.ndim else []
        y = self.data.transpose(order)
        return Tensor.made_of(y, [self], lambda g: [g.transpose(back)], "transpose")

    def swapaxes(self, a, b):
        order = list(range(self.ndim))
        order[a], order[b] = order[b], order[a]
        return self.transpose(order)

    def squeeze(self, axis=None):
        return self.reshape(self.data.squeeze(axis).shape)

    def unsqueeze(self, axis):
        return self.reshape(np.expand_dims(self.data, axis).shape)

    def broadcast_to(self, *shape):
        shape = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
        y = np.broadcast_to(self.data, shape)
        return Tensor.made_of(y, [self], lambda g: [g], "broadcast_to")

    def pad(self, widths, value=0.0):
        inside = tuple(slice(b, b + n) for (b, _), n in zip(widths, self.shape, strict=True))
        y = np.pad(self.data, widths, constant_values=value)
        return Tensor.made_of(y, [self], lambda g: [g[inside]], "pad")

    def flip(self, axis=None):
        return Tensor.made_of(
            np.flip(self.data, axis), [self], lambda g: [np.flip(g, axis)], "flip"
        )

    def __getitem__(self, index):
        parts = index if isinstance(index, tuple) else (index,)
        parts = tuple(p.data if isinstance(p, Tensor) else p for p in parts)
        shape = self.shape

        def closure(g):
            whole = np.zeros(shape)
            np.add.at(whole, parts, g)
            return [whole]

        return Tensor.made_of(self.data[parts], [self], closure, "index")

    def take(self, ids):
        ids = np.asarray(ids.data if isinstance(ids, Tensor) else ids)
        if not np.issubdtype(ids.dtype, np.integer):
            raise TypeError(f"take: expected integers, got {ids.dtype}")
        if ids.size and (ids.min() < 0 or ids.max() >= len(self)):
            raise IndexError(f"take: expected ids below {len(self)}, got {ids.max()}")
        shape = self.shape
        return Tensor.made_of(
            self.data[ids], [self], lambda g: [scatter_add(g, ids, shape)], "take"
        )

    def __matmul__(self, other):
        other = self.operand(other)
        check_matmul(self.shape, other.shape)
        a = self.data[None] if self.ndim == 1 else self.data
        b = other.data[:, None] if other.ndim == 1 else other.data
        y = np.matmul(a, b)
        full, a_shape, b_shape = y.shape, self.shape, other.shape

        def closure(g):
            g = g.reshape(full)
            by_a = unbroadcast(np.matmul(g, np.moveaxis(b, -1, -2)), a.shape)
            by_b = unbroadcast(np.matmul(np.moveaxis(a, -1, -2), g), b.shape)
            return by_a.reshape(a_shape), by_b.reshape(b_shape)

        if other.ndim == 1:
            y = y[..., 0]
        if self.ndim == 1:
            y = y[..., 0] if other.ndim == 1 else y[..., 0, :]
        return Tensor.made_of(y, [self, other], closure, "@")


def as_array(data, dtype=None):
    if isinstance(data, Tensor):
        data = data.data
    keeps = isinstance(data, np.ndarray | np.generic)
    array = np.array(data, dtype=dtype or (None if keeps else np.float32))
    if not (np.issubdtype(array.dtype, np.number) or array.dtype == bool) or np.iscomplexobj(array):
        raise TypeError(f"Tensor: expected real numbers, got {array.dtype}")
    return array
