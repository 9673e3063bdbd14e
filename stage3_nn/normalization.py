"""Layers that bring numbers back to a size that the next layer can work with."""

from __future__ import annotations

import numpy as np

from stage2_tensor import Tensor, layer_norm
from stage3_nn.argument_kinds import check_tensor
from stage3_nn.inputs import (
    check_batch,
    check_last_axis,
    check_not_negative,
    check_share,
    check_sizes,
)
from stage3_nn.module import Buffer, Module, Parameter


class LayerNorm(Module):
    """(x - mean) / sqrt(var + eps) over the last axis, times weight, plus bias.

    The variance is the biased one, divided by D. Composed of `mean` and `var` this takes three
    lines; the fused `layer_norm` of stage 2 is the same in one node.

    Shapes:    x: (..., D), weight and bias: (D,) -> (..., D)
    Start:     weight 1, bias 0
    Source:    Ba, Kiros and Hinton (2016), Layer Normalization, section 3. Differs: eps is added
               to the variance.
    """

    def __init__(self, normalized_shape: int, eps: float = 1e-5) -> None:
        check_sizes("LayerNorm", normalized_shape=normalized_shape)
        check_not_negative("LayerNorm", eps=eps)
        self.weight = Parameter(np.ones(normalized_shape, np.float32))
        self.bias = Parameter(np.zeros(normalized_shape, np.float32))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """The normalised rows.

        Raises:    ValueError: if the last axis of x is not D long.
        """
        check_last_axis(self, x, self.weight.size)
        return layer_norm(x, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return f"{self.weight.size}"


class RMSNorm(Module):
    """x / sqrt(mean(x^2) + eps) over the last axis, times weight: LayerNorm without the mean.

    Shapes:    x: (..., D), weight: (D,) -> (..., D)
    Start:     weight 1
    Source:    Zhang and Sennrich (2019), Root Mean Square Layer Normalization, equation 4.
               Differs: eps is added under the root.
    """

    def __init__(self, normalized_shape: int, eps: float = 1e-5) -> None:
        check_sizes("RMSNorm", normalized_shape=normalized_shape)
        check_not_negative("RMSNorm", eps=eps)
        self.weight = Parameter(np.ones(normalized_shape, np.float32))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """The rows, each divided by its root mean square.

        Raises:    ValueError: if the last axis of x is not D long.
        """
        check_tensor("RMSNorm", x)
        check_last_axis(self, x, self.weight.size)
        mean_square = (x * x).mean(-1, keepdims=True)  # (..., 1)
        return x / (mean_square + self.eps).sqrt() * self.weight

    def extra_repr(self) -> str:
        return f"{self.weight.size}"


class BatchNorm1d(Module):
    """(x - mean) / sqrt(var + eps) per feature, over the batch, times weight, plus bias.

    In training the statistics are those of the batch (biased variance), and a running average of
    them is kept (unbiased variance, as PyTorch has it); in evaluation the average is used, so that
    an answer does not depend on its neighbours.

    Shapes:    x: (N, C) -> (N, C)
    Source:    Ioffe and Szegedy (2015), Batch Normalization, algorithm 1.
    """

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        check_sizes("BatchNorm1d", num_features=num_features)
        check_not_negative("BatchNorm1d", eps=eps)
        check_share("BatchNorm1d", momentum=momentum)
        self.weight = Parameter(np.ones(num_features, np.float32))
        self.bias = Parameter(np.zeros(num_features, np.float32))
        self.running_mean = Buffer(np.zeros(num_features, np.float32))
        self.running_var = Buffer(np.ones(num_features, np.float32))
        self.eps = eps
        self.momentum = momentum

    def forward(self, x: Tensor) -> Tensor:
        """The normalised features.

        Raises:    ValueError: if x has another shape, or a batch of one comes in training.
        """
        check_batch(self, x, self.weight.size)
        mean, variance = self.running_mean, self.running_var
        if self.training:
            mean, variance = x.mean(0), x.var(0)
            self._remember(mean.data, variance.data, len(x))
        return (x - mean) / (variance + self.eps).sqrt() * self.weight + self.bias

    def _remember(self, mean: np.ndarray, variance: np.ndarray, n: int) -> None:
        for kept, new in ((self.running_mean, mean), (self.running_var, variance * n / (n - 1))):
            kept.data += self.momentum * (new - kept.data)

    def extra_repr(self) -> str:
        return f"{self.weight.size}"
