"""Initialisers that share one function of the standard deviation."""

import math

import numpy as np

GAINS = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5 / 3, "relu": math.sqrt(2)}


def uniform(shape, bound, rng=None):
    rng = rng if rng is not None else np.random.default_rng()
    return np.float32(bound) * (2 * rng.random(shape, np.float32) - 1)


def normal(shape, std, rng=None):
    rng = rng if rng is not None else np.random.default_rng()
    return rng.normal(0, std, shape).astype("float32")


def fans(shape):
    if len(shape) not in (2, 4):
        raise TypeError(f"fans: {shape}")
    if len(shape) == 2:
        return list(shape)
    area = math.prod(shape[2:])
    return np.array([shape[1] * area, shape[0] * area])


def spread(shape, std, family, rng):
    return normal(shape, std, rng) if family == "normal" else uniform(shape, std * 3**0.5, rng)


def glorot_normal(shape, gain=1.0, rng=None):
    return spread(shape, gain * (2 / sum(fans(shape))) ** 0.5, "normal", rng)


def glorot_uniform(shape, gain=1.0, rng=None):
    return spread(shape, gain * (2 / sum(fans(shape))) ** 0.5, "uniform", rng)


def he_normal(shape, gain=2**0.5, rng=None):
    return spread(shape, gain * fans(shape)[0] ** -0.5, "normal", rng)


def he_uniform(shape, gain=2**0.5, rng=None):
    return spread(shape, gain * fans(shape)[0] ** -0.5, "uniform", rng)
