"""A row is a one-hot vector times the table."""

import numpy as np

from stage2_tensor import Tensor
from stage3_nn.module import Module, Parameter


class Embedding(Module):
    """The rows of a table."""

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, rng=None):
        num, dim = num_embeddings, embedding_dim
        if padding_idx is not None and padding_idx not in range(-num, num):
            raise IndexError(f"Embedding: expected a row of {num}, got {padding_idx}")
        rng = np.random.default_rng() if rng is None else rng
        self.weight = Parameter(rng.normal(size=(num, dim)).astype(np.float32))
        self.padding_idx = padding_idx + num if (padding_idx or 0) < 0 else padding_idx
        if self.padding_idx is not None:
            self.weight.data[self.padding_idx] = 0.0

    def forward(self, ids):
        ids = ids.data if isinstance(ids, Tensor) else np.asarray(ids)
        num, dim = self.weight.shape
        if ids.dtype.kind not in "iu":
            raise TypeError("Embedding: expected integers")
        if ids.size and not (ids.min() >= 0 and ids.max() < num):
            raise ValueError(f"Embedding: expected ids below {num}")
        one_hot = np.eye(num)[ids.reshape(-1)]
        if self.padding_idx is None:
            rows = Tensor(one_hot.astype(self.weight.dtype)) @ self.weight
        else:
            learned = one_hot.copy()
            learned[:, self.padding_idx] = 0
            fixed = one_hot - learned
            dtype = self.weight.dtype
            rows = Tensor(learned.astype(dtype)) @ self.weight
            rows = rows + fixed.astype(dtype) @ self.weight.data
        return rows.reshape(*ids.shape, dim)

    def extra_repr(self):
        return ", ".join(map(str, self.weight.shape))
