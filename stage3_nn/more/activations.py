"""The activations of `stage2_tensor.more` as Modules: each keeps its option."""

from __future__ import annotations

from stage2_tensor import Tensor
from stage2_tensor.more import elu, gelu, leaky_relu, softplus
from stage3_nn.module import Module


class LeakyReLU(Module):
    """x where it is positive, else negative_slope x."""

    def __init__(self, negative_slope: float = 0.01) -> None:
        self.negative_slope = negative_slope

    def forward(self, x: Tensor) -> Tensor:
        """x, flatter below 0."""
        return leaky_relu(x, self.negative_slope)

    def extra_repr(self) -> str:
        return f"{self.negative_slope}"


class ELU(Module):
    """x where it is positive, else alpha (e^x - 1)."""

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def forward(self, x: Tensor) -> Tensor:
        """x, and below 0 a curve down to -alpha."""
        return elu(x, self.alpha)

    def extra_repr(self) -> str:
        return f"{self.alpha}"


class Softplus(Module):
    """log(1 + e^(beta x)) / beta: a relu without a kink."""

    def __init__(self, beta: float = 1.0) -> None:
        self.beta = beta

    def forward(self, x: Tensor) -> Tensor:
        """A positive number for every x."""
        return softplus(x, self.beta)

    def extra_repr(self) -> str:
        return f"{self.beta}"


class GELU(Module):
    """x times the share of the normal distribution below x, exact unless approximate="tanh"."""

    def __init__(self, approximate: str = "none") -> None:
        self.approximate = approximate

    def forward(self, x: Tensor) -> Tensor:
        """x, weighted with that share."""
        return gelu(x, self.approximate)

    def extra_repr(self) -> str:
        return f"{self.approximate!r}"
