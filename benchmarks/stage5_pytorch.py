"""The Transformer and the GPT of stage 5 in PyTorch, and a training step of them.

Attention is PyTorch's fused product; weights are copied from our models.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks import peers
from benchmarks.clock import Pass
from stage3_nn import Module
from stage5_transformer import GPT, Config, sinusoids

torch = peers.load("PyTorch")
F = torch.nn.functional


class Attention(torch.nn.Module):
    """Multi-head attention as one writes it in PyTorch, with its fused product."""

    def __init__(self, d: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.q_proj, self.k_proj = torch.nn.Linear(d, d), torch.nn.Linear(d, d)
        self.v_proj, self.out_proj = torch.nn.Linear(d, d), torch.nn.Linear(d, d)

    def forward(self, x: Any, memory: Any, causal: bool) -> Any:
        B, _, d = x.shape

        def split(a: Any) -> Any:
            return a.view(B, -1, self.heads, d // self.heads).transpose(1, 2)

        q, k, v = split(self.q_proj(x)), split(self.k_proj(memory)), split(self.v_proj(memory))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return self.out_proj(y.transpose(1, 2).reshape(x.shape))


class Layer(torch.nn.Module):
    """Pre-norm; with cross-attention if it is a decoder's."""

    def __init__(self, d: int, heads: int, d_ff: int, cross: bool) -> None:
        super().__init__()
        self.self_attention = Attention(d, heads)
        if cross:
            self.cross_attention = Attention(d, heads)
        self.feed_forward = torch.nn.ModuleDict(
            {"up": torch.nn.Linear(d, d_ff), "down": torch.nn.Linear(d_ff, d)}
        )
        self.norm1, self.norm2 = torch.nn.LayerNorm(d), torch.nn.LayerNorm(d)
        if cross:
            self.norm3 = torch.nn.LayerNorm(d)
        self.cross = cross

    def forward(self, x: Any, memory: Any = None, causal: bool = False) -> Any:
        h = self.norm1(x)
        x = x + self.self_attention(h, h, causal)
        if self.cross:
            x = x + self.cross_attention(self.norm2(x), memory, False)
        h = self.norm3(x) if self.cross else self.norm2(x)
        return x + self.feed_forward["down"](F.relu(self.feed_forward["up"](h)))


class Stack(torch.nn.Module):
    """Embedding, positions, layers, a last norm."""

    def __init__(self, V: int, d: int, heads: int, d_ff: int, n: int, cross: bool) -> None:
        super().__init__()
        self.embedding = torch.nn.Embedding(V, d, padding_idx=0)
        self.layers = torch.nn.ModuleList(Layer(d, heads, d_ff, cross) for _ in range(n))
        self.norm = torch.nn.LayerNorm(d)

    def forward(self, ids: Any, memory: Any = None, causal: bool = False) -> Any:
        T, d = ids.shape[1], self.embedding.weight.shape[1]
        x = self.embedding(ids) * math.sqrt(d) + torch.tensor(sinusoids(T, d))
        for layer in self.layers:
            x = layer(x, memory, causal)
        return self.norm(x)


class EncoderDecoder(torch.nn.Module):
    """Our Transformer in PyTorch."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        sizes = (c.d_model, c.heads, c.d_ff)
        self.encoder = Stack(c.source_size, *sizes, c.encoder_layers, False)
        self.decoder = Stack(c.target_size, *sizes, c.decoder_layers, True)

    def forward(self, source: Any, target: Any) -> Any:
        y = self.decoder(target, self.encoder(source), True)
        return y @ self.decoder.embedding.weight.T


class DecoderOnly(Stack):
    """Our GPT in PyTorch."""

    def __init__(self, c: Config) -> None:
        super().__init__(c.target_size, c.d_model, c.heads, c.d_ff, c.decoder_layers, False)

    def forward(self, ids: Any, memory: Any = None, causal: bool = True) -> Any:
        return super().forward(ids, None, True) @ self.embedding.weight.T


def copy_weights(mine: Module, theirs: Any) -> None:
    """Equal numbers on both sides; the names are the same, a Linear is stored transposed there."""
    peers = dict(theirs.named_parameters())
    for name, p in mine.named_parameters():
        linear = name.endswith("weight") and p.ndim == 2 and "embedding" not in name
        peers[name].data = torch.tensor(p.data.T.copy() if linear else p.data)


def step(model: Module, config: Config, arrays: list[np.ndarray], parts: int, lr: float) -> Pass:
    """A training step of our model's twin, from equal weights; returns the loss."""
    twin: Any = (DecoderOnly if isinstance(model, GPT) else EncoderDecoder)(config)
    copy_weights(model, twin)
    optimizer = torch.optim.AdamW(twin.parameters(), lr=lr)
    batches = list(zip(*(torch.tensor(a).chunk(parts) for a in arrays)))

    def part(*read: Any, next_ids: Any) -> np.ndarray:
        logits = twin(*read)
        loss = F.cross_entropy(logits.flatten(0, 1), next_ids.flatten()) / parts
        loss.backward()
        return loss.detach().numpy()

    def run() -> np.ndarray:
        optimizer.zero_grad()
        total = sum(part(*read, next_ids=next_ids) for *read, next_ids in batches)
        optimizer.step()
        return np.asarray(total)

    return run
