"""Activations other than relu: each of them lets some gradient through below 0."""

from __future__ import annotations

import math

import numpy as np

from stage2_tensor import fused
from stage2_tensor.checks.fused import require_floats
from stage2_tensor.checks.options import check_real
from stage2_tensor.more.erf import bell, erf_array
from stage2_tensor.more.layer_checks import check_approximate, check_beta
from stage2_tensor.tensor import Operand, Tensor


def leaky_relu(x: Operand, negative_slope: float = 0.01) -> Tensor:
    """x where it is positive, else negative_slope x.

    Gradient:  dL/dx = g where x > 0, else g negative_slope
    Raises:    TypeError: if x holds integers.
    """
    x = require_floats("leaky_relu", x)
    check_real("leaky_relu", negative_slope=negative_slope)
    slope = np.where(x.data > 0, 1, float(negative_slope)).astype(x.dtype)
    return x.from_op(x.data * slope, (x, lambda g: g * slope), op="leaky_relu")


def elu(x: Operand, alpha: float = 1.0) -> Tensor:
    """x where it is positive, else alpha (e^x - 1), which is never below -alpha.

    With alpha = 1 it has no kink at 0.

    Gradient:  dL/dx = g where x > 0, else g alpha e^x
    Raises:    TypeError: if x holds integers.
    Source:    Clevert, Unterthiner and Hochreiter (2015), Exponential Linear Units.
    """
    x = require_floats("elu", x)
    check_real("elu", alpha=alpha)
    negative = np.minimum(x.data, 0)  # e^x of a large x is never computed
    y = np.where(x.data > 0, x.data, alpha * np.expm1(negative))
    slope = np.where(x.data > 0, 1, alpha * np.exp(negative))
    return x.from_op(y, (x, lambda g: g * slope), op="elu")


def softplus(x: Operand, beta: float = 1.0) -> Tensor:
    """log(1 + e^(beta x)) / beta, a relu without a kink; no exponential overflows.

    Gradient:  dL/dx = g sigmoid(beta x)
    Raises:    TypeError: if x holds integers. ValueError: if beta is not above 0.
    """
    x = require_floats("softplus", x)
    check_beta(beta)
    scaled = beta * x.data
    small = np.exp(-np.abs(scaled))  # at most 1
    y = (np.maximum(scaled, 0) + np.log1p(small)) / beta
    slope = np.where(scaled >= 0, 1, small) / (1 + small)  # the sigmoid
    return x.from_op(y, (x, lambda g: g * slope), op="softplus")


def gelu(x: Operand, approximate: str = "none") -> Tensor:
    """x times the share P of the normal distribution below x; "tanh" is the form of stage 2.

    Gradient:  dL/dx = g (P + x p), where p = e^(-x^2 / 2) / sqrt(2 pi) is the density at x
    Raises:    ValueError: if `approximate` is neither "none" nor "tanh". TypeError: if x holds
               integers.
    Source:    Hendrycks and Gimpel (2016), Gaussian Error Linear Units, section 2.
    """
    check_approximate(approximate)
    if approximate == "tanh":
        return fused.gelu(x)
    x = require_floats("gelu", x)
    z = x.data / math.sqrt(2)
    share = (1 + erf_array(z)) / 2
    slope = share + z * bell(z) / 2
    return x.from_op(x.data * share, (x, lambda g: g * slope), op="gelu")
