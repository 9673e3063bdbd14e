"""One matrix product over flattened rows, with weights drawn by hand."""

import numpy as np

from stage3_nn.module import Module, Parameter


class Linear(Module):
    """y = x W + b."""

    def __init__(self, in_features, out_features, bias=True, rng=None):
        generator = np.random.default_rng() if rng is None else rng
        bound = in_features**-0.5
        self.weight = Parameter(self.draw(generator, bound, in_features, out_features))
        self.bias = None
        if bias:
            self.bias = Parameter(self.draw(generator, bound, out_features))

    @staticmethod
    def draw(generator, bound, *shape):
        return (bound * (2 * generator.random(shape, dtype=np.float32) - 1)).astype(np.float32)

    def forward(self, x):
        in_features, out_features = self.weight.shape
        if x.ndim == 0 or x.shape[-1] != in_features:
            raise ValueError(f"Linear: expected {in_features} features, got {x.shape}")
        rows = int(np.prod(x.shape[:-1]))
        y = x.reshape(rows, in_features) @ self.weight
        if self.bias is not None:
            y = self.bias + y
        return y.reshape(*x.shape[:-1], out_features)

    def extra_repr(self):
        return ", ".join(map(str, self.weight.shape))
