"""Attention, layers and the whole Transformer against PyTorch, with the same weights.

Known differences, each with its reason:

    in_proj_weight   PyTorch keeps q, k and v in one matrix; ours are three
    masks            True means "may look" here, and "is hidden" in PyTorch's layers
    attention        PyTorch drops out attention weights too; both are compared without dropout
    nowhere to look  ours gives zeros, PyTorch's layer NaN: not compared
"""

import math

import numpy as np
import pytest

import stage5_transformer as ours
from stage2_tensor import Tensor
from stage3_nn import cross_entropy
from stage4_optim import AdamW

torch = pytest.importorskip("torch")
F = torch.nn.functional

TOLERANCE = {np.float64: 1e-10, np.float32: 1e-5}
dtypes = pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])
B, T, S, D, H, FF, V = 2, 5, 4, 12, 3, 20, 9


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


def randomise(module, dtype):
    """Random numbers of a moderate size in every Parameter."""
    for i, (name, p) in enumerate(module.named_parameters()):
        noise = numbers(*p.shape, seed=i) * 0.3
        p.data = (noise + ("norm" in name and name.endswith("weight"))).astype(dtype)
    return module


def give(tensor, array):
    tensor.data = torch.tensor(np.ascontiguousarray(array))


def give_linear(theirs, mine):
    give(theirs.weight, mine.weight.data.T)
    give(theirs.bias, mine.bias.data)


def give_norm(theirs, mine):
    give(theirs.weight, mine.weight.data)
    give(theirs.bias, mine.bias.data)


def give_attention(theirs, mine):
    parts = (mine.q_proj, mine.k_proj, mine.v_proj)
    give(theirs.in_proj_weight, np.concatenate([p.weight.data.T for p in parts]))
    give(theirs.in_proj_bias, np.concatenate([p.bias.data for p in parts]))
    give_linear(theirs.out_proj, mine.out_proj)


def give_layer(theirs, mine):
    give_attention(theirs.self_attn, mine.self_attention)
    if hasattr(mine, "cross_attention"):
        give_attention(theirs.multihead_attn, mine.cross_attention)
        give_norm(theirs.norm3, mine.norm3)
    give_norm(theirs.norm1, mine.norm1)
    give_norm(theirs.norm2, mine.norm2)
    give_linear(theirs.linear1, mine.feed_forward.up)
    give_linear(theirs.linear2, mine.feed_forward.down)


def linear_grads(theirs, mine):
    yield mine.weight.grad, theirs.weight.grad.T
    yield mine.bias.grad, theirs.bias.grad


def attention_grads(theirs, mine):
    weights, biases = theirs.in_proj_weight.grad.chunk(3), theirs.in_proj_bias.grad.chunk(3)
    for p, w, b in zip((mine.q_proj, mine.k_proj, mine.v_proj), weights, biases):
        yield p.weight.grad, w.T
        yield p.bias.grad, b
    yield from linear_grads(theirs.out_proj, mine.out_proj)


def layer_grads(theirs, mine):
    yield from attention_grads(theirs.self_attn, mine.self_attention)
    norms = ["norm1", "norm2"]
    if hasattr(mine, "cross_attention"):
        yield from attention_grads(theirs.multihead_attn, mine.cross_attention)
        norms.append("norm3")
    for name in norms:
        a, b = getattr(mine, name), getattr(theirs, name)
        yield a.weight.grad, b.weight.grad
        yield a.bias.grad, b.bias.grad
    yield from linear_grads(theirs.linear1, mine.feed_forward.up)
    yield from linear_grads(theirs.linear2, mine.feed_forward.down)


def near(mine, theirs, dtype, what=""):
    tolerance = 20 * TOLERANCE[dtype]
    theirs = theirs.detach().numpy()
    np.testing.assert_allclose(mine, theirs, rtol=tolerance, atol=tolerance, err_msg=what)


def two(array, dtype):
    array = array.astype(dtype)
    return Tensor(array, requires_grad=True), torch.tensor(array, requires_grad=True)


def to_torch_dtype(dtype):
    return torch.float64 if dtype == np.float64 else torch.float32


PADDED = np.array([[True, True, True, False], [True, True, True, True]])


