"""The error function: twice the area under the bell curve e^(-t^2) / sqrt(pi) from 0 to x.

No formula made of elementary functions gives that area, so it is computed as a series. Write erf(x)
as 2 / sqrt(pi) e^(-x^2) f(x); since its slope is 2 / sqrt(pi) e^(-x^2), f' - 2 x f = 1. The series

    f(x) = x + 2 x^3 / 3 + 4 x^5 / (3 5) + 8 x^7 / (3 5 7) + ...

solves that. All its terms have the sign of x, so no digits are lost to cancellation.
"""

from __future__ import annotations

import math
from itertools import count

import numpy as np

from stage2_tensor.checks.fused import require_floats
from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray

FAR = 6.0  # from here on erf is 1 in float64: what is left over is 2e-17
TOO_SMALL = 1e-17  # a term below that share of the sum no longer changes it


def erf(x: Operand) -> Tensor:
    """The error function, from -1 to 1. NaN stays NaN.

    Gradient:  dL/dx = g 2 / sqrt(pi) e^(-x^2)
    Raises:    TypeError: if x holds integers.
    Source:    NIST Digital Library of Mathematical Functions, equation 7.6.2.
    """
    x = require_floats("erf", x)
    numbers = x.data
    return x.from_op(erf_array(numbers), (x, lambda g: g * bell(numbers)), op="erf")


def erf_array(x: Array) -> Array:
    """The error function of an array, in its dtype; it is computed in float64."""
    near = np.minimum(np.abs(x.astype(np.float64)), FAR)
    square = 2 * near * near
    term = total = near
    for n in count(1):
        term = term * (square / (2 * n + 1))
        if not (term > TOO_SMALL * total).any():
            break
        total = total + term
    return np.copysign(bell(near) * total, x).astype(x.dtype)


def bell(x: Array) -> Array:
    """The slope of erf, 2 / sqrt(pi) e^(-x^2)."""
    return 2 / math.sqrt(math.pi) * np.exp(-x * x)
