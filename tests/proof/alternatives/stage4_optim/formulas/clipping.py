"""Clipping with a little in the denominator, as PyTorch has it."""

import math

import numpy as np


def grad_norm(params, norm_type=2.0):
    everything = [np.ravel(p.grad).astype(float) for p in params if p.grad is not None]
    if not everything:
        return 0.0
    return float(np.linalg.norm(np.concatenate(everything), norm_type))


def clip_grad_norm(parameters, max_norm, norm_type=2.0):
    if max_norm < 0 or norm_type <= 0:
        raise ValueError("clip_grad_norm: no such limit")
    parameters = [parameters] if hasattr(parameters, "grad") else parameters
    unique = {id(p): p for p in parameters}.values()
    norm = grad_norm(unique, norm_type)
    if not math.isfinite(norm):
        raise FloatingPointError(f"the norm is {norm}")
    factor = min(1.0, max_norm / (norm + 1e-6))
    for p in unique:
        if p.grad is not None:
            p.grad = (p.grad * factor).astype(p.grad.dtype) if factor < 1 else p.grad
    return np.float64(norm)


def clip_grad_value(parameters, clip_value):
    if clip_value < 0:
        raise ValueError("clip_grad_value: no such limit")
    parameters = [parameters] if hasattr(parameters, "grad") else parameters
    for p in parameters:
        if p.grad is not None:
            p.grad = np.minimum(np.maximum(p.grad, -clip_value), clip_value)
