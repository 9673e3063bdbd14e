"""The bends between the layers: without them, a stack of Linears is one Linear."""

from __future__ import annotations

import stage2_tensor
from stage2_tensor import Tensor
from stage3_nn.argument_kinds import check_tensor
from stage3_nn.module import Module


class ReLU(Module):
    """max(0, x)."""

    def forward(self, x: Tensor) -> Tensor:
        """x where it is positive, else 0; x itself is not changed."""
        check_tensor("ReLU", x)
        return x.relu()


class Sigmoid(Module):
    """1 / (1 + e^-x): between 0 and 1."""

    def forward(self, x: Tensor) -> Tensor:
        """The share of 1 against e^-x."""
        check_tensor("Sigmoid", x)
        return x.sigmoid()


class Tanh(Module):
    """(e^x - e^-x) / (e^x + e^-x): between -1 and 1."""

    def forward(self, x: Tensor) -> Tensor:
        """The hyperbolic tangent."""
        check_tensor("Tanh", x)
        return x.tanh()


class GELU(Module):
    """x times the share of the normal distribution below x, in its tanh form.

    Source:    Hendrycks and Gimpel (2016), Gaussian Error Linear Units, section 2.
    """

    def forward(self, x: Tensor) -> Tensor:
        """0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))."""
        return stage2_tensor.gelu(x)


class SiLU(Module):
    """x sigmoid(x): a relu with a soft knee.

    Gradient:  dL/dx = g (p + y (1 - p)), where p = sigmoid(x) and y = x p
    Source:    Elfwing, Uchibe and Doya (2017), equation 5.
    """

    def forward(self, x: Tensor) -> Tensor:
        """x / (1 + e^-x)."""
        check_tensor("SiLU", x)
        p = x.sigmoid().data
        y = x.data * p
        slope = (1 - p) * y + p
        return x.from_op(y, (x, lambda g: g * slope), op="silu")


class Softmax(Module):
    """e^x over its sum along the axis: positive numbers that add up to 1.

    Not for the end of a classifier: `cross_entropy` takes the logits as they are.
    """

    def __init__(self, axis: int = -1) -> None:
        self.axis = axis

    def forward(self, x: Tensor) -> Tensor:
        """The shares along the axis."""
        return stage2_tensor.softmax(x, self.axis)

    def extra_repr(self) -> str:
        return f"axis={self.axis}"
