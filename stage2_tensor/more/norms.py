"""Layer norm and RMS norm over the last axis or several: those of a picture, for instance."""

from __future__ import annotations

import math

from stage2_tensor import fused
from stage2_tensor.checks.fused import check_eps, require_floats
from stage2_tensor.more.layer_checks import check_per_feature, read_normalized
from stage2_tensor.tensor import Operand, Tensor

Sizes = int | tuple[int, ...]


def layer_norm(
    x: Operand,
    normalized_shape: Sizes,
    weight: Operand | None = None,
    bias: Operand | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """(x - mean) / sqrt(var + eps) over the last axes, times weight, plus bias.

    Several axes are one long one: x is reshaped, and the `layer_norm` of stage 2 does the rest.

    Shapes:    x: (..., *normalized_shape), weight and bias: normalized_shape -> as x
    Gradient:  as that of the `layer_norm` of stage 2
    Raises:    ValueError: if the last axes of x, the weight or the bias have other sizes.
    Source:    Ba, Kiros and Hinton (2016), Layer Normalization, section 3. Differs: eps is added
               to the variance.
    """
    x = require_floats("layer_norm", x)
    sizes = read_normalized("layer_norm", x.shape, normalized_shape)
    check_per_feature("layer_norm", sizes, weight=weight, bias=bias)
    leading = x.shape[: x.ndim - len(sizes)]
    D = math.prod(sizes)
    w, b = (None if p is None else x.operand(p).reshape(D) for p in (weight, bias))
    return fused.layer_norm(x.reshape((*leading, D)), w, b, eps).reshape(x.shape)


def rms_norm(
    x: Operand, normalized_shape: Sizes, weight: Operand | None = None, eps: float = 1e-5
) -> Tensor:
    """x / sqrt(mean(x^2) + eps) over the last axes, times weight.

    Shapes:    x: (..., *normalized_shape), weight: normalized_shape -> as x
    Gradient:  dL/dx = (h - n mean(h n)) / r, where r is the root, n = x / r, h = g weight
    Raises:    ValueError: if the last axes of x, or the weight, have other sizes.
    Source:    Zhang and Sennrich (2019), Root Mean Square Layer Normalization, equation 4.
               Differs: eps is added under the root.
    """
    check_eps("rms_norm", eps)
    x = require_floats("rms_norm", x)
    sizes = read_normalized("rms_norm", x.shape, normalized_shape)
    check_per_feature("rms_norm", sizes, weight=weight)
    axes = tuple(range(-len(sizes), 0))
    y = x / ((x * x).mean(axes, keepdims=True) + eps).sqrt()
    return y if weight is None else y * weight
