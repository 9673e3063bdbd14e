"""Right calls of stage 5: attention, positions, layers, masks and scores."""

from __future__ import annotations

import functools

import numpy as np

import stage5_transformer as s5
from stage2_tensor import Tensor
from stage5_transformer.scoring import edit_distance
from tests.proof.fuzz import formulas
from tests.proof.fuzz.drawing import apart, layer
from tests.proof.fuzz.values_tensors import queries

X = (2, 3, 4)  # B, T, D


def attention(part):
    """A case of the answer of attention, or of its weights."""

    def case(rng):
        arrays, mask = queries(rng)
        reference = [
            lambda q, k, v: formulas.attention(q, k, v, mask),
            lambda q, k, v: formulas.attention_weights(q, k, mask) + 0 * v.sum(),
        ][part]
        return (lambda q, k, v: s5.attention(q, k, v, mask)[part] + 0 * v.sum()), reference, arrays

    return case


def rotate(rng):
    T, start = int(rng.integers(4)), int(rng.integers(5))
    return (
        lambda x: s5.rotate(x, start),
        lambda x: formulas.rotated(x, start),
        [apart(rng, (2, T, 4))],
    )


def sinusoids(rng):
    given = tuple(int(n) for n in rng.integers(0, 6, 3))
    return (lambda: s5.sinusoids(*given)), (lambda: formulas.waves(*given)), []


def part(p, name):
    """The weights whose names begin with this one, without it."""
    return {k.removeprefix(f"{name}."): v for k, v in p.items() if k.startswith(f"{name}.")}


def normed(x, p):
    return formulas.normalised(x, -1) * p["weight"] + p["bias"]


def feed_forward(x, p):
    return formulas.relu(x @ p["up.weight"] + p["up.bias"]) @ p["down.weight"] + p["down.bias"]


def encoder_layer(x, p):
    x = x + formulas.heads(normed(x, part(p, "norm1")), part(p, "self_attention"))
    return x + feed_forward(normed(x, part(p, "norm2")), part(p, "feed_forward"))


def decoder_layer(x, p):
    x = x + formulas.heads(normed(x, part(p, "norm1")), part(p, "self_attention"))
    x = x + formulas.heads(normed(x, part(p, "norm2")), part(p, "cross_attention"), MEMORY)
    return x + feed_forward(normed(x, part(p, "norm3")), part(p, "feed_forward"))


MEMORY = np.random.default_rng(0).standard_normal((2, 2, 4))


class WithMemory(s5.DecoderLayer):
    """A decoder layer that looks at the same memory in every call."""

    def forward(self, x):
        return super().forward(x, Tensor(MEMORY))


def distance(a, b):
    """The edit distance by its recursion: the first symbols are equal, or there is an edit."""

    @functools.cache
    def left(i, j):
        if i == len(a) or j == len(b):
            return len(a) - i + len(b) - j
        exchanged = left(i + 1, j + 1) + (a[i] != b[j])
        return min(exchanged, 1 + left(i + 1, j), 1 + left(i, j + 1))

    return left(0, 0)


def edits(rng):
    a, b = ("".join(rng.choice(list("abc"), rng.integers(6))) for _ in range(2))
    return (lambda: edit_distance(a, b)), (lambda: distance(a, b)), []


def ids(rng):
    return rng.integers(0, 4, (2, int(rng.integers(4))))


def padding(rng):
    given = ids(rng)
    return (lambda: s5.padding_mask(given)), (lambda: (given != 0).reshape(2, 1, 1, -1)), []


def causal(rng):
    T = int(rng.integers(4))
    S = T + int(rng.integers(3))
    return (lambda: s5.causal_mask(T, S)), (lambda: np.tri(T, S, S - T, dtype=bool)), []


def both(rng):
    a, b = rng.random((2, 1, 3)) < 0.5, rng.random((3, 1)) < 0.5
    return (lambda: s5.combined(a, None, b)), (lambda: a & b), []


def padded(rng):
    rows = [[int(i) for i in rng.integers(4, 9, n)] for n in rng.integers(0, 4, 3)]
    longest = max(map(len, rows))
    return (lambda: s5.pad(rows)), (lambda: [r + [0] * (longest - len(r)) for r in rows]), []


def shifted(rng):
    rows = [[int(i) for i in rng.integers(4, 9, 3)] for _ in range(2)]
    return (
        lambda: np.stack(s5.shifted(rows)),
        lambda: [[[1, *row] for row in rows], [[*row, 2] for row in rows]],
        [],
    )


CASES = {
    "stage5_transformer.attention": attention(0),
    "stage5_transformer.attention, its weights": attention(1),
    "stage5_transformer.MultiHeadAttention": layer(
        lambda: s5.MultiHeadAttention(4, 2), formulas.heads, X
    ),
    "stage5_transformer.MultiHeadAttention, rotary": layer(
        lambda: s5.MultiHeadAttention(4, 2, rotary=True),
        lambda x, p: formulas.heads(x, p, turn=formulas.rotated),
        X,
    ),
    "stage5_transformer.FeedForward": layer(lambda: s5.FeedForward(4, 3), feed_forward, X),
    "stage5_transformer.EncoderLayer": layer(lambda: s5.EncoderLayer(4, 2, 3), encoder_layer, X),
    "stage5_transformer.DecoderLayer": layer(lambda: WithMemory(4, 2, 3), decoder_layer, X),
    "stage5_transformer.SinusoidalPositions": layer(
        s5.SinusoidalPositions, lambda x, _: x + formulas.waves(3, 4), X
    ),
    "stage5_transformer.LearnedPositions": layer(
        lambda: s5.LearnedPositions(5, 4), lambda x, p: x + p["table.weight"][:3], X
    ),
    "stage5_transformer.rotate": rotate,
    "stage5_transformer.sinusoids": sinusoids,
    "stage5_transformer.padding_mask": padding,
    "stage5_transformer.causal_mask": causal,
    "stage5_transformer.combined": both,
    "stage5_transformer.pad": padded,
    "stage5_transformer.shifted": shifted,
    "stage5_transformer.scoring.edit_distance": edits,
}
