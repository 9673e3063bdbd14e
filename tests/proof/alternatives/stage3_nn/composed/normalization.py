"""Normalisation composed of means and products."""

import numpy as np

from stage3_nn.module import Buffer, Module, Parameter


class Norm(Module):
    """What both have in common: a size, and a weight of ones."""

    def __init__(self, normalized_shape, eps=1e-5):
        self.weight = Parameter(np.ones(normalized_shape, dtype="float32"))
        self.eps = eps

    def check(self, x):
        if x.shape[-1:] != self.weight.shape:
            raise ValueError(f"expected {self.weight.shape} features, got {x.shape}")

    def extra_repr(self):
        return str(self.weight.size)


class LayerNorm(Norm):
    """Centre, then divide by the root of the mean square."""

    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__(normalized_shape, eps)
        self.bias = Parameter(np.zeros(normalized_shape, dtype="float32"))

    def forward(self, x):
        self.check(x)
        centred = x - x.mean(axis=-1, keepdims=True)
        power = (centred**2).mean(axis=-1, keepdims=True)
        return self.bias + self.weight * centred * (power + self.eps) ** -0.5


class RMSNorm(Norm):
    """Divide by the root of the mean square."""

    def forward(self, x):
        self.check(x)
        power = (x**2).mean(axis=-1, keepdims=True)
        return self.weight * (x * (power + self.eps) ** -0.5)


class BatchNorm1d(Module):
    """As in the reference."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        self.weight = Parameter(np.ones(num_features, np.float32))
        self.bias = Parameter(np.zeros(num_features, np.float32))
        self.running_mean = Buffer(np.zeros(num_features, np.float32))
        self.running_var = Buffer(np.ones(num_features, np.float32))
        self.eps, self.momentum = eps, momentum

    def forward(self, x):
        return (x - x.mean(0)) * (x.var(0) + self.eps) ** -0.5 * self.weight + self.bias
