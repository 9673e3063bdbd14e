"""Noise that keeps a network from relying on any single number."""

from __future__ import annotations

import numpy as np

from stage1_autodiff import generator
from stage2_tensor import Tensor
from stage3_nn.argument_kinds import check_tensor
from stage3_nn.inputs import check_share
from stage3_nn.module import Module


class Dropout(Module):
    """In training each number is set to 0 with probability p, and divided by 1 - p otherwise.

    The division keeps the mean as it was, so that in evaluation x passes as it is.

    Source:    Srivastava et al. (2014), Dropout. Differs: "inverted", they scale in evaluation.
    Raises:    ValueError: if p is not a probability.
    """

    def __init__(self, p: float = 0.5, rng: np.random.Generator | None = None) -> None:
        check_share("Dropout", p=p)
        self.p = p
        self.rng = generator("Dropout", rng)

    def forward(self, x: Tensor) -> Tensor:
        """x with some numbers dropped; x itself in evaluation."""
        check_tensor("Dropout", x)
        if not self.training or self.p == 0:
            return x
        scale = 1 / (1 - self.p) if self.p < 1 else 0
        kept = self.rng.random(x.shape, np.float32) >= self.p
        return x * (kept * x.dtype.type(scale))  # a float64 scale would make float64 of it

    def extra_repr(self) -> str:
        return f"p={self.p}"
