"""Norms over several axes, batch norm of sequences and pictures, all with weights or without."""

from __future__ import annotations

import numpy as np

from stage2_tensor import Tensor, check_flag
from stage2_tensor.more import layer_norm, rms_norm
from stage3_nn import normalization
from stage3_nn.inputs import check_not_negative, check_sizes
from stage3_nn.module import Module, Parameter
from stage3_nn.more.checks import check_norm_input

Sizes = int | tuple[int, ...]


class LayerNorm(Module):
    """`layer_norm` over the last axes, with a weight and a bias for each of their places.

    Shapes:    x: (..., *normalized_shape), weight and bias: normalized_shape -> as x
    Start:     weight 1, bias 0; None without `elementwise_affine`, or without `bias`
    """

    def __init__(
        self,
        normalized_shape: Sizes,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
    ) -> None:
        self.normalized_shape, self.eps = as_shape("LayerNorm", normalized_shape), eps
        check_not_negative("LayerNorm", eps=eps)
        check_flag("LayerNorm", elementwise_affine=elementwise_affine, bias=bias)
        one, zero = np.ones(self.normalized_shape), np.zeros(self.normalized_shape)
        self.weight = Parameter(one.astype(np.float32)) if elementwise_affine else None
        self.bias = Parameter(zero.astype(np.float32)) if elementwise_affine and bias else None

    def forward(self, x: Tensor) -> Tensor:
        """The normalised numbers.

        Raises:    ValueError: if the last axes of x have other sizes.
        """
        return layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}"


class RMSNorm(Module):
    """`rms_norm` over the last axes, with a weight for each of their places.

    Shapes:    x: (..., *normalized_shape), weight: normalized_shape -> as x
    Start:     weight 1; None without `elementwise_affine`
    """

    def __init__(
        self, normalized_shape: Sizes, eps: float = 1e-5, elementwise_affine: bool = True
    ) -> None:
        self.normalized_shape, self.eps = as_shape("RMSNorm", normalized_shape), eps
        check_not_negative("RMSNorm", eps=eps)
        check_flag("RMSNorm", elementwise_affine=elementwise_affine)
        one = np.ones(self.normalized_shape)
        self.weight = Parameter(one.astype(np.float32)) if elementwise_affine else None

    def forward(self, x: Tensor) -> Tensor:
        """The numbers, divided by their root mean square.

        Raises:    ValueError: if the last axes of x have other sizes.
        """
        return rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}"


class BatchNorm1d(normalization.BatchNorm1d):
    """The batch norm of stage 3, for rows of features and for sequences of them.

    Every place of a sequence, or of a picture, is one more row.

    Shapes:    x: (N, C) or (N, C, L) -> as x
    Start:     weight 1, bias 0; without `affine` they stay so: constants, not saved
    """

    axes: tuple[int, ...] = (2, 3)

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = True
    ) -> None:
        super().__init__(num_features, eps, momentum)
        check_flag("BatchNorm1d", affine=affine)
        self.affine = affine
        if not affine:
            self.weight, self.bias = self.weight.detach(), self.bias.detach()

    def forward(self, x: Tensor) -> Tensor:
        """The normalised features.

        Raises:    ValueError: if x has another shape, or one number of each feature in training.
        """
        C = self.weight.size
        check_norm_input(self, x, C, self.axes)
        last = x.swapaxes(1, -1)  # (N, ..., C)
        return super().forward(last.reshape(x.size // C, C)).reshape(last.shape).swapaxes(1, -1)

    def extra_repr(self) -> str:
        return f"{self.weight.size}, affine={self.affine}"


class BatchNorm2d(BatchNorm1d):
    """The same for pictures.

    Shapes:    x: (N, C, H, W) -> as x
    """

    axes = (4,)


def as_shape(op: str, normalized_shape: Sizes) -> tuple[int, ...]:
    """The sizes as a tuple.

    Raises:    TypeError: if they are not whole numbers. ValueError: if one is below 1.
    """
    shape = normalized_shape if isinstance(normalized_shape, tuple) else (normalized_shape,)
    for n in shape:
        check_sizes(op, 1, normalized_shape=n)
    return shape
