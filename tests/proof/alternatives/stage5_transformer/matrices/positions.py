"""Positions column by column, and turns as matrices."""

import math

import numpy as np

from stage2_tensor import Tensor, stack
from stage3_nn import Embedding, Module


def sinusoids(T, d_model, start=0):
    table = np.zeros((T, d_model), dtype=np.float32)
    for t in range(T):
        for column in range(d_model):
            angle = (start + t) * math.exp(-math.log(10000) * (column - column % 2) / d_model)
            table[t, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return table


class SinusoidalPositions(Module):
    def forward(self, x, start=0):
        return x + Tensor(sinusoids(x.shape[1], x.shape[2], start).astype(x.dtype))


class NoPositions(Module):
    def forward(self, x, start=0):
        return x


class LearnedPositions(Module):
    def __init__(self, max_positions, d_model, rng=None):
        self.table = Embedding(max_positions, d_model, rng=rng)
        self.table.weight.data = (0.02 * self.table.weight.data).astype(np.float32)

    def forward(self, x, start=0):
        T = x.shape[1]
        if start + T > self.table.weight.shape[0]:
            raise IndexError("too long")
        if x.shape[2] != self.table.weight.shape[1]:
            raise ValueError("another width")
        return x + self.table.weight[start : start + T]


def rotate(x, start=0):
    T, D = x.shape[-2:]
    half = D // 2
    columns = [None] * D
    for i in range(half):
        angle = (start + np.arange(T)) / 10000 ** (2 * i / D)
        cos, sin = np.cos(angle).astype(x.dtype), np.sin(angle).astype(x.dtype)
        a, b = x[..., i], x[..., i + half]
        columns[i], columns[i + half] = a * cos - b * sin, b * cos + a * sin
    return stack(columns, axis=-1)
