"""Attention: a dictionary look-up in which every key answers a little."""

from __future__ import annotations

import math

import numpy as np

from stage1_autodiff import generator
from stage2_tensor import (
    Tensor,
    concatenate,
    read_mask,
    scaled_dot_product_attention,
    softmax,
    where,
)
from stage3_nn import Linear, Module, check_tensor
from stage5_transformer.inputs import check_axes, check_heads, check_vectors
from stage5_transformer.positions import rotate

Array = np.ndarray


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Array | None = None) -> tuple[Tensor, Tensor]:
    """softmax(q k^T / sqrt(D)) v, and the weights, composed of simple operations.

    A query that may look nowhere gets zeros.

    Shapes:    q: (..., T, D), k: (..., S, D), v: (..., S, E), mask: broadcasts to (..., T, S)
               -> (..., T, E), (..., T, S)
    Raises:    TypeError: if the mask is not boolean.
    Source:    Vaswani et al. (2017), Attention Is All You Need, equation 1.
    """
    for x in (q, k, v):
        check_tensor("attention", x)
    check_axes("attention", q=q, k=k, v=v)
    mask = read_mask("attention", mask)
    D = q.shape[-1]
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(D)  # (..., T, S)
    if mask is not None:
        scores = where(mask, scores, -np.inf)
    weights = softmax(scores)  # (..., T, S), rows add up to 1
    return weights @ v, weights


class KeyValueCache:
    """The keys and values of what was read before, so that a new symbol is all there is to do."""

    def __init__(self) -> None:
        self.k: Tensor | None = None  # (B, H, S, D)
        self.v: Tensor | None = None

    def __len__(self) -> int:
        """How many symbols were read."""
        return 0 if self.k is None else self.k.shape[-2]

    def extend(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Add those of new symbols; all keys and values so far."""
        if self.k is not None and self.v is not None:
            k, v = concatenate([self.k, k], axis=-2), concatenate([self.v, v], axis=-2)
        self.k, self.v = k, v
        return k, v

    def select(self, rows: Array) -> None:
        """Keep the samples `rows`, in this order; one may come several times."""
        if self.k is not None and self.v is not None:
            self.k, self.v = self.k[rows], self.v[rows]


class MultiHeadAttention(Module):
    """Several attentions side by side, each on projections of embed_dim / num_heads numbers.

    With `memory` the keys and values come from there (cross-attention), else from x itself. With a
    `cache`, x holds the new symbols only. `rotary` turns queries and keys by their places, the
    first query being at `k.shape[-2] - q.shape[-2]`, and leaves values alone. `keep_weights` makes
    it keep the weights of the last call, (B, H, T, S), in `weights`.

    Shapes:    x: (B, T, embed_dim), memory: (B, S, embed_dim), mask: broadcasts to (B, H, T, S)
               -> (B, T, embed_dim)
    Source:    Vaswani et al. (2017), Attention Is All You Need, section 3.2.2.
    Raises:    ValueError: if num_heads does not divide embed_dim. TypeError: if a mask is not
               boolean.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        bias: bool = True,
        rotary: bool = False,
        rng: np.random.Generator | None = None,
    ) -> None:
        check_heads(embed_dim, num_heads)
        rng = generator("MultiHeadAttention", rng)
        self.heads = num_heads
        self.rotary = rotary
        self.q_proj = Linear(embed_dim, embed_dim, bias, rng)
        self.k_proj = Linear(embed_dim, embed_dim, bias, rng)
        self.v_proj = Linear(embed_dim, embed_dim, bias, rng)
        self.out_proj = Linear(embed_dim, embed_dim, bias, rng)
        self.keep_weights = False
        self.weights: Array | None = None

    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        mask: Array | None = None,
        cache: KeyValueCache | None = None,
    ) -> Tensor:
        """The findings of the heads, put side by side and mixed by `out_proj`.

        Raises:    ValueError: if x or memory has not three axes, or they differ in B.
        """
        check_vectors("MultiHeadAttention", x, memory)
        q = self.split(self.q_proj(x))  # (B, H, T, D)
        k, v = self.keys_and_values(x, memory, cache)  # (B, H, S, D)
        if self.rotary:
            q, k = rotate(q, k.shape[-2] - q.shape[-2]), rotate(k)
        if self.keep_weights:
            y, weights = attention(q, k, v, mask)
            self.weights = weights.data
        else:
            y = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(self.merge(y))

    def keys_and_values(
        self, x: Tensor, memory: Tensor | None, cache: KeyValueCache | None
    ) -> tuple[Tensor, Tensor]:
        """The keys and values of all symbols to look at; those of a memory are computed once."""
        if memory is not None and cache is not None and cache.k is not None and cache.v is not None:
            return cache.k, cache.v
        source = x if memory is None else memory
        k, v = self.split(self.k_proj(source)), self.split(self.v_proj(source))
        return (k, v) if cache is None else cache.extend(k, v)

    def split(self, x: Tensor) -> Tensor:
        """Each head gets its own D = embed_dim / H columns.

        Shapes:    x: (B, T, embed_dim) -> (B, H, T, D)
        """
        B, T, embed_dim = x.shape
        return x.reshape(B, T, self.heads, embed_dim // self.heads).swapaxes(1, 2)

    def merge(self, x: Tensor) -> Tensor:
        """The columns of all heads side by side again.

        Shapes:    x: (B, H, T, D) -> (B, T, embed_dim)
        """
        B, H, T, D = x.shape
        return x.swapaxes(1, 2).reshape(B, T, H * D)

    def extra_repr(self) -> str:
        return f"heads={self.heads}"
