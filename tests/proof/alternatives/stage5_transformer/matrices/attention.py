"""The fused operation for `attention` too, and a cache that grows by doubling."""

import numpy as np

from stage2_tensor import Tensor, scaled_dot_product_attention, softmax
from stage3_nn import Linear, Module
from stage5_transformer.positions import rotate


def attention(q, k, v, mask=None):
    if mask is not None and mask.dtype != bool:
        raise TypeError("attention: a mask is boolean")
    scores = (q @ k.swapaxes(-1, -2)) * (1 / q.shape[-1] ** 0.5)
    if mask is not None:
        hidden = np.where(mask, 0.0, -np.inf).astype(scores.dtype)
        scores = scores + hidden
    return scaled_dot_product_attention(q, k, v, mask), softmax(scores)


class KeyValueCache:
    def __init__(self):
        self.n, self.room = 0, None

    def __len__(self):
        return self.n

    @property
    def k(self):
        return Tensor(self.room[0, :, :, : self.n]) if self.room is not None else None

    @property
    def v(self):
        return Tensor(self.room[1, :, :, : self.n]) if self.room is not None else None

    def extend(self, k, v):
        new = np.stack([k.data, v.data])
        if self.room is None:
            self.room = new.copy()
        while self.room.shape[3] < self.n + new.shape[3]:
            self.room = np.concatenate([self.room, np.zeros_like(self.room)], axis=3)
        self.room[:, :, :, self.n : self.n + new.shape[3]] = new
        self.n += new.shape[3]
        return self.k, self.v

    def select(self, rows):
        if self.room is not None:
            self.room = self.room[:, rows]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads, bias=True, rotary=False, rng=None):
        if embed_dim % num_heads:
            raise ValueError("num_heads")
        rng = rng or np.random.default_rng()
        self.heads, self.rotary = num_heads, rotary
        self.q_proj = Linear(embed_dim, embed_dim, bias, rng)
        self.k_proj = Linear(embed_dim, embed_dim, bias, rng)
        self.v_proj = Linear(embed_dim, embed_dim, bias, rng)
        self.out_proj = Linear(embed_dim, embed_dim, bias, rng)
        self.keep_weights, self.weights = False, None

    def forward(self, x, memory=None, mask=None, cache=None):
        if memory is not None and len(memory) != len(x):
            raise ValueError("attention: a memory for each sample")
        k, v = self.keys_and_values(x, memory, cache)
        q = self.split(self.q_proj(x))
        if self.rotary:
            q, k = rotate(q, k.shape[2] - q.shape[2]), rotate(k)
        y, weights = attention(q, k, v, mask)
        self.weights = weights.data if self.keep_weights else None
        return self.out_proj(self.merge(y))

    def keys_and_values(self, x, memory, cache):
        if memory is not None and cache is not None and len(cache) > 0:
            return cache.k, cache.v
        read = memory if memory is not None else x
        k, v = self.split(self.k_proj(read)), self.split(self.v_proj(read))
        return (k, v) if cache is None else cache.extend(k, v)

    def split(self, x):
        B, T, n = x.shape
        return x.reshape(B, T, self.heads, n // self.heads).transpose((0, 2, 1, 3))

    def merge(self, x):
        B, H, T, D = x.shape
        return x.transpose((0, 2, 1, 3)).reshape(B, T, H * D)

    def extra_repr(self):
        return str(self.heads)
