"""A limit for gradients, so that one bad batch cannot throw the weights away."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from stage2_tensor import Tensor
from stage3_nn import check_not_negative, norm
from stage4_optim.inputs import (
    check_norm_type,
    finite,
    not_finite,
    read_parameters,
)


def clip_grad_norm(
    parameters: Tensor | Iterable[Tensor], max_norm: float, norm_type: float = 2.0
) -> float:
    """The norm of all gradients together, as it was; above max_norm they are scaled down to it.

    All are scaled by one factor, max_norm / norm, so that the direction stays. With
    norm_type=math.inf the norm is the largest absolute value. A parameter that is listed twice
    counts once; a single Tensor is a list of one.

    Source:    Pascanu, Mikolov and Bengio (2013), algorithm 1.
    Raises:    FloatingPointError: if a gradient is not finite; none is changed then.
               ValueError: if max_norm is negative, or norm_type not above 0. TypeError: if these
               are no Tensors.
    """
    check_not_negative("clip_grad_norm", max_norm=max_norm)
    check_norm_type(norm_type)
    params = dict.fromkeys(read_parameters("clip_grad_norm", parameters))
    gradients = {p: p.grad for p in params if p.grad is not None}
    before = grad_norm(params, norm_type)
    if not finite(before):
        raise not_finite(params)
    if before > max_norm:
        for p, g in gradients.items():
            g *= max_norm / before
            p.grad = g  # a gradient of shape () may be a plain number
    return before


def grad_norm(params: Iterable[Tensor], norm_type: float = 2.0) -> float:
    """The norm of all gradients together; squares are summed in float64, where none overflows."""
    gradients = [p.grad for p in params if p.grad is not None]
    if norm_type == 2:
        return norm(gradients)
    if norm_type == math.inf:
        return max((float(np.abs(g).max()) for g in gradients if g.size), default=0.0)
    powers = [(np.abs(g.astype(np.float64)) ** norm_type).sum() for g in gradients]
    return float(sum(powers)) ** (1 / norm_type)


def clip_grad_value(parameters: Tensor | Iterable[Tensor], clip_value: float) -> None:
    """Every number of every gradient brought between -clip_value and clip_value.

    A single Tensor is a list of one.

    Raises:    ValueError: if clip_value is negative.
    """
    check_not_negative("clip_grad_value", clip_value=clip_value)
    for p in read_parameters("clip_grad_value", parameters):
        if p.grad is not None:
            p.grad = np.clip(p.grad, -clip_value, clip_value)
