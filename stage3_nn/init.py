"""Where training starts: random numbers whose size keeps the signal alive through many layers.

A sum of fan_in products of independent numbers with mean 0 has fan_in times the variance of one
product. So weights of variance 1 / fan_in keep the variance of the input, and those of variance
2 / fan_in also make up for a relu, which throws half of it away.
"""

from __future__ import annotations

import math

import numpy as np

from stage1_autodiff import generator
from stage3_nn.inputs import check_float32, check_gain, check_not_negative, check_shape

Array = np.ndarray
Generator = np.random.Generator
Shape = tuple[int, ...]

GAINS = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5 / 3, "relu": math.sqrt(2)}


def uniform(shape: Shape, bound: float, rng: Generator | None = None) -> Array:
    """float32 numbers from the uniform distribution between -bound and bound."""
    check_shape("uniform", shape)
    check_not_negative("uniform", bound=bound)
    check_float32("uniform", bound=bound)
    return generator("uniform", rng).uniform(-bound, bound, shape).astype(np.float32)


def normal(shape: Shape, std: float, rng: Generator | None = None) -> Array:
    """float32 numbers from the normal distribution with mean 0 and this standard deviation."""
    check_shape("normal", shape)
    check_float32("normal", std=std)
    return std * generator("normal", rng).standard_normal(shape, np.float32)


def fans(shape: Shape) -> tuple[int, int]:
    """How many numbers one output is made from, and into how many one input goes.

    Shapes:    (in_features, out_features) of a Linear,
               (out_channels, in_channels, height, width) of a Conv2d
    Raises:    ValueError: if the shape is neither.
    """
    check_shape("fans", shape)
    if len(shape) == 2:
        return shape
    if len(shape) == 4:
        out_channels, in_channels, height, width = shape
        return in_channels * height * width, out_channels * height * width
    raise ValueError(
        f"fans: expected the shape of a Linear or a Conv2d, got {shape}; start biases with zeros"
    )


def glorot_normal(shape: Shape, gain: float = 1.0, rng: Generator | None = None) -> Array:
    """Normal numbers with std = gain sqrt(2 / (fan_in + fan_out)).

    A compromise: variance 1 / fan_in keeps the signal on its way forward, 1 / fan_out keeps the
    gradient on its way back.

    Source:    Glorot and Bengio (2010), equation 12. Differs: theirs is without gain.
    """
    fan_in, fan_out = fans(shape)
    check_gain("glorot_normal", gain, fan_in, fan_out)
    return normal(shape, gain * math.sqrt(2 / (fan_in + fan_out)), rng)


def glorot_uniform(shape: Shape, gain: float = 1.0, rng: Generator | None = None) -> Array:
    """Uniform numbers with the same std: U(-b, b) has std b / sqrt(3).

    Source:    Glorot and Bengio (2010), equation 16. Differs: theirs is without gain.
    """
    fan_in, fan_out = fans(shape)
    check_gain("glorot_uniform", gain, fan_in, fan_out)
    return uniform(shape, gain * math.sqrt(6 / (fan_in + fan_out)), rng)


def he_normal(shape: Shape, gain: float = GAINS["relu"], rng: Generator | None = None) -> Array:
    """Normal numbers with std = gain / sqrt(fan_in).

    Source:    He, Zhang, Ren and Sun (2015), Delving Deep into Rectifiers, equation 10.
    """
    fan_in, _ = fans(shape)
    check_gain("he_normal", gain, fan_in)
    return normal(shape, gain / math.sqrt(fan_in), rng)


def he_uniform(shape: Shape, gain: float = GAINS["relu"], rng: Generator | None = None) -> Array:
    """Uniform numbers with the same std as `he_normal`."""
    fan_in, _ = fans(shape)
    check_gain("he_uniform", gain, fan_in)
    return uniform(shape, gain * math.sqrt(3 / fan_in), rng)
