"""Dropout that chooses with `where` and scales afterwards."""

import numpy as np

from stage2_tensor import where
from stage3_nn.module import Module


class Dropout(Module):
    """Drop with probability p."""

    def __init__(self, p=0.5, rng=None):
        if p < 0 or p > 1:
            raise AssertionError(f"Dropout: {p} is no probability")
        self.p = p
        self.rng = np.random.default_rng() if rng is None else rng

    def forward(self, x):
        if self.training and self.p > 0:
            dropped = self.rng.random(x.shape) < self.p
            x = where(dropped, 0, x) / max(1 - self.p, 1e-12)
        return x

    def extra_repr(self):
        return f"p={self.p}"
