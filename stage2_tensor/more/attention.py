"""Attention with a mask that is added to the scores, and with dropout on the weights."""

from __future__ import annotations

import math

import numpy as np

from stage1_autodiff import generator
from stage2_tensor import attention, fused
from stage2_tensor.checks.fused import check_attention, require_floats
from stage2_tensor.creation import as_tensor
from stage2_tensor.more.layer_checks import check_probability
from stage2_tensor.tensor import Operand, Tensor


def scaled_dot_product_attention(
    q: Operand,
    k: Operand,
    v: Operand,
    attn_mask: Operand | None = None,
    dropout_p: float = 0.0,
    rng: np.random.Generator | None = None,
) -> Tensor:
    """softmax(q k^T / sqrt(D) + mask) v, each weight set to 0 with probability dropout_p.

    A mask of booleans is True where a query may look; one of floats is added, with -inf where it
    may not, and receives a gradient if it wants one: a learned bias of positions is such a mask.
    The weights that dropout leaves are divided by 1 - dropout_p. It acts at every call: pass 0
    outside of training. The attention of stage 2 answers wherever it can.

    Shapes:    q: (..., T, D), k: (..., S, D), v: (..., S, E), attn_mask: broadcasts to
               (..., T, S) -> (..., T, E)
    Raises:    ValueError: if the shapes do not go together, or dropout_p is no probability.
               TypeError: if something holds no floats, or the mask integers.
    Source:    Vaswani et al. (2017), Attention Is All You Need, equation 1.
    """
    op = "scaled_dot_product_attention"
    check_probability(op, dropout_p=dropout_p)
    mask = None if attn_mask is None else as_tensor(attn_mask)
    if not dropout_p and (mask is None or mask.dtype == bool):
        return attention.scaled_dot_product_attention(q, k, v, mask)
    q, k, v = (require_floats(op, x) for x in (q, k, v))
    check_attention(op, q.shape, k.shape, v.shape, () if mask is None else mask.shape)
    added = 0.0 if mask is None else read_added(op, q, mask)
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1]) + added  # (..., T, S)
    weights = fused.softmax(scores)  # (..., T, S)
    if dropout_p:
        scale = 1 / (1 - dropout_p) if dropout_p < 1 else 0
        weights = weights * (scale * (generator(op, rng).random(weights.shape) >= dropout_p))
    return weights @ v  # (..., T, E)


def read_added(op: str, q: Tensor, mask: Tensor) -> Tensor:
    """The mask as what is added to the scores: of booleans, 0 where a query may look, else -inf.

    Raises:    TypeError: if it holds integers.
    """
    if mask.dtype == bool:
        return q.operand(np.where(mask.data, 0, -np.inf))
    mask = require_floats(op, mask)
    return mask if mask.requires_grad else q.operand(mask.data)  # a constant takes the dtype of q
