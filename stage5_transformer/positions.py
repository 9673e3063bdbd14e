"""Where in the sequence? Attention sees a heap of symbols; their places have to be told to it."""

from __future__ import annotations

import numpy as np

from stage2_tensor import Tensor, concatenate
from stage3_nn import Embedding, Module, check_last_axis, check_sizes, check_tensor
from stage5_transformer.inputs import check_pairs, check_positions

Array = np.ndarray


def sinusoids(T: int, d_model: int, start: int = 0) -> Array:
    """Waves of growing length: sin in the even columns, cos in the odd ones.

    Column 2i has the angle position / 10000^(2i / d_model), column 2i + 1 the same.

    Shapes:    -> (T, d_model), for the positions start to start + T - 1
    Source:    Vaswani et al. (2017), Attention Is All You Need, section 3.5.
    """
    check_sizes("sinusoids", T=T, d_model=d_model, start=start)
    columns = np.arange(d_model)
    angles = np.arange(start, start + T)[:, None] / 10000 ** (columns // 2 * 2 / d_model)
    waves = np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
    return waves.astype(np.float32)


class SinusoidalPositions(Module):
    """Adds the waves to every sample. Nothing is learned, and no length is too long.

    Shapes:    x: (B, T, D) -> (B, T, D)
    """

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        """x, with the positions from `start` on."""
        T, D = x.shape[-2:]
        return x + sinusoids(T, D, start)


class NoPositions(Module):
    """Adds nothing: rotary positions are told inside of attention."""

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        """x."""
        return x


class LearnedPositions(Module):
    """Adds a vector that is learned for every position, from N(0, 0.02^2) at the start.

    Shapes:    x: (B, T, D), T up to max_positions -> (B, T, D)
    """

    def __init__(
        self, max_positions: int, d_model: int, rng: np.random.Generator | None = None
    ) -> None:
        self.table = Embedding(max_positions, d_model, rng=rng)
        self.table.weight.data *= 0.02

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        """x, with the positions from `start` on.

        Raises:    ValueError: if the sequence is longer than the table, or x of another width.
        """
        check_last_axis(self, x, self.table.weight.shape[1])
        end = start + x.shape[-2]
        check_positions(end, len(self.table.weight))
        return x + self.table(np.arange(start, end))


def rotate(x: Tensor, start: int = 0) -> Tensor:
    """Rotary positions: the pair of columns (i, i + D / 2) turned by position / 10000^(2i / D).

    Applied to queries and keys. The product of the two then depends on how far they are apart, and
    on nothing else about their places.

    Shapes:    x: (..., T, D), D even -> (..., T, D)
    Source:    Su et al. (2021), RoFormer, equation 34. Differs: halves in place of neighbours.
    Raises:    ValueError: if D is odd, or x has less than two axes.
    """
    check_tensor("rotate", x)
    check_pairs(x)
    check_sizes("rotate", start=start)
    T, D = x.shape[-2:]
    half = D // 2
    angles = np.arange(start, start + T)[:, None] / 10000 ** (2 * np.arange(half) / D)
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)  # (T, D / 2)
    a, b = x[..., :half], x[..., half:]
    return concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)
