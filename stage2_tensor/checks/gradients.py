"""Refusals of the backward pass, and of the gradient check."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from stage2_tensor.tensor import Tensor

Array = np.ndarray


def check_differentiable(dtype: np.dtype, requires_grad: bool = True) -> None:
    """Refuse a gradient for what cannot move by a little.

    Raises:    TypeError: if these are not floats, or requires_grad is neither True nor False.
    """
    if not isinstance(requires_grad, bool | np.bool_):
        raise TypeError(f"Tensor: expected requires_grad True or False, got {requires_grad!r}")
    if requires_grad and dtype.kind != "f":
        raise TypeError(
            f"Tensor: expected a float dtype for requires_grad=True, got {dtype}; "
            "write dtype=np.float32"
        )


def check_requires_grad(x: Tensor) -> None:
    """Refuse to walk back from a Tensor that no gradient is wanted of.

    Raises:    RuntimeError: if it requires no gradient.
    """
    if not x.requires_grad:
        raise RuntimeError(
            "backward: expected a Tensor that requires a gradient, got one that does not; "
            "create its leaves with requires_grad=True, outside of no_grad()"
        )


def check_single(data: Array) -> None:
    """Refuse to begin with 1 unless there is one element.

    Raises:    ValueError: if there are several, or none.
    """
    if data.size != 1:
        raise ValueError(
            f"backward: expected a Tensor of one element, got shape {data.shape}; "
            "call .sum() or .mean() first, or hand over a gradient of that shape"
        )


def check_seed(seed: Array, data: Array) -> None:
    """Refuse to begin with a gradient of another shape.

    Raises:    ValueError: if the shapes differ.
    """
    if seed.shape != data.shape:
        raise ValueError(f"backward: expected a gradient of shape {data.shape}, got {seed.shape}")


def check_function(f: object) -> None:
    """Refuse to check what is no function.

    Raises:    TypeError: if it cannot be called.
    """
    if not callable(f):
        raise TypeError(f"gradcheck: expected a function first, got {f!r}; write gradcheck(f, x)")


def check_output(y: object) -> None:
    """Refuse to check a function whose result is no node.

    Raises:    TypeError: if the result is no Tensor.
    """
    if not hasattr(y, "requires_grad"):
        raise TypeError(
            f"gradcheck: expected a function that returns a Tensor, got a {type(y).__name__}"
        )
