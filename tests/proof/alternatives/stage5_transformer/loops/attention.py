"""Heads one after the other, weights of minus a large number, a cache of lists."""

import numpy as np

from stage2_tensor import concatenate, softmax, where
from stage3_nn import Linear, Module
from stage5_transformer.positions import rotate


def attention(q, k, v, mask=None):
    if mask is not None and mask.dtype != bool:
        raise TypeError("attention: a mask is boolean")
    d = q.shape[-1]
    scores = (q * d**-0.25) @ (k * d**-0.25).swapaxes(-1, -2)  # half of the scale on each side
    if mask is not None:
        scores = where(mask, scores, -1e9)
    weights = softmax(scores, axis=-1)
    if mask is not None:  # nowhere to look: zeros in place of a mean
        weights = weights * np.broadcast_to(mask, scores.shape).any(-1, keepdims=True)
    return weights @ v, weights


class KeyValueCache:
    def __init__(self):
        self.parts = []

    @property
    def k(self):
        return concatenate([k for k, _ in self.parts], axis=2) if self.parts else None

    @property
    def v(self):
        return concatenate([v for _, v in self.parts], axis=2) if self.parts else None

    def __len__(self):
        return sum(k.shape[2] for k, _ in self.parts)

    def extend(self, k, v):
        self.parts.append((k, v))
        return self.k, self.v

    def select(self, rows):
        self.parts = [(k[rows], v[rows]) for k, v in self.parts]


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads, bias=True, rotary=False, rng=None):
        if embed_dim % num_heads != 0:
            raise ValueError("num_heads must divide embed_dim")
        rng = rng or np.random.default_rng()
        self.heads, self.rotary = num_heads, rotary
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            Linear(embed_dim, embed_dim, bias, rng) for _ in range(4)
        )
        self.keep_weights, self.weights = False, None

    def forward(self, x, memory=None, mask=None, cache=None):
        if memory is not None and len(memory) != len(x):
            raise ValueError("attention: a memory for each sample")
        q = self.split(self.q_proj(x))
        k, v = self.keys_and_values(x, memory, cache)
        if self.rotary:
            q, k = rotate(q, k.shape[-2] - q.shape[-2]), rotate(k)
        mixed, weights = [], []
        for h in range(self.heads):
            part = mask
            if mask is not None and np.ndim(mask) == 4:
                part = mask[:, min(h, mask.shape[1] - 1)]
            y, w = attention(q[:, h], k[:, h], v[:, h], part)
            mixed.append(y)
            weights.append(w.data)
        if self.keep_weights:
            self.weights = np.stack(weights, axis=1)
        return self.out_proj(concatenate(mixed, axis=-1))

    def keys_and_values(self, x, memory, cache):
        if memory is not None:
            if cache is not None and len(cache):
                return cache.k, cache.v
            x = memory
        k, v = self.split(self.k_proj(x)), self.split(self.v_proj(x))
        return cache.extend(k, v) if cache is not None else (k, v)

    def split(self, x):
        size = x.shape[-1] // self.heads
        heads = [x[:, :, h * size : (h + 1) * size].unsqueeze(1) for h in range(self.heads)]
        return concatenate(heads, axis=1)

    def merge(self, x):
        return concatenate([x[:, h] for h in range(self.heads)], axis=-1)

    def extra_repr(self):
        return f"heads={self.heads}"
