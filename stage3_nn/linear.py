"""The layer that everything else is built around: y = x W + b."""

from __future__ import annotations

import math

import numpy as np

from stage1_autodiff import generator
from stage2_tensor import Tensor, linear
from stage3_nn import init
from stage3_nn.inputs import check_last_axis, check_sizes
from stage3_nn.module import Module, Parameter


class Linear(Module):
    """y = x W + b, applied to the last axis.

    Shapes:    x: (..., n_in), weight: (n_in, n_out), bias: (n_out,) -> (..., n_out)
    Start:     both from U(-1/sqrt(n_in), 1/sqrt(n_in))
    """

    def __init__(
        self, n_in: int, n_out: int, bias: bool = True, rng: np.random.Generator | None = None
    ) -> None:
        check_sizes("Linear", n_in=n_in, n_out=n_out)
        rng = generator("Linear", rng)
        bound = 1 / math.sqrt(n_in) if n_in else 0
        self.weight = Parameter(init.uniform((n_in, n_out), bound, rng))
        self.bias = Parameter(init.uniform((n_out,), bound, rng)) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        """x W + b: with `@` and `+`, or by the fused `linear` of stage 2, which is one node.

        Raises:    ValueError: if the last axis of x is not n_in long.
        """
        check_last_axis(self, x, self.weight.shape[0])
        return linear(x, self.weight, self.bias)

    def extra_repr(self) -> str:
        n_in, n_out = self.weight.shape
        return f"{n_in}, {n_out}" + (", bias=False" if self.bias is None else "")
