"""What layers refuse, before anything is computed."""

from __future__ import annotations

import numpy as np

from stage2_tensor import Tensor
from stage3_nn.module import Module
from stage3_nn.tree import layer_name


def check_sizes(op: str, low: int = 0, **sizes: int) -> None:
    """Refuse what is no whole number, or below `low`: `check_sizes("Linear", in_features=n)`.

    Raises:    TypeError: if a size is no whole number. ValueError: if it is too small.
    """
    for name, size in sizes.items():
        if not isinstance(size, int | np.integer):
            raise TypeError(
                f"{op}: expected {name} to be a whole number, got {size!r}; convert it with int()"
            )
        if size < low:
            raise ValueError(f"{op}: expected {name} of at least {low}, got {size}; enlarge it")


def check_last_axis(module: Module, x: Tensor, size: int) -> None:
    """Refuse x unless its last axis, that of the features, has this size.

    Raises:    ValueError: if it has another one, or x has no axes.
    """
    shape = getattr(x, "shape", type(x).__name__)
    if shape[-1:] != (size,):
        raise ValueError(
            f"{layer_name(module)}: expected x of shape (..., {size}), got {shape}; "
            "the last axis holds the features"
        )
