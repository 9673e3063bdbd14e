"""Stage 5 beside PyTorch and the bare matrix products: one training step of two Transformers.

    python benchmarks/stage5.py

As stage2.py measures: one process, one thread each, CPU time, in turns. The losses of both sides
are compared for three steps first, from equal weights. The floor is NumPy's matrix products alone,
those that the step contains, with nothing in between. Memory is measured in processes of their
own, by stage5_memory.py.

A step "in 4 parts" is that of a Trainer with accumulate=4: a quarter of the batch at a time, and
the same gradient in the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from memory import compare_peaks
from peers import Pass, compare, print_table, torch

import stage5_transformer as ours
from stage3_nn import Module, cross_entropy
from stage4_optim import AdamW

F = torch.nn.functional
LR = 1e-3
PARTS = 4


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
        x = self.embedding(ids) * math.sqrt(d) + torch.tensor(ours.sinusoids(T, d))
        for layer in self.layers:
            x = layer(x, memory, causal)
        return self.norm(x)


class EncoderDecoder(torch.nn.Module):
    """Our Transformer in PyTorch."""

    def __init__(self, c: ours.Config) -> None:
        super().__init__()
        sizes = (c.d_model, c.heads, c.d_ff)
        self.encoder = Stack(c.source_size, *sizes, c.encoder_layers, False)
        self.decoder = Stack(c.target_size, *sizes, c.decoder_layers, True)

    def forward(self, source: Any, target: Any) -> Any:
        y = self.decoder(target, self.encoder(source), True)
        return y @ self.decoder.embedding.weight.T


class DecoderOnly(Stack):
    """Our GPT in PyTorch."""

    def __init__(self, c: ours.Config) -> None:
        super().__init__(c.target_size, c.d_model, c.heads, c.d_ff, c.decoder_layers, False)

    def forward(self, ids: Any, memory: Any = None, causal: bool = True) -> Any:
        return super().forward(ids, None, True) @ self.embedding.weight.T


def copy_weights(mine: Module, theirs: Any) -> None:
    """Equal numbers on both sides; the names are the same, a Linear is stored transposed there."""
    peers = dict(theirs.named_parameters())
    for name, p in mine.named_parameters():
        linear = name.endswith("weight") and p.ndim == 2 and "embedding" not in name
        peers[name].data = torch.tensor(p.data.T.copy() if linear else p.data)


def by_us(model: Module, arrays: list[np.ndarray], parts: int) -> Pass:
    optimizer = AdamW(model.parameters(), lr=LR)
    batches = list(zip(*(np.split(a, parts) for a in arrays)))

    def part(*read: np.ndarray, next_ids: np.ndarray) -> np.ndarray:
        loss = cross_entropy(model(*read), next_ids) / parts
        loss.backward()
        return loss.data  # the graph is gone before the next part begins

    def run() -> np.ndarray:
        optimizer.zero_grad()
        total = sum(part(*read, next_ids=next_ids) for *read, next_ids in batches)
        optimizer.step()
        return np.asarray(total)

    return run


def by_torch(model: Any, arrays: list[np.ndarray], parts: int) -> Pass:
    optimizer = torch.optim.AdamW(model.parameters(), lr=LR)
    batches = list(zip(*(torch.tensor(a).chunk(parts) for a in arrays)))

    def part(*read: Any, next_ids: Any) -> np.ndarray:
        logits = model(*read)
        loss = F.cross_entropy(logits.flatten(0, 1), next_ids.flatten()) / parts
        loss.backward()
        return loss.detach().numpy()

    def run() -> np.ndarray:
        optimizer.zero_grad()
        total = sum(part(*read, next_ids=next_ids) for *read, next_ids in batches)
        optimizer.step()
        return np.asarray(total)

    return run


def products(shapes: list[tuple[int, int, int, int]]) -> Pass:
    """The products (N, K) @ (K, M) with their two gradients, each so many times."""
    made = []
    for n, k, m, times in shapes:
        rng = np.random.default_rng(0)
        x, w, g = (rng.standard_normal(s).astype(np.float32) for s in ((n, k), (k, m), (n, m)))
        made.append((x, w, g, times))

    def run() -> np.ndarray:
        y = np.zeros(0)
        for x, w, g, times in made:
            for _ in range(times):
                y = x @ w
                y = g @ w.T
                y = x.T @ g
        return y

    return run


def linear_shapes(c: ours.Config, source: int, target: int) -> list[tuple[int, int, int, int]]:
    """Those of all Linears and of the last product, for so many symbols on each side."""
    d, ff, e, n = c.d_model, c.d_ff, c.encoder_layers, c.decoder_layers
    cross = 2 if source else 0  # q and out of cross-attention
    shapes = [(target, d, d, n * (4 + cross)), (target, d, ff, n), (target, ff, d, n)]
    shapes.append((target, d, c.target_size, 1))
    if source:
        shapes += [(source, d, d, e * 4 + n * 2), (source, d, ff, e), (source, ff, d, e)]
    return shapes


Case = tuple[ours.Config, Callable[..., Module], Callable[[ours.Config], Any], list[np.ndarray]]


def cases() -> dict[str, Case]:
    """The encoder-decoder on 256 words, and the GPT of nanoGPT's example for a CPU."""
    rng = np.random.default_rng(0)
    large = ours.Config(30, 44, 128, 4, 512, 2, 2)
    small = ours.Config(0, 65, 128, 4, 512, 0, 4)
    words = [rng.integers(4, size, (256, 12)) for size in (30, 44)]
    return {
        "encoder-decoder, 256 x (12 + 12)": (large, ours.Transformer, EncoderDecoder, words),
        "GPT, 12 x 64": (small, ours.GPT, DecoderOnly, [rng.integers(4, 65, (12, 64))]),
    }


