"""Convolution with filters that are not square, have gaps, or see only some of the channels."""

from __future__ import annotations

import math

import numpy as np

from stage1_autodiff import generator
from stage2_tensor import Tensor
from stage3_nn import init
from stage3_nn.inputs import check_sizes
from stage3_nn.module import Module, Parameter
from stage3_nn.more.checks import (
    Pair,
    Sizes,
    check_groups,
    check_padding_word,
    check_pictures,
    check_tensors,
    check_weight,
    read_pair,
)
from stage3_nn.more.pooling import frame
from stage3_nn.more.windows import spans, windows


def conv2d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes | str = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Every filter over every window of a picture, as one matrix product for each group.

    padding   zeros around the picture: a number, a pair, "valid" for none, or "same" for as many
              as keep its size; if that number is odd, the extra one comes behind
    dilation  the numbers that a filter sees lie so many steps apart
    groups    the channels are dealt out to so many groups, and each filter sees one of them

    Shapes:    x: (N, C_in, H, W), weight: (C_out, C_in / groups, kh, kw), bias: (C_out,)
               -> (N, C_out, H_out, W_out),
               with H_out = (H + 2 padding - dilation (kh - 1) - 1) // stride + 1
    Gradient:  as those of the product and of the windows
    Raises:    ValueError: if the shapes do not go together, x is smaller than a filter, or
               padding="same" comes with a stride. TypeError: if a size is no whole number, or x,
               weight or bias is no Tensor.
    """
    check_sizes("conv2d", 1, groups=groups)
    check_tensors("conv2d", x, weight, bias)
    check_weight(x, weight, bias, groups)
    C_out, C, kh, kw = weight.shape
    steps, gaps = read_pair("conv2d", "stride", stride), read_pair("conv2d", "dilation", dilation)
    span = spans((kh, kw), gaps)
    before, behind = read_padding(padding, steps, span)
    around = (before[0] + behind[0], before[1] + behind[1])
    check_pictures("conv2d", x, span, around)
    columns = windows(frame(x, before, behind), (kh, kw), steps, gaps)  # (N, C_in, k, h, w)
    N, (h, w) = len(x), columns.shape[-2:]
    columns = columns.reshape(N, groups, C * kh * kw, h * w)
    filters = weight.reshape(groups, C_out // groups, C * kh * kw)
    y = (filters @ columns).reshape(N, C_out, h, w)
    return y if bias is None else y + bias.reshape(C_out, 1, 1)


def read_padding(padding: Sizes | str, stride: Pair, span: Pair) -> tuple[Pair, Pair]:
    """How many rows and columns of zeros come before the picture, and behind it."""
    if not isinstance(padding, str):
        around = read_pair("conv2d", "padding", padding, 0)
        return around, around
    check_padding_word(padding, stride)
    if padding == "valid":
        return (0, 0), (0, 0)
    before = ((span[0] - 1) // 2, (span[1] - 1) // 2)
    return before, (span[0] - 1 - before[0], span[1] - 1 - before[1])


class Conv2d(Module):
    """`conv2d` as a Module.

    Start:     both from U(-b, b), b = 1 / sqrt(C_in / groups kh kw)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes | str = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        bias: bool = True,
        rng: np.random.Generator | None = None,
    ) -> None:
        check_sizes("Conv2d", 1, in_channels=in_channels, out_channels=out_channels)
        check_groups(in_channels, out_channels, groups)
        kh, kw = read_pair("Conv2d", "kernel_size", kernel_size)
        rng = generator("Conv2d", rng)
        shape = (out_channels, in_channels // groups, kh, kw)
        bound = 1 / math.sqrt(math.prod(shape[1:]))
        self.weight = Parameter(init.uniform(shape, bound, rng))
        self.bias = Parameter(init.uniform((out_channels,), bound, rng)) if bias else None
        self.stride, self.padding, self.dilation = stride, padding, dilation
        self.groups = groups

    def forward(self, x: Tensor) -> Tensor:
        """The pictures, filtered."""
        options = (self.stride, self.padding, self.dilation, self.groups)
        return conv2d(x, self.weight, self.bias, *options)

    def extra_repr(self) -> str:
        C_out, C, kh, kw = self.weight.shape
        options = f"stride={self.stride}, padding={self.padding}, dilation={self.dilation}"
        return f"{C * self.groups}, {C_out}, ({kh}, {kw}), {options}, groups={self.groups}"
