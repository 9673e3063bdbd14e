"""Attention as one node, with its derivative worked out by hand."""

from __future__ import annotations

import math

import numpy as np

from stage2_tensor.checks.fused import check_attention, read_mask, require_floats
from stage2_tensor.fused import softmax_array, softmax_vjp
from stage2_tensor.sharing import shared
from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def scaled_dot_product_attention(
    q: Operand, k: Operand, v: Operand, mask: Operand | None = None
) -> Tensor:
    """softmax(q k^T / sqrt(D)) v. A row that may look nowhere gives zeros.

    Shapes:    q: (..., T, D), k: (..., S, D), v: (..., S, E), mask: broadcasts to (..., T, S),
               True where a query may look -> (..., T, E)
    Gradient:  with w = softmax(s), s = q k^T / sqrt(D) and h = dL/ds = w (g v^T - sum(g v^T w)):
               dL/dq = h k / sqrt(D),  dL/dk = h^T q / sqrt(D),  dL/dv = w^T g
    Raises:    ValueError: if the shapes do not go together, or D or S is 0. TypeError: if the
               mask is not boolean.
    Source:    Vaswani et al. (2017), Attention Is All You Need, equation 1.
    """
    op = "scaled_dot_product_attention"
    q, k, v = (require_floats(op, x, q, k, v) for x in (q, k, v))
    mask = read_mask(op, mask)
    check_attention(op, q.shape, k.shape, v.shape, () if mask is None else mask.shape)
    scale = 1 / math.sqrt(q.shape[-1])
    Q, K, V = q.data, k.data, v.data
    scores = Q @ transposed(K)  # (..., T, S)
    scores *= scale
    if mask is not None:
        scores = scores + np.where(mask, scores.dtype.type(0), -np.inf)
    weights = softmax_array(scores, -1)  # (..., T, S)

    def to_scores(g: Array) -> Array:
        h = softmax_vjp(g @ transposed(V), weights, -1)  # (..., T, S)
        h *= scale
        return h

    through = shared(to_scores, q, k)
    return q.from_op(
        product(weights, V, like=Q),
        (q, lambda g: product(through(g), K, like=Q)),
        (k, lambda g: product(transposed(through(g)), Q, like=K)),
        (v, lambda g: product(transposed(weights), g, like=V)),
        op="attention",
    )


def transposed(x: Array) -> Array:
    """The last two axes exchanged."""
    return x.swapaxes(-1, -2)


def product(a: Array, b: Array, like: Array) -> Array:
    """a @ b, in the memory layout of `like`: heads that were split by a view merge as a view."""
    if a.shape[:-2] != b.shape[:-2]:
        return a @ b
    shape, dtype = (*a.shape[:-1], b.shape[-1]), np.result_type(a, b)
    return np.matmul(a, b, out=np.empty_like(like, dtype, shape=shape))