@dtypes
@pytest.mark.parametrize("cross", [False, True])
def test_multi_head_attention(cross, dtype):
    mine = randomise(ours.MultiHeadAttention(D, H), dtype)
    theirs = torch.nn.MultiheadAttention(D, H, batch_first=True, dtype=to_torch_dtype(dtype))
    give_attention(theirs, mine)
    x, tx = two(numbers(B, T, D, seed=50), dtype)
    g = numbers(B, T, D, seed=52).astype(dtype)
    if cross:
        memory, tmemory = two(numbers(B, S, D, seed=51), dtype)
        y = mine(x, memory, PADDED[:, None, None, :])
        z, weights = theirs(
            tx, tmemory, tmemory, key_padding_mask=torch.tensor(~PADDED), average_attn_weights=False
        )
    else:
        memory, tmemory = x, tx
        causal = ours.causal_mask(T)
        y = mine(x, mask=causal)
        z, weights = theirs(tx, tx, tx, attn_mask=torch.tensor(~causal), average_attn_weights=False)
    near(y.data, z, dtype)
    y.backward(g)
    z.backward(torch.tensor(g))
    near(x.grad, tx.grad, dtype, "x")
    near(memory.grad, tmemory.grad, dtype, "memory")
    for a, b in attention_grads(theirs, mine):
        near(a, b, dtype)
    mine.keep_weights = True
    mine(x, memory if cross else None, PADDED[:, None, None, :] if cross else ours.causal_mask(T))
    near(mine.weights, weights, dtype, "weights")


@dtypes
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_encoder_layer(activation, dtype):
    mine = randomise(ours.EncoderLayer(D, H, FF, activation=activation), dtype)
    bend = (lambda x: F.gelu(x, approximate="tanh")) if activation == "gelu" else "relu"
    theirs = torch.nn.TransformerEncoderLayer(
        D, H, FF, 0.0, bend, batch_first=True, norm_first=True, dtype=to_torch_dtype(dtype)
    )
    give_layer(theirs, mine)
    x, tx = two(numbers(B, S, D, seed=50), dtype)
    y = mine(x, PADDED[:, None, None, :])
    z = theirs(tx, src_key_padding_mask=torch.tensor(~PADDED))
    near(y.data, z, dtype)
    g = numbers(B, S, D, seed=52).astype(dtype)
    y.backward(g)
    z.backward(torch.tensor(g))
    near(x.grad, tx.grad, dtype, "x")
    for a, b in layer_grads(theirs, mine):
        near(a, b, dtype)


@dtypes
def test_decoder_layer(dtype):
    mine = randomise(ours.DecoderLayer(D, H, FF), dtype)
    theirs = torch.nn.TransformerDecoderLayer(
        D, H, FF, 0.0, batch_first=True, norm_first=True, dtype=to_torch_dtype(dtype)
    )
    give_layer(theirs, mine)
    x, tx = two(numbers(B, T, D, seed=50), dtype)
    memory, tmemory = two(numbers(B, S, D, seed=51), dtype)
    causal = ours.causal_mask(T)
    y = mine(x, memory, causal, PADDED[:, None, None, :])
    z = theirs(tx, tmemory, torch.tensor(~causal), memory_key_padding_mask=torch.tensor(~PADDED))
    near(y.data, z, dtype)
    g = numbers(B, T, D, seed=52).astype(dtype)
    y.backward(g)
    z.backward(torch.tensor(g))
    near(x.grad, tx.grad, dtype, "x")
    near(memory.grad, tmemory.grad, dtype, "memory")
    for a, b in layer_grads(theirs, mine):
        near(a, b, dtype)


