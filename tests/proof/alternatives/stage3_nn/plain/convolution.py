"""Convolution as a sum over the places of the window, one matrix product each."""

import math

import numpy as np

from stage2_tensor import concatenate, maximum
from stage3_nn import init
from stage3_nn.module import Module, Parameter


def corners(x, size, stride):
    """The slices of x that hold one place of every window."""
    H, W = x.shape[2:]
    for i in range(size):
        for j in range(size):
            rows = slice(i, H - size + i + 1, stride)
            yield x[:, :, rows, slice(j, W - size + j + 1, stride)]


def windows(x, size, stride):
    return concatenate([part.unsqueeze(2) for part in corners(x, size, stride)], axis=2)


class Conv2d(Module):
    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True, rng=None
    ):
        rng = rng or np.random.default_rng()
        bound = 1 / math.sqrt(in_channels * kernel_size**2)
        shape = (out_channels, in_channels, kernel_size, kernel_size)
        self.weight = Parameter(init.uniform(shape, bound, rng))
        self.bias = Parameter(init.uniform((out_channels,), bound, rng)) if bias else None
        self.stride, self.padding = stride, padding

    def forward(self, x):
        k, p = self.weight.shape[-1], self.padding
        if x.ndim != 4 or x.shape[1] != self.weight.shape[1]:
            raise ValueError("Conv2d: expected (N, C, H, W)")
        x = x.pad(((0, 0), (0, 0), (p, p), (p, p)))
        if min(x.shape[2:]) < k:
            raise ValueError("Conv2d: the picture is too small")
        y = None
        for place, part in enumerate(corners(x, k, self.stride)):
            weight = self.weight[:, :, place // k, place % k]  # (C_out, C_in)
            share = part.transpose((0, 2, 3, 1)) @ weight.T  # (N, H_out, W_out, C_out)
            y = share if y is None else y + share
        if self.bias is not None:
            y = y + self.bias
        return y.transpose((0, 3, 1, 2))


class MaxPool2d(Module):
    def __init__(self, kernel_size, stride=None):
        self.kernel_size, self.stride = kernel_size, stride or kernel_size

    def forward(self, x):
        if x.ndim != 4 or min(x.shape[2:]) < self.kernel_size:
            raise ValueError("MaxPool2d: the picture is too small")
        best = None
        for part in corners(x, self.kernel_size, self.stride):
            best = part if best is None else maximum(best, part)
        return best
