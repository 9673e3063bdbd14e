"""Layers for images: one small filter, moved over the whole picture.

Both cut the picture into windows by the same trick: the numbers at place (i, j) of all windows
together are one slice of the picture, so k x k slices, stacked, hold every window.
"""

from __future__ import annotations

import math

import numpy as np

from stage1_autodiff import generator
from stage2_tensor import Tensor, stack
from stage3_nn import init
from stage3_nn.inputs import check_images, check_sizes
from stage3_nn.module import Module, Parameter


def windows(x: Tensor, size: int, stride: int) -> Tensor:
    """Every window of `size` by `size` numbers, one every `stride` steps.

    Shapes:    x: (N, C, H, W) -> (N, C, size * size, H_out, W_out),
               with H_out = (H - size) // stride + 1
    """
    H, W = x.shape[-2:]
    h_end, w_end = H - size + 1, W - size + 1
    places = [(i, j) for i in range(size) for j in range(size)]
    slices = [x[:, :, i : i + h_end : stride, j : j + w_end : stride] for i, j in places]
    return stack(slices, axis=2)


class Conv2d(Module):
    """A filter over every window of a picture, as one matrix product ("im2col").

    Shapes:    x: (N, C_in, H, W), weight: (C_out, C_in, k, k), bias: (C_out,)
               -> (N, C_out, H_out, W_out), with H_out = (H + 2 padding - k) // stride + 1
    Start:     both from U(-b, b), b = 1 / sqrt(C_in k k)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        bias: bool = True,
        rng: np.random.Generator | None = None,
    ) -> None:
        check_sizes("Conv2d", 1, in_channels=in_channels, out_channels=out_channels)
        check_sizes("Conv2d", 1, kernel_size=kernel_size, stride=stride)
        check_sizes("Conv2d", padding=padding)
        rng = generator("Conv2d", rng)
        bound = 1 / math.sqrt(in_channels * kernel_size**2)
        shape = (out_channels, in_channels, kernel_size, kernel_size)
        self.weight = Parameter(init.uniform(shape, bound, rng))
        self.bias = Parameter(init.uniform((out_channels,), bound, rng)) if bias else None
        self.stride = stride
        self.padding = padding

    def forward(self, x: Tensor) -> Tensor:
        """The picture, filtered.

        Raises:    ValueError: if x is not (N, C_in, H, W), or smaller than the filter.
        """
        C_out, C_in, k, _ = self.weight.shape
        p = self.padding
        check_images("Conv2d", x, smallest=k - 2 * p, channels=C_in)
        if p:
            x = x.pad(((0, 0), (0, 0), (p, p), (p, p)))
        columns = windows(x, k, self.stride)  # (N, C_in, k k, H_out, W_out)
        N, (h, w) = len(x), columns.shape[-2:]
        columns = columns.reshape(N, C_in * k * k, h * w)
        y = self.weight.reshape(C_out, C_in * k * k) @ columns  # (N, C_out, H_out W_out)
        y = y.reshape(N, C_out, h, w)
        return y if self.bias is None else y + self.bias.reshape(C_out, 1, 1)

    def extra_repr(self) -> str:
        C_out, C_in, k, _ = self.weight.shape
        return f"{C_in}, {C_out}, {k}, stride={self.stride}, padding={self.padding}"


class MaxPool2d(Module):
    """The largest number of every window; windows lie side by side unless `stride` is given.

    Shapes:    x: (N, C, H, W) -> (N, C, H_out, W_out), with H_out = (H - k) // stride + 1
    """

    def __init__(self, kernel_size: int, stride: int | None = None) -> None:
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        check_sizes("MaxPool2d", 1, kernel_size=kernel_size, stride=self.stride)

    def forward(self, x: Tensor) -> Tensor:
        """The picture, smaller.

        Raises:    ValueError: if x is not (N, C, H, W), or smaller than a window.
        """
        k = self.kernel_size
        check_images("MaxPool2d", x, smallest=k)
        return windows(x, k, self.stride).max(axis=2)

    def extra_repr(self) -> str:
        return f"{self.kernel_size}, stride={self.stride}"
