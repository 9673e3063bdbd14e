"""Pooling: the largest number, or the mean, of every window, which may hang over the edge.

`padding` goes around the picture. `ceil_mode` lets the last windows hang over, so that no number is
left out.
"""

from __future__ import annotations

import numpy as np

from stage2_tensor import Tensor
from stage3_nn.module import Module
from stage3_nn.more.checks import (
    Pair,
    Sizes,
    check_pictures,
    check_pool_padding,
    read_pair,
)
from stage3_nn.more.windows import overhang, spans, windows


def max_pool2d(
    x: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
) -> Tensor:
    """The largest number of every window; windows lie side by side unless `stride` is given.

    Shapes:    x: (N, C, H, W) -> (N, C, H_out, W_out), with
               H_out = (H + 2 padding - dilation (kh - 1) - 1) / stride + 1, rounded down, or up
    Gradient:  goes to the largest number; tied ones share it equally
    Raises:    ValueError: if x has another shape or is smaller than a window, or the padding is
               wider than half of one. TypeError: if a size is no whole number.
    """
    op = "max_pool2d"
    kernel = read_pair(op, "kernel_size", kernel_size)
    steps = kernel if stride is None else read_pair(op, "stride", stride)
    around, gaps = read_pair(op, "padding", padding, 0), read_pair(op, "dilation", dilation)
    check_pool_padding(op, kernel, around)
    span = spans(kernel, gaps)
    check_pictures(op, x, span, twice(around))
    over = overhang(sizes(x), span, steps, around) if ceil_mode else (0, 0)
    x = frame(x, around, around, -np.inf)  # never the largest
    return windows(frame(x, (0, 0), over, -np.inf), kernel, steps, gaps).max(axis=2)


def avg_pool2d(
    x: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """The mean of every window; the zeros of the padding count unless told otherwise.

    What hangs over in `ceil_mode` never counts.

    Shapes:    x: (N, C, H, W) -> (N, C, H_out, W_out), with
               H_out = (H + 2 padding - kh) / stride + 1, rounded down, or up
    Gradient:  each number of a window of n receives g / n
    Raises:    ValueError: if x has another shape or is smaller than a window, or the padding is
               wider than half of one. TypeError: if a size is no whole number.
    """
    op = "avg_pool2d"
    kernel = read_pair(op, "kernel_size", kernel_size)
    steps = kernel if stride is None else read_pair(op, "stride", stride)
    around = read_pair(op, "padding", padding, 0)
    check_pool_padding(op, kernel, around)
    check_pictures(op, x, kernel, twice(around))
    over = overhang(sizes(x), kernel, steps, around) if ceil_mode else (0, 0)
    counts = frame(Tensor(np.ones((1, 1, *sizes(x)), x.dtype)), around, around, count_include_pad)
    x, counts = (frame(a, (0, 0), over) for a in (frame(x, around, around), counts))
    return windows(x, kernel, steps).sum(axis=2) / windows(counts, kernel, steps).sum(axis=2)


def twice(around: Pair) -> Pair:
    """How many rows and columns are put around in all."""
    return 2 * around[0], 2 * around[1]


def sizes(x: Tensor) -> Pair:
    """Height and width of the pictures."""
    return x.shape[2], x.shape[3]


def frame(x: Tensor, before: Pair, behind: Pair, value: float = 0.0) -> Tensor:
    """The pictures with so many rows and columns of `value` before and behind them."""
    if not any(before + behind):
        return x
    return x.pad(((0, 0), (0, 0), (before[0], behind[0]), (before[1], behind[1])), value)


class MaxPool2d(Module):
    """`max_pool2d` as a Module."""

    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        ceil_mode: bool = False,
    ) -> None:
        self.kernel_size = read_pair("MaxPool2d", "kernel_size", kernel_size)
        self.stride = read_pair("MaxPool2d", "stride", kernel_size if stride is None else stride)
        self.padding = read_pair("MaxPool2d", "padding", padding, 0)
        self.dilation = read_pair("MaxPool2d", "dilation", dilation)
        self.ceil_mode = ceil_mode

    def forward(self, x: Tensor) -> Tensor:
        """The pictures, smaller."""
        options = (self.stride, self.padding, self.dilation, self.ceil_mode)
        return max_pool2d(x, self.kernel_size, *options)

    def extra_repr(self) -> str:
        return f"{self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool2d(Module):
    """`avg_pool2d` as a Module."""

    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        self.kernel_size = read_pair("AvgPool2d", "kernel_size", kernel_size)
        self.stride = read_pair("AvgPool2d", "stride", kernel_size if stride is None else stride)
        self.padding = read_pair("AvgPool2d", "padding", padding, 0)
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, x: Tensor) -> Tensor:
        """The pictures, smaller."""
        options = (self.stride, self.padding, self.ceil_mode, self.count_include_pad)
        return avg_pool2d(x, self.kernel_size, *options)

    def extra_repr(self) -> str:
        return f"{self.kernel_size}, stride={self.stride}, padding={self.padding}"