class Whole(torch.nn.Module):
    """Our Transformer, written with PyTorch's layers."""

    def __init__(self, config, dtype):
        super().__init__()
        d, h, ff = config.d_model, config.heads, config.d_ff
        options = {"batch_first": True, "norm_first": True, "dtype": dtype}
        self.source = torch.nn.Embedding(config.source_size, d, padding_idx=0, dtype=dtype)
        self.target = torch.nn.Embedding(config.target_size, d, padding_idx=0, dtype=dtype)
        self.encoder = torch.nn.ModuleList(
            torch.nn.TransformerEncoderLayer(d, h, ff, 0.0, **options)
            for _ in range(config.encoder_layers)
        )
        self.decoder = torch.nn.ModuleList(
            torch.nn.TransformerDecoderLayer(d, h, ff, 0.0, **options)
            for _ in range(config.decoder_layers)
        )
        self.encoder_norm = torch.nn.LayerNorm(d, dtype=dtype)
        self.decoder_norm = torch.nn.LayerNorm(d, dtype=dtype)
        self.scale = math.sqrt(d)

    def forward(self, source, target):
        hidden = source == 0
        x = self.source(source) * self.scale
        x = x + torch.tensor(ours.sinusoids(x.shape[1], x.shape[2])).to(x.dtype)
        for layer in self.encoder:
            x = layer(x, src_key_padding_mask=hidden)
        memory = self.encoder_norm(x)
        y = self.target(target) * self.scale
        y = y + torch.tensor(ours.sinusoids(y.shape[1], y.shape[2])).to(y.dtype)
        causal = torch.tensor(~ours.causal_mask(target.shape[1]))
        for layer in self.decoder:
            y = layer(y, memory, causal, memory_key_padding_mask=hidden)
        return self.decoder_norm(y) @ self.target.weight.T


def twins(dtype):
    config = ours.Config(V, V + 2, D, H, FF, 2, 2)
    mine = randomise(ours.Transformer(config), dtype)
    theirs = Whole(config, to_torch_dtype(dtype))
    for stack, embedding in ((mine.encoder, theirs.source), (mine.decoder, theirs.target)):
        stack.embedding.weight.data[0] = 0
        give(embedding.weight, stack.embedding.weight.data)
    for a, b in zip(mine.encoder.layers, theirs.encoder):
        give_layer(b, a)
    for a, b in zip(mine.decoder.layers, theirs.decoder):
        give_layer(b, a)
    give_norm(theirs.encoder_norm, mine.encoder.norm)
    give_norm(theirs.decoder_norm, mine.decoder.norm)
    return mine, theirs


SOURCE = np.array([[4, 5, 6, 0], [7, 8, 4, 5]])
TARGET = np.array([[1, 5, 6, 10], [1, 7, 8, 4]])
NEXT = np.array([[5, 6, 10, 2], [7, 8, 2, 0]])


@dtypes
def test_the_whole_transformer(dtype):
    mine, theirs = twins(dtype)
    y, z = mine(SOURCE, TARGET), theirs(torch.tensor(SOURCE), torch.tensor(TARGET))
    near(y.data, z, dtype)
    g = numbers(*y.shape, seed=53).astype(dtype)
    y.backward(g)
    z.backward(torch.tensor(g))
    near(mine.encoder.embedding.weight.grad, theirs.source.weight.grad, dtype)
    for a, b in zip(mine.encoder.layers, theirs.encoder):
        for p, q in layer_grads(b, a):
            near(p, q, dtype)
    for a, b in zip(mine.decoder.layers, theirs.decoder):
        for p, q in layer_grads(b, a):
            near(p, q, dtype)


@dtypes
def test_fifty_steps_side_by_side(dtype):
    mine, theirs = twins(dtype)
    a = AdamW(mine.parameters(), lr=1e-3, betas=(0.9, 0.98))
    b = torch.optim.AdamW(theirs.parameters(), lr=1e-3, betas=(0.9, 0.98), weight_decay=0.01)
    for step in range(50):
        a.zero_grad()
        loss = cross_entropy(mine(SOURCE, TARGET), NEXT, ignore_index=0, label_smoothing=0.1)
        loss.backward()
        a.step()
        b.zero_grad()
        z = theirs(torch.tensor(SOURCE), torch.tensor(TARGET))
        other = F.cross_entropy(
            z.swapaxes(1, 2), torch.tensor(NEXT), ignore_index=0, label_smoothing=0.1
        )
        other.backward()
        b.step()
        tolerance = 1e-8 if dtype == np.float64 else 1e-3
        assert loss.item() == pytest.approx(other.item(), abs=tolerance), step


def test_the_rows_of_a_sinusoid_table_are_those_of_the_paper():
    table = ours.sinusoids(50, 6)
    for position in (0, 1, 7, 49):
        for i in range(3):
            angle = position / 10000 ** (2 * i / 6)
            assert table[position, 2 * i] == pytest.approx(math.sin(angle), abs=1e-6)
            assert table[position, 2 * i + 1] == pytest.approx(math.cos(angle), abs=1e-6)