def sides(case: Case, parts: int = 1, their_parts: int = 1) -> tuple[Pass, Pass]:
    """A step of ours and of PyTorch's, from equal weights."""
    config, make, make_theirs, inputs = case
    model, theirs = make(config, np.random.default_rng(0)), make_theirs(config)
    copy_weights(model, theirs)
    arrays = [*inputs, np.roll(inputs[-1], -1, axis=1)]
    return by_us(model, arrays, parts), by_torch(theirs, arrays, their_parts)


def rows(rounds: int) -> list[list[str]]:
    """Time: over PyTorch's, whole and in parts, and over that of the products."""
    found = []
    for (name, case), goal, floor in zip(cases().items(), (1.0, 1.18), (1.4, 1.55)):
        for what, mine, theirs in (
            (f"{name} / PyTorch", 1, 1),
            (f"the same in {PARTS} parts / PyTorch", PARTS, 1),
            (f"the same in {PARTS} parts / PyTorch in {PARTS} parts", PARTS, PARTS),
        ):
            own, peer = sides(case, mine, theirs)
            for _ in range(3):
                np.testing.assert_allclose(own(), peer(), rtol=1e-3, err_msg=what)
            aim = None if theirs > 1 else goal
            found.append(compare(what, aim, own, peer, rounds, same=False))
        config, *_, inputs = case
        n_source = inputs[0].size if len(inputs) == 2 else 0
        bare = products(linear_shapes(config, n_source, inputs[-1].size))
        for what, parts in ((name, 1), (f"the same in {PARTS} parts", PARTS)):
            own, _ = sides(case, parts)
            found.append(compare(f"{what} / its products", floor, own, bare, rounds, same=False))
    return found


def memory_rows(rounds: int) -> list[list[str]]:
    """The most memory that a step takes above what was in use."""
    return [
        line
        for name in cases()
        for parts in (1, PARTS)
        for line in compare_peaks(
            f"peak of {name}, in {parts}", 0.8, "stage5_memory.py", [name, str(parts)], rounds
        )
    ]


if __name__ == "__main__":
    print_table("Stage 5", [rows, memory_rows])
