"""Operations fused into one node, each with its derivative worked out by hand.

They could be composed of simpler ones, and the tests do that to check them. One node in place of
five saves time and memory, and lets the numerically safe form be written once.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from stage2_tensor.checks.fused import (
    check_attention,
    check_eps,
    read_linear,
    read_mask,
    read_per_feature,
    read_targets,
    require_floats,
    require_last_axis,
    require_rows,
)
from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray

vecdot: Callable[..., Array] = np.vecdot  # its type hints know neither axis nor keepdims


def softmax(x: Operand, axis: int = -1) -> Tensor:
    """exp(x) over its sum along the axis: positive numbers that add up to 1, or NaN for a NaN.

    Gradient:  dL/dx = y (g - sum(g y))
    """
    x = require_rows("softmax", x, axis)
    y = softmax_array(x.data, axis)
    return x.from_op(y, (x, lambda g: softmax_vjp(g, y, axis)), op="softmax")


def log_softmax(x: Operand, axis: int = -1) -> Tensor:
    """log(softmax(x)), exact where softmax itself is rounded to 0.

    Gradient:  dL/dx = g - softmax(x) sum(g)
    """
    x = require_rows("log_softmax", x, axis)
    shifted = x.data - x.data.max(axis=axis, keepdims=True)  # the largest exp() is now exp(0)
    y = shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
    return x.from_op(
        y, (x, lambda g: g - np.exp(y) * g.sum(axis=axis, keepdims=True)), op="log_softmax"
    )


def cross_entropy_with_logits(logits: Operand, targets: Operand) -> Tensor:
    """-log softmax(logits)[target], one number per row.

    Shapes:    logits: (..., K), targets: (...) of class ids -> (...)
    Gradient:  dL/dlogits = g (softmax(logits) - one_hot(target))
    Raises:    ValueError: if the shapes do not go together. IndexError: if an id is not a class.
    """
    logits = require_last_axis("cross_entropy_with_logits", logits)
    ids = read_targets(logits, targets)
    place = (*np.indices(ids.shape), ids)  # of the target, in every row
    e = logits.data - logits.data.max(axis=-1, keepdims=True)  # the largest exp() is now exp(0)
    target = e[place]
    np.exp(e, out=e)
    total = e.sum(axis=-1)

    def vjp(g: Array) -> Array:
        share = e * (g / total)[..., None]
        share[place] -= g
        return share

    return logits.from_op(np.log(total) - target, (logits, vjp), op="cross_entropy")


def linear(x: Operand, weight: Operand, bias: Operand | None = None) -> Tensor:
    """x W + b over the last axis: one product of two matrices, whatever axes lead.

    Shapes:    x: (..., N), weight: (N, M), bias: (M,) -> (..., M)
    Gradient:  dL/dx = g W^T,  dL/dW = x^T g and dL/db = g, both summed over the leading axes
    Raises:    ValueError: if the shapes do not go together.
    """
    x, weight, bias = read_linear(x, weight, bias)
    w, x_shape = weight.data, x.shape
    N, M = w.shape
    rows = math.prod(x_shape[:-1])
    flat_x = x.data.reshape(rows, N)
    y = flat_x @ w
    if bias is not None:
        y += bias.data

    def flat(g: Array) -> Array:
        return g.reshape(rows, M)

    edges = [
        (x, lambda g: (flat(g) @ w.T).reshape(x_shape)),
        (weight, lambda g: flat_x.T @ flat(g)),
    ]
    if bias is not None:
        edges.append((bias, lambda g: flat(g).sum(0)))
    return x.from_op(y.reshape(*x_shape[:-1], M), *edges, op="linear")


def layer_norm(
    x: Operand, weight: Operand | None = None, bias: Operand | None = None, eps: float = 1e-5
) -> Tensor:
    """(x - mean) / sqrt(var + eps) over the last axis, times weight, plus bias.

    Shapes:    x: (..., D), weight and bias: (D,) -> (..., D)
    Gradient:  dL/dx = (h - mean(h) - n mean(h n)) / sigma, where n is the normalised x,
               sigma = sqrt(var + eps) and h = g weight
    Raises:    ValueError: if weight or bias is not (D,), or D is 0.
    Source:    Ba, Kiros and Hinton (2016), Layer Normalization, section 3. Differs: eps is added
               to the variance.
    """
    check_eps("layer_norm", eps)
    x = require_last_axis("layer_norm", x, weight, bias)
    D = x.shape[-1]
    weight, bias = read_per_feature("weight", weight, x), read_per_feature("bias", bias, x)
    n = x.data - x.data.sum(axis=-1, keepdims=True) / D  # mean() costs more on short rows
    variance = vecdot(n, n, keepdims=True) / D  # (..., 1)
    sigma = np.sqrt(variance + eps)
    n /= sigma
    w = None if weight is None else weight.data
    y = n if w is None else n * w
    y = y if bias is None else y + bias.data

    def vjp_x(g: Array) -> Array:
        h = g.copy() if w is None else g * w
        along_n = vecdot(h, n, keepdims=True) / D  # (..., 1)
        h -= h.sum(axis=-1, keepdims=True) / D
        h -= n * along_n
        h /= sigma
        return h

    edges = [(x, vjp_x)]
    if weight is not None:
        edges.append((weight, lambda g: g * n))
    if bias is not None:
        edges.append((bias, lambda g: g))
    return x.from_op(y, *edges, op="layer_norm")


def gelu(x: Operand) -> Tensor:
    """x times the share of the normal distribution below x, in its tanh form.

    The slope is worked out at once, so that it is the only array kept for the way back.

    Gradient:  dL/dx = g (h + y (1 - h) 2 u'), where h = (1 + tanh(u)) / 2, y = x h,
               u = c x (1 + b), u' = c (1 + 3 b), b = 0.044715 x^2, c = sqrt(2 / pi)
    Source:    Hendrycks and Gimpel (2016), Gaussian Error Linear Units, section 2.
    """
    x = require_floats("gelu", x)
    c = math.sqrt(2 / math.pi)
    numbers = x.data
    b = 0.044715 * numbers * numbers
    h = np.tanh(numbers * (c + c * b))
    h *= 0.5
    h += 0.5
    y = numbers * h
    slope = b  # its memory serves again: large new arrays are what costs
    slope *= 6 * c
    slope += 2 * c
    slope *= 1 - h
    slope *= y
    slope += h
    return x.from_op(y, (x, lambda g: g * slope), op="gelu")


def scaled_dot_product_attention(
    q: Operand, k: Operand, v: Operand, mask: Operand | None = None
) -> Tensor:
    """softmax(q k^T / sqrt(D)) v. A row that may look nowhere gives zeros.

    Shapes:    q: (..., T, D), k: (..., S, D), v: (..., S, E), mask: broadcasts to (..., T, S),
               True where a query may look -> (..., T, E)
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
    scores = Q @ K.swapaxes(-1, -2) * scale  # (..., T, S)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax_array(scores, -1)  # (..., T, S)

    def through_softmax(g: Array) -> Array:
        return softmax_vjp(g @ V.swapaxes(-1, -2), weights, -1) * scale  # (..., T, S)

    return q.from_op(
        weights @ V,
        (q, lambda g: through_softmax(g) @ K),
        (k, lambda g: through_softmax(g).swapaxes(-1, -2) @ Q),
        (v, lambda g: weights.swapaxes(-1, -2) @ g),
        op="attention",
    )


def softmax_array(x: Array, axis: int) -> Array:
    """The softmax of an array; zeros along an axis that holds nothing but -inf.

    A NaN, or an infinity, makes everything along its axis NaN.
    """
    largest = x.max(axis=axis, keepdims=True)
    largest = np.where(largest == -np.inf, 0, largest)  # -inf - -inf would be NaN
    y = x - largest
    np.exp(y, out=y)  # in place: at a million numbers memory traffic is what costs
    total = y.sum(axis=axis, keepdims=True)
    y /= np.where(total == 0, 1, total)
    return y


def softmax_vjp(g: Array, y: Array, axis: int) -> Array:
    """dL/dx of y = softmax(x), from g = dL/dy: y (g - sum(g y))."""
    share = g - vecdot(g, y, axis=axis, keepdims=True)
    share *= y
    return share
