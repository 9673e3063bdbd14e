"""A table of vectors, one per symbol, looked up by number."""

from __future__ import annotations

import numpy as np

from stage2_tensor import Tensor, where
from stage3_nn import init
from stage3_nn.array_checks import read_array
from stage3_nn.inputs import check_padding_idx, check_sizes
from stage3_nn.module import Module, Parameter


class Embedding(Module):
    """Row `id` of a table that is learned.

    The row `padding_idx`, counted from the end if negative, starts as zeros and gets no gradient.

    Shapes:    ids: any shape of integers, weight: (num_embeddings, D) -> ids.shape + (D,)
    Start:     from N(0, 1)
    Raises:    ValueError: if padding_idx is not a row.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        rng: np.random.Generator | None = None,
    ) -> None:
        check_sizes("Embedding", num_embeddings=num_embeddings, embedding_dim=embedding_dim)
        check_padding_idx(padding_idx, num_embeddings)
        self.weight = Parameter(init.normal((num_embeddings, embedding_dim), 1.0, rng))
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        if padding_idx is not None:
            self.weight.data[padding_idx] = 0

    def forward(self, ids: np.ndarray | Tensor) -> Tensor:
        """The row of every id.

        Raises:    TypeError: if the ids are not integers. IndexError: if one is not a row.
        """
        ids = read_array("Embedding", ids)
        table = self.weight
        if self.padding_idx is not None:
            is_padding = np.arange(len(table)) == self.padding_idx
            table = where(is_padding[:, None], table.detach(), table)
        return table.take(ids)  # (..., D)

    def extra_repr(self) -> str:
        num, dim = self.weight.shape
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{num}, {dim}{padding}"
