"""Refusals of the fused operations, which take floats, and shapes that go together."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from stage2_tensor.checks.joining import as_tensors
from stage2_tensor.checks.numbers import real_array
from stage2_tensor.checks.options import check_real
from stage2_tensor.checks.reductions import check_some
from stage2_tensor.checks.shapes import Shape, check_axis, check_broadcast
from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def require_floats(op: str, x: Operand, *others: Operand | None) -> Tensor:
    """x as a Tensor; a constant takes the dtype of a float Tensor among the others.

    Raises:    TypeError: if it holds integers or booleans.
    """
    if not isinstance(x, Tensor):
        x = as_tensors(op, [x, *(t for t in others if isinstance(t, Tensor))])[0]
    if x.dtype.kind in "iub":
        raise TypeError(f"{op}: expected floats, got {x.dtype}; make them with dtype=np.float32")
    return x


def require_last_axis(op: str, x: Operand, *others: Operand | None) -> Tensor:
    """x as a Tensor (..., D), where D is at least 1; its dtype as `require_floats` chooses it.

    Raises:    TypeError: if it holds no floats. ValueError: if there is no such axis.
    """
    x = require_floats(op, x, *others)
    if not x.data.ndim or not x.data.shape[-1]:
        raise ValueError(f"{op}: expected a last axis of at least 1, got {x.shape}")
    return x


def require_rows(op: str, x: Operand, axis: int) -> Tensor:
    """x as a Tensor that has at least one number along the axis.

    Raises:    TypeError: if it holds no floats. ValueError: if there is no such axis, or nothing
               along it.
    """
    x = require_floats(op, x)
    check_axis(op, x.shape, axis)
    check_some(op, x.shape, (axis,))
    return x


def read_targets(logits: Tensor, targets: Operand) -> Array:
    """The class ids as an array, one for each row of logits.

    Raises:    ValueError: if the shapes do not go together. IndexError: if an id is not a class.
    """
    op = "cross_entropy_with_logits"
    ids = real_array(op, targets)
    if ids.shape != logits.shape[:-1] or ids.dtype.kind not in "iu":
        raise ValueError(
            f"{op}: expected logits (..., K) and integer targets (...), "
            f"got {logits.shape} and {ids.dtype} {ids.shape}"
        )
    K = logits.shape[-1]
    if ids.size and not 0 <= ids.min() <= ids.max() < K:
        raise IndexError(
            f"{op}: expected targets in range({K}), got {ids.min()} to {ids.max()}; "
            "logits need a column per class"
        )
    return ids


def read_linear(
    x: Operand, weight: Operand, bias: Operand | None
) -> tuple[Tensor, Tensor, Tensor | None]:
    """The three as Tensors.

    Raises:    ValueError: unless they are (..., N), (N, M) and (M,).
    """
    x = require_floats("linear", x, weight, bias)
    weight, bias = x.operand(weight), None if bias is None else x.operand(bias)
    b_shape = weight.shape[1:] if bias is None else bias.shape
    if weight.ndim != 2 or x.shape[-1:] != weight.shape[:1] or b_shape != weight.shape[1:]:
        got = f"{x.shape}, {weight.shape}" + ("" if bias is None else f" and {bias.shape}")
        raise ValueError(f"linear: expected x (..., N), weight (N, M) and bias (M,), got {got}")
    return x, weight, bias


def check_eps(op: str, eps: float) -> None:
    """Refuse an eps that can make a variance negative, or the numbers vanish.

    Raises:    ValueError: if it is negative, infinite or NaN. TypeError: if it is no number.
    """
    check_real(op, eps=eps)
    if not 0 <= eps < math.inf:
        raise ValueError(f"{op}: expected eps of at least 0, got {eps}")


def read_per_feature(name: str, p: Operand | None, x: Tensor) -> Tensor | None:
    """The weight or bias of a layer norm as a Tensor, or None.

    Raises:    ValueError: if there is not one number for each feature of x.
    """
    if p is None:
        return None
    p = x.operand(p)
    if p.shape != x.shape[-1:]:
        raise ValueError(
            f"layer_norm: expected {name} of shape {x.shape[-1:]} for x {x.shape}, got {p.shape}"
        )
    return p


def read_mask(op: str, mask: Operand | None) -> Array | None:
    """The mask as an array. Numbers are refused: 0 and -inf, to be added, mean the contrary.

    Raises:    TypeError: if it does not hold booleans.
    """
    if mask is None:
        return None
    array = real_array(op, mask)
    if array.dtype != bool:
        raise TypeError(
            f"{op}: expected a mask of booleans, True where a query may look, got {array.dtype}; "
            "if it is to be added, write mask == 0"
        )
    return array


def check_attention(op: str, q: Shape, k: Shape, v: Shape, mask: Shape) -> None:
    """Refuse shapes that attention cannot work with.

    Raises:    ValueError: if a D, an S or leading axes differ, or there is no D or S.
    """
    if min(len(q), len(k), len(v)) < 2 or not (q[-1] == k[-1] > 0 and k[-2] == v[-2] > 0):
        raise ValueError(
            f"{op}: expected q (..., T, D), k (..., S, D) and v (..., S, E), "
            f"got {q}, {k} and {v}; D and S must agree, and be at least 1"
        )
    for a, b in combinations((q[:-2], k[:-2], v[:-2]), 2):
        check_broadcast(op, a, b)
    for leading in (q[:-2], k[:-2], v[:-2]):
        check_broadcast(op, mask, (*leading, q[-2], k[-2]))
