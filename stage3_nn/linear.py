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

    Shapes:    x: (..., in_features), weight: (in_features, out_features), bias: (out_features,)
               -> (..., out_features)
    Start:     both from U(-1/sqrt(in_features), 1/sqrt(in_features))
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        rng: np.random.Generator | None = None,
    ) -> None:
        check_sizes("Linear", in_features=in_features, out_features=out_features)
        rng = generator("Linear", rng)
        bound = 1 / math.sqrt(in_features) if in_features else 0
        self.weight = Parameter(init.uniform((in_features, out_features), bound, rng))
        self.bias = Parameter(init.uniform((out_features,), bound, rng)) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        """x W + b: with `@` and `+`, or by the fused `linear` of stage 2, which is one node.

        Raises:    ValueError: if the last axis of x is not in_features long.
        """
        check_last_axis(self, x, self.weight.shape[0])
        return linear(x, self.weight, self.bias)

    def extra_repr(self) -> str:
        in_features, out_features = self.weight.shape
        return f"{in_features}, {out_features}" + (", bias=False" if self.bias is None else "")
