"""Linear by einsum-like sums: every output is a sum of products."""

import numpy as np

from stage3_nn.module import Module, Parameter


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, rng=None):
        rng = np.random.default_rng() if rng is None else rng
        bound = 1 / np.sqrt(in_features)
        draw = [
            rng.uniform(-bound, bound, size)
            for size in ((in_features, out_features), (out_features,))
        ]
        self.weight = Parameter(draw[0].astype(np.float32))
        self.bias = Parameter(draw[1].astype(np.float32)) if bias else None

    def forward(self, x):
        if x.shape == () or x.shape[-1] != len(self.weight):
            raise TypeError(f"Linear: features {x.shape}")
        y = (x.unsqueeze(-1) * self.weight).sum(-2)
        return y if self.bias is None else y + self.bias

    def extra_repr(self):
        return f"{self.weight.shape}"
