"""An array that remembers which arrays it was computed from.

The node of stage 1 with one new idea: a local derivative is no longer a number but a function,
the vjp ("vector-Jacobian product") of an edge. It takes g, the gradient of the output, and returns
the gradient of one input. It holds on to arrays, never to the output, so a graph has no cycles
and is freed the moment nobody holds its root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import DTypeLike

from stage1_autodiff import topological_order
from stage2_tensor import (
    comparing,
    elementwise,
    indexing,
    matmul,
    numpy_calls,
    reductions,
    shaping,
    single_number,
)
from stage2_tensor.broadcasting import fit
from stage2_tensor.checks.gradients import (
    check_differentiable,
    check_requires_grad,
    check_seed,
    check_single,
)
from stage2_tensor.checks.numbers import real_array
from stage2_tensor.grad_mode import GradMode
from stage2_tensor.trace import Trace, line_of_caller

Array = np.ndarray
Vjp: TypeAlias = Callable[[Array], Array]
Operand: TypeAlias = "Tensor | Array | Sequence | float"


class Tensor:
    """An array with a gradient: a node of the graph that every operation extends.

    data           the numbers, a NumPy array
    grad           dL/d self, an array like data, or None before the first backward
    requires_grad  whether a gradient is wanted here, or further up the graph
    parents        the Tensors this one was computed from, those that want a gradient
    vjps           one function per parent, from the gradient of self to that of the parent
    op, label      the name of the operation, and one of your own, for pictures and reports
    line           the line of your code that made it, if it was made inside `with trace():`
    """

    __slots__ = ("data", "grad", "label", "line", "op", "parents", "requires_grad", "vjps")

    def __init__(
        self,
        data: Operand,
        requires_grad: bool = False,
        dtype: DTypeLike | None = None,
        label: str = "",
    ) -> None:
        self.data: Array = as_array(data, dtype)
        if requires_grad is not False:
            check_differentiable(self.data.dtype, requires_grad)
        self.grad: Array | None = None
        self.requires_grad = requires_grad
        self.parents: tuple[Tensor, ...] = ()
        self.vjps: tuple[Vjp, ...] = ()
        self.op = self.line = ""
        self.label = label

    @staticmethod
    def from_op(data: Array, *edges: tuple[Tensor, Vjp], op: str = "") -> Tensor:
        """The result of an operation, with an edge to every input that wants a gradient."""
        out = Tensor.__new__(Tensor)
        out.data = data if type(data) is Array else np.asarray(data)  # NumPy makes 0-d a scalar
        out.grad = None
        out.op, out.label = op, ""
        out.line = line_of_caller() if Trace.on else ""
        parents, vjps = [], []
        if GradMode.enabled:
            for parent, vjp in edges:
                if parent.requires_grad:
                    parents.append(parent)
                    vjps.append(vjp)
        out.parents, out.vjps = tuple(parents), tuple(vjps)
        out.requires_grad = bool(parents)
        return out

    def operand(self, other: Operand) -> Tensor:
        """The other operand of an operation; a constant takes the dtype of self.

        Raises:    TypeError: if it is not made of real numbers.
        """
        if isinstance(other, Tensor):
            return other
        dtype = self.data.dtype if self.data.dtype.kind == "f" else None
        if type(other) is float:  # the most frequent constant, and nothing can be wrong with it
            return Tensor.from_op(np.asarray(other, dtype))
        return Tensor.from_op(real_array("operand", other, dtype))

    def backward(self, gradient: Operand | None = None) -> None:
        """Add d self / d leaf to the `.grad` of every leaf that self was computed from.

        `gradient` is that of self; it may be left out if self has one element, and is 1 then.

        Raises:    RuntimeError: if self needs no gradient.
                   ValueError: if self has several elements and no gradient is given, or if the
                   gradient has another shape.
        """
        check_requires_grad(self)
        received: dict[Tensor, Array] = {self: self._seed(gradient)}
        for node in reversed(topological_order(self)):
            g = received.pop(node)  # complete: every user of the node came before it
            if not node.parents:
                node.grad = own(g if node.grad is None else node.grad + g)
                continue
            for parent, share in zip(node.parents, node.shares(g)):
                received[parent] = received[parent] + share if parent in received else share

    def shares(self, g: Array) -> list[Array]:
        """The gradient that each parent receives if that of self is g; the microscope asks too."""
        g = g.view()  # a vjp that hands it on hands on a view, and no leaf keeps a view
        return [fit(vjp(g), parent.data) for parent, vjp in zip(self.parents, self.vjps)]

    def _seed(self, gradient: Operand | None) -> Array:
        if gradient is None:
            check_single(self.data)
            return np.ones_like(self.data)
        seed = real_array("backward", gradient, self.data.dtype).view()
        check_seed(seed, self.data)
        return seed

    def zero_grad(self) -> None:
        """Forget the gradient."""
        self.grad = None

    def detach(self) -> Tensor:
        """The same numbers as a new leaf: no gradient passes through."""
        return Tensor(self.data)

    def numpy(self) -> Array:
        """The array itself, not a copy."""
        return self.data

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        return self.data.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.data.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.data.size

    @property
    def dtype(self) -> np.dtype:
        """The type of the elements."""
        return self.data.dtype

    @property
    def T(self) -> Tensor:
        """The axes in reverse order."""
        return shaping.transpose(self)

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len: expected at least one axis, got shape ()")
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        numbers = np.array2string(self.data, precision=4, threshold=100, prefix="Tensor(")
        wants = ", requires_grad=True" if self.requires_grad else ""
        return f"Tensor({numbers}, shape={self.shape}, dtype={self.dtype}{wants})"

    # The operations. Each is defined once, in the file of its family.

    __array__ = numpy_calls.array
    __array_ufunc__, __array_function__ = numpy_calls.array_ufunc, numpy_calls.array_function

    item, __bool__ = single_number.item, single_number.to_bool
    __float__, __int__ = single_number.to_float, single_number.to_int
    __round__, __format__ = single_number.to_rounded, single_number.to_text

    __add__, __radd__ = elementwise.add, elementwise.radd
    __sub__, __rsub__ = elementwise.sub, elementwise.rsub
    __mul__, __rmul__ = elementwise.mul, elementwise.rmul
    __truediv__, __rtruediv__ = elementwise.div, elementwise.rdiv
    __pow__, __rpow__ = elementwise.pow, elementwise.rpow
    __matmul__, __rmatmul__ = matmul.matmul, matmul.rmatmul
    __neg__ = elementwise.neg
    __abs__ = abs = elementwise.abs
    exp, log, sqrt = elementwise.exp, elementwise.log, elementwise.sqrt
    sin, cos, clip = elementwise.sin, elementwise.cos, elementwise.clip
    tanh, sigmoid, relu = elementwise.tanh, elementwise.sigmoid, elementwise.relu

    __eq__, __hash__ = comparing.eq, object.__hash__
    __lt__, __le__ = comparing.lt, comparing.le
    __gt__, __ge__ = comparing.gt, comparing.ge

    sum, mean = reductions.sum, reductions.mean
    max, min = reductions.max, reductions.min
    var, std = reductions.var, reductions.std
    logsumexp = reductions.logsumexp
    argmax, argmin = reductions.argmax, reductions.argmin

    reshape, flatten = shaping.reshape, shaping.flatten
    transpose, swapaxes = shaping.transpose, shaping.swapaxes
    squeeze, unsqueeze = shaping.squeeze, shaping.unsqueeze
    broadcast_to, pad, flip = shaping.broadcast_to, shaping.pad, shaping.flip

    __getitem__, take = indexing.getitem, indexing.take


def as_array(data: Operand, dtype: DTypeLike | None = None) -> Array:
    """The numbers as an array: an array keeps its dtype, numbers and lists become float32.

    Raises:    TypeError: if these are not real numbers.
    """
    if isinstance(data, Tensor):
        data = data.data
    if dtype is None and not isinstance(data, np.ndarray | np.generic):
        dtype = np.float32
    return real_array("Tensor", data, dtype)


def own(g: Array) -> Array:
    """g itself if it is an array of its own; of a view, or of NumPy's 0-d scalar, a copy."""
    return g if type(g) is Array and g.base is None else np.array(g)
