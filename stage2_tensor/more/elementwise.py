"""More functions of every element: slopes that calculus tables list, and steps that have none."""

from __future__ import annotations

import math

import numpy as np

from stage2_tensor.checks.numbers import no_booleans
from stage2_tensor.creation import as_tensor
from stage2_tensor.tensor import Operand, Tensor


def tan(x: Operand) -> Tensor:
    """The tangent, in radians.

    Gradient:  dL/dx = g (1 + y^2)
    """
    x = as_tensor(x)
    y = np.tan(x.data)
    return x.from_op(y, (x, lambda g: g * (1 + y * y)), op="tan")


def log1p(x: Operand) -> Tensor:
    """log(1 + x), exact where 1 + x would be rounded to 1.

    Gradient:  dL/dx = g / (1 + x)
    """
    x = as_tensor(x)
    numbers = x.data
    return x.from_op(np.log1p(numbers), (x, lambda g: g / (1 + numbers)), op="log1p")


def expm1(x: Operand) -> Tensor:
    """e^x - 1, exact where e^x would be rounded to 1.

    Gradient:  dL/dx = g (y + 1)
    """
    x = as_tensor(x)
    y = np.expm1(x.data)
    return x.from_op(y, (x, lambda g: g * (y + 1)), op="expm1")


def log2(x: Operand) -> Tensor:
    """The logarithm to the base 2.

    Gradient:  dL/dx = g / (x ln 2)
    """
    x = as_tensor(x)
    numbers = x.data
    return x.from_op(np.log2(numbers), (x, lambda g: g / (numbers * math.log(2))), op="log2")


def floor(x: Operand) -> Tensor:
    """The largest whole number that is not above x.

    Gradient:  dL/dx = 0, also at the steps
    """
    x = as_tensor(x)
    return x.from_op(np.floor(x.data), (x, np.zeros_like), op="floor")


def ceil(x: Operand) -> Tensor:
    """The smallest whole number that is not below x.

    Gradient:  dL/dx = 0, also at the steps
    """
    x = as_tensor(x)
    return x.from_op(np.ceil(x.data), (x, np.zeros_like), op="ceil")


def sign(x: Operand) -> Tensor:
    """-1, 0 or 1. NaN stays NaN.

    Gradient:  dL/dx = 0, also at 0
    Raises:    TypeError: if x holds booleans.
    """
    x = as_tensor(x)
    if x.data.dtype.kind == "b":
        raise no_booleans("sign")
    return x.from_op(np.sign(x.data), (x, np.zeros_like), op="sign")
