"""One matrix product over flattened rows, with weights drawn by hand."""

import numpy as np

from stage3_nn.module import Module, Parameter


class Linear(Module):
    """y = x W + b."""

    def __init__(self, n_in, n_out, bias=True, rng=None):
        generator = np.random.default_rng() if rng is None else rng
        bound = n_in**-0.5
        self.weight = Parameter(self.draw(generator, bound, n_in, n_out))
        self.bias = None
        if bias:
            self.bias = Parameter(self.draw(generator, bound, n_out))

    @staticmethod
    def draw(generator, bound, *shape):
        return (bound * (2 * generator.random(shape, dtype=np.float32) - 1)).astype(np.float32)

    def forward(self, x):
        n_in, n_out = self.weight.shape
        if x.ndim == 0 or x.shape[-1] != n_in:
            raise ValueError(f"Linear: expected {n_in} features, got {x.shape}")
        rows = int(np.prod(x.shape[:-1]))
        y = x.reshape(rows, n_in) @ self.weight
        if self.bias is not None:
            y = self.bias + y
        return y.reshape(*x.shape[:-1], n_out)

    def extra_repr(self):
        return ", ".join(map(str, self.weight.shape))
