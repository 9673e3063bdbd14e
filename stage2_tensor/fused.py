"""Operations fused into one node, each with its derivative worked out by hand.

They could be composed of simpler ones, and the tests do that to check them. One node in place of
five saves time and memory, and lets the numerically safe form be written once.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from stage2_tensor.checks.fused import (
    check_eps,
    read_linear,
    read_per_feature,
    read_targets,
    require_floats,
    require_last_axis,
    require_rows,
)
from stage2_tensor.checks.options import check_flag
from stage2_tensor.masking import masked
from stage2_tensor.sharing import shared
from stage2_tensor.sums import column_sums, ones, row_sums
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
    """-log softmax(logits)[target], one number per row: log sum e^(logits - logits[target]).

    Shapes:    logits: (..., K), targets: (...) of class ids -> (...)
    Gradient:  dL/dlogits = g (softmax(logits) - one_hot(target))
    Raises:    ValueError: if the shapes do not go together. IndexError: if an id is not a class.
    """
    logits = require_last_axis("cross_entropy_with_logits", logits)
    ids = read_targets(logits, targets)
    x, place = logits.data, (*np.indices(ids.shape), ids)  # of the target, in every row
    shift = target = x[place]
    if x.max(initial=-np.inf) - target.min(initial=np.inf) > math.log(np.finfo(x.dtype).max) / 2:
        shift = x.max(axis=-1)  # else exp() might become too large
    e = np.exp(x - shift[..., None])
    total = row_sums(e)[..., 0]

    def vjp(g: Array) -> Array:
        share = e * (g / total)[..., None]
        share[place] -= g
        return share

    return logits.from_op(np.log(total) + (shift - target), (logits, vjp), op="cross_entropy")


def linear(x: Operand, weight: Operand, bias: Operand | None = None, relu: bool = False) -> Tensor:
    """x W + b over the last axis: one product of two matrices, whatever axes lead.

    With `relu` what is negative becomes 0, in the same node.

    Shapes:    x: (..., N), weight: (N, M), bias: (M,) -> (..., M)
    Gradient:  dL/dx = g W^T,  dL/dW = x^T g and dL/db = g, both summed over the leading axes;
               with relu g is 0 where the output is
    Raises:    ValueError: if the shapes do not go together.
    """
    check_flag("linear", relu=relu)
    x, weight, bias = read_linear(x, weight, bias)
    w, x_shape = weight.data, x.shape
    N, M = w.shape
    rows = math.prod(x_shape[:-1])
    flat_x = x.data.reshape(rows, N)
    y = flat_x @ w
    if bias is not None:
        y += bias.data
    if relu:
        np.maximum(y, 0, out=y)

    def flat(g: Array) -> Array:
        return g.reshape(rows, M)

    def through_relu(g: Array) -> Array:
        return masked(flat(g), y > 0)

    through = shared(through_relu, x, weight, bias) if relu else flat
    edges = [
        (x, lambda g: (through(g) @ w.T).reshape(x_shape)),
        (weight, lambda g: flat_x.T @ through(g)),
    ]
    if bias is not None:
        edges.append((bias, lambda g: column_sums(through(g))))
    return x.from_op(y.reshape(*x_shape[:-1], M), *edges, op="linear + relu" if relu else "linear")


def layer_norm(
    x: Operand, weight: Operand | None = None, bias: Operand | None = None, eps: float = 1e-5
) -> Tensor:
    """(x - mean) / sqrt(var + eps) over the last axis, times weight, plus bias.

    The way back centres the rows once more: that is cheaper than to keep them.

    Shapes:    x: (..., D), weight and bias: (D,) -> (..., D)
    Gradient:  dL/dx = (h - mean(h) - n mean(h n)) / sigma, where n is the normalised x,
               sigma = sqrt(var + eps) and h = g weight;  dL/dweight = g n,  dL/dbias = g, both
               summed over the leading axes
    Raises:    ValueError: if weight or bias is not (D,), or D is 0.
    Source:    Ba, Kiros and Hinton (2016), Layer Normalization, section 3. Differs: eps is added
               to the variance.
    """
    check_eps("layer_norm", eps)
    x = require_last_axis("layer_norm", x, weight, bias)
    D = x.shape[-1]
    weight, bias = read_per_feature("weight", weight, x), read_per_feature("bias", bias, x)
    rows, x_shape = x.data.reshape(-1, D), x.shape  # (N, D)
    w = ones(D, x.dtype) if weight is None else weight.data
    average = np.divide(w[:, None], D, dtype=x.dtype)  # g @ average is the mean of g w over the row
    mean = row_sums(rows) / D  # (N, 1)
    y = rows - mean
    slope = 1 / np.sqrt(vecdot(y, y, keepdims=True) / D + eps)  # 1 / sigma: (N, 1)
    y *= slope
    y *= w
    if bias is not None:
        y += bias.data

    def centre(g: Array) -> tuple[Array, Array]:
        centred = rows - mean
        return centred, centred * g.reshape(-1, D)

    again = shared(centre, x, weight)

    def vjp_x(g: Array) -> Array:
        centred, product = again(g)
        g = g.reshape(-1, D)
        h = g * w
        h -= g @ average
        h -= centred * (product @ average * slope * slope)
        h *= slope
        return h.reshape(x_shape)

    edges = [(x, vjp_x)]
    if weight is not None:
        edges.append((weight, lambda g: slope[:, 0] @ again(g)[1]))
    if bias is not None:
        edges.append((bias, lambda g: column_sums(g.reshape(-1, D))))
    return x.from_op(y.reshape(x_shape), *edges, op="layer_norm")


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


def softmax_array(x: Array, axis: int) -> Array:
    """The softmax of an array; zeros along an axis that holds nothing but -inf.

    A NaN, or an infinity, makes everything along its axis NaN. The largest number is subtracted
    only where a sum would leave what a float holds well: that takes two passes over the memory.
    """
    with np.errstate(over="ignore"):
        y = np.exp(x)
        total = row_sums(y) if axis in (-1, y.ndim - 1) else y.sum(axis=axis, keepdims=True)
    if not holds_well(total):
        largest = x.max(axis=axis, keepdims=True)
        largest = np.where(largest == -np.inf, 0, largest)  # -inf - -inf would be NaN
        y = np.exp(x - largest)
        total = y.sum(axis=axis, keepdims=True)
        total = np.where(total == 0, 1, total)
    y /= total
    return y


def holds_well(total: Array) -> bool:
    """True if no number is NaN, infinite, or so close to 0 that digits are lost."""
    kind = np.finfo(total.dtype)
    return bool(((total > kind.tiny / kind.eps) & (total < np.inf)).all())


def softmax_vjp(g: Array, y: Array, axis: int) -> Array:
    """dL/dx of y = softmax(x), from g = dL/dy: y (g - sum(g y))."""
    share = g - vecdot(g, y, axis=axis, keepdims=True)
    share *= y
    return share
