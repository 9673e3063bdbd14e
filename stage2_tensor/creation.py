"""Tensors made from nothing but a shape."""

from __future__ import annotations

import numpy as np

from stage2_tensor.tensor import Tensor

Generator = np.random.Generator


def zeros(*shape: int, dtype=np.float32, requires_grad: bool = False) -> Tensor:
    """A Tensor of zeros: `zeros(2, 3)`."""
    return Tensor(np.zeros(shape, dtype), requires_grad)


def ones(*shape: int, dtype=np.float32, requires_grad: bool = False) -> Tensor:
    """A Tensor of ones: `ones(2, 3)`."""
    return Tensor(np.ones(shape, dtype), requires_grad)


def full(shape: tuple[int, ...], value: float, dtype=np.float32, requires_grad=False) -> Tensor:
    """A Tensor of the same number everywhere."""
    return Tensor(np.full(shape, value, dtype), requires_grad)


def arange(*bounds: float, dtype=np.float32, requires_grad: bool = False) -> Tensor:
    """The numbers from start (0) to before stop, in steps (1), as `range` counts them."""
    return Tensor(np.arange(*bounds, dtype=dtype), requires_grad)


def eye(n: int, m: int | None = None, dtype=np.float32, requires_grad: bool = False) -> Tensor:
    """The identity matrix, n by m."""
    return Tensor(np.eye(n, m, dtype=dtype), requires_grad)


def randn(
    *shape: int, rng: Generator | None = None, dtype=np.float32, requires_grad: bool = False
) -> Tensor:
    """Numbers from the normal distribution with mean 0 and variance 1."""
    rng = rng or np.random.default_rng()
    return Tensor(rng.standard_normal(shape).astype(dtype), requires_grad)


def rand(
    *shape: int, rng: Generator | None = None, dtype=np.float32, requires_grad: bool = False
) -> Tensor:
    """Numbers from the uniform distribution between 0 and 1."""
    return uniform(0, 1, shape, rng=rng, dtype=dtype, requires_grad=requires_grad)


def uniform(
    low: float,
    high: float,
    shape: tuple[int, ...],
    rng: Generator | None = None,
    dtype=np.float32,
    requires_grad: bool = False,
) -> Tensor:
    """Numbers from the uniform distribution between `low` and `high`."""
    rng = rng or np.random.default_rng()
    return Tensor(rng.uniform(low, high, shape).astype(dtype), requires_grad)


def zeros_like(x: Tensor, requires_grad: bool = False) -> Tensor:
    """Zeros in the shape and dtype of x."""
    return Tensor(np.zeros_like(x.data), requires_grad)


def ones_like(x: Tensor, requires_grad: bool = False) -> Tensor:
    """Ones in the shape and dtype of x."""
    return Tensor(np.ones_like(x.data), requires_grad)
