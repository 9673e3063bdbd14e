"""Operations on several tensors that are equals: chosen from, joined, and taken apart again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from stage2_tensor.checks.joining import as_tensors, check_joinable, check_stackable, read_cuts
from stage2_tensor.checks.numbers import real_array
from stage2_tensor.checks.shape_errors import clash
from stage2_tensor.checks.shapes import check_axis, check_broadcast
from stage2_tensor.creation import as_tensor
from stage2_tensor.masking import masked
from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def maximum(a: Operand, b: Operand) -> Tensor:
    """The larger of a and b, element by element; where they are equal each gets half.

    Gradient:  dL/da = g where a > b, g / 2 where a = b, else 0, also for an infinite g
    """
    a, b = pair(a, b)
    check_broadcast("maximum", a.shape, b.shape)
    return chosen("maximum", np.maximum(a.data, b.data), a, b)


def minimum(a: Operand, b: Operand) -> Tensor:
    """The smaller of a and b, element by element; where they are equal each gets half.

    Gradient:  dL/da = g where a < b, g / 2 where a = b, else 0, also for an infinite g
    """
    a, b = pair(a, b)
    check_broadcast("minimum", a.shape, b.shape)
    return chosen("minimum", np.minimum(a.data, b.data), a, b)


def where(condition: Operand, a: Operand, b: Operand) -> Tensor:
    """a where the condition is true, else b.

    Gradient:  dL/da = g where the condition is true, else 0; dL/db the other way round
    """
    c = real_array("where", condition, bool)
    a, b = pair(a, b)
    try:
        y = np.where(c, a.data, b.data)
    except ValueError:
        raise clash("where", c.shape, a.shape, b.shape) from None
    return Tensor.from_op(
        y,
        (a, lambda g: np.where(c, g, 0)),  # not g * c: an infinite g times 0 is NaN
        (b, lambda g: np.where(c, 0, g)),
        op="where",
    )


def concatenate(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """The tensors one after the other along an axis that exists.

    Raises:    ValueError: if there are none, or another axis differs.
    """
    tensors = as_tensors("concatenate", tensors)
    check_joinable("concatenate", tensors, axis)
    axis %= tensors[0].ndim
    ends = np.cumsum([t.shape[axis] for t in tensors])

    def vjp(end: int, size: int):
        part = (slice(None),) * axis + (slice(end - size, end),)
        return lambda g: g[part]

    edges = [(t, vjp(int(end), t.shape[axis])) for t, end in zip(tensors, ends)]
    return Tensor.from_op(np.concatenate([t.data for t in tensors], axis), *edges, op="concatenate")


def stack(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """The tensors, all of one shape, side by side along a new axis.

    Raises:    ValueError: if there are none, or their shapes differ.
    """
    tensors = as_tensors("stack", tensors)
    check_stackable(tensors, axis)
    return concatenate([t.unsqueeze(axis) for t in tensors], axis)


def split(x: Operand, sections: int | Sequence[int], axis: int = 0) -> list[Tensor]:
    """x in equal parts, or cut before each of the given places, along an axis.

    Raises:    ValueError: if the axis cannot be cut into so many equal parts, or at those places.
    """
    x = as_tensor(x)
    check_axis("split", x.shape, axis)
    axis %= x.ndim
    cuts = read_cuts(x.shape, axis, sections)
    before = (slice(None),) * axis
    return [x[(*before, slice(a, b))] for a, b in pairwise(cuts)]


def pair(a: Operand, b: Operand) -> tuple[Tensor, Tensor]:
    """Two operands as Tensors; a constant takes the dtype of the other."""
    if isinstance(a, Tensor):
        return a, a.operand(b)
    if isinstance(b, Tensor):
        return b.operand(a), b
    a, b = as_tensors("operand", (a, b))
    return a, b


def chosen(op: str, y: Array, a: Tensor, b: Tensor) -> Tensor:
    """The node of `maximum` and `minimum`: the gradient goes where the result came from."""
    dtype = y.dtype if y.dtype.kind == "f" else np.float32
    from_a = (a.data == y).astype(dtype) - (b.data == y)  # 1, -1, or 0 for both
    from_a += 1
    from_a /= 2  # 1, 0, or 1/2
    edges = (a, lambda g: masked(g, from_a)), (b, lambda g: masked(g, 1 - from_a))
    return Tensor.from_op(y, *edges, op=op)
