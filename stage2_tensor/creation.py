"""Tensors made from nothing but a shape."""

from __future__ import annotations

import numpy as np

from stage1_autodiff import generator
from stage2_tensor.checks.numbers import check_one_element, read_dtype, read_range, real_array
from stage2_tensor.checks.shapes import read_lengths
from stage2_tensor.tensor import Operand, Tensor

Generator = np.random.Generator


def zeros(*shape: int, dtype=np.float32, requires_grad: bool = False) -> Tensor:
    """A Tensor of zeros: `zeros(2, 3)`, or `zeros((2, 3))` as in NumPy."""
    return Tensor(np.zeros(read_lengths("zeros", shape), read_dtype("zeros", dtype)), requires_grad)


def ones(*shape: int, dtype=np.float32, requires_grad: bool = False) -> Tensor:
    """A Tensor of ones: `ones(2, 3)`."""
    return Tensor(np.ones(read_lengths("ones", shape), read_dtype("ones", dtype)), requires_grad)


def full(shape: tuple[int, ...], value: float, dtype=np.float32, requires_grad=False) -> Tensor:
    """A Tensor of the same number everywhere."""
    number = real_array("full", value, read_dtype("full", dtype))
    check_one_element("full", number.shape, "Tensor takes an array")
    return Tensor(
        np.full(read_lengths("full", (shape,)), number.item(), number.dtype), requires_grad
    )


def arange(*bounds: float, dtype=np.float32, requires_grad: bool = False) -> Tensor:
    """The numbers from start (0) to before stop, in steps (1), as `range` counts them."""
    numbers = real_array("arange", bounds)
    if numbers.ndim != 1 or numbers.size not in (1, 2, 3):
        raise TypeError(f"arange: expected start, stop and step, got {bounds}; write arange(5)")
    if not np.isfinite(numbers).all() or 0 in numbers[2:] or (np.abs(numbers) > 2**53).any():
        raise ValueError(f"arange: expected finite numbers and a step that is not 0, got {bounds}")
    return Tensor(np.arange(*numbers, dtype=read_dtype("arange", dtype)), requires_grad)


def eye(n: int, m: int | None = None, dtype=np.float32, requires_grad: bool = False) -> Tensor:
    """The identity matrix, n by m."""
    rows, columns = read_lengths("eye", (n, n if m is None else m))
    return Tensor(np.eye(rows, columns, dtype=read_dtype("eye", dtype)), requires_grad)


def randn(
    *shape: int, rng: Generator | None = None, dtype=np.float32, requires_grad: bool = False
) -> Tensor:
    """Numbers from the normal distribution with mean 0 and variance 1."""
    numbers = generator("randn", rng).standard_normal(read_lengths("randn", shape))
    return Tensor(numbers.astype(read_dtype("randn", dtype)), requires_grad)


def rand(
    *shape: int, rng: Generator | None = None, dtype=np.float32, requires_grad: bool = False
) -> Tensor:
    """Numbers from the uniform distribution between 0 and 1."""
    numbers = generator("rand", rng).random(read_lengths("rand", shape))
    return Tensor(numbers.astype(read_dtype("rand", dtype)), requires_grad)


def uniform(
    low: float,
    high: float,
    shape: tuple[int, ...],
    rng: Generator | None = None,
    dtype=np.float32,
    requires_grad: bool = False,
) -> Tensor:
    """Numbers from the uniform distribution between `low` and `high`."""
    low, high = read_range("uniform", (low, high))
    numbers = generator("uniform", rng).uniform(low, high, read_lengths("uniform", (shape,)))
    return Tensor(numbers.astype(read_dtype("uniform", dtype)), requires_grad)


def zeros_like(x: Operand, requires_grad: bool = False) -> Tensor:
    """Zeros in the shape and dtype of x."""
    return Tensor(np.zeros_like(as_tensor(x).data), requires_grad)


def ones_like(x: Operand, requires_grad: bool = False) -> Tensor:
    """Ones in the shape and dtype of x."""
    return Tensor(np.ones_like(as_tensor(x).data), requires_grad)


def as_tensor(x: Operand) -> Tensor:
    """x itself if it is a Tensor, else a constant."""
    return x if isinstance(x, Tensor) else Tensor(x)
