"""Exercise 5.5: several attentions side by side."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor, concatenate
from stage5_transformer import MultiHeadAttention, attention, causal_mask, padding_mask

pytestmark = exercise("5.5")


def rng():
    return np.random.default_rng(0)


def leaf(*shape, seed=0):
    return Tensor(np.random.default_rng(seed).standard_normal(shape), requires_grad=True)


def layer(d_model=6, heads=2):
    """In float64, with biases that are not 0."""
    made = MultiHeadAttention(d_model, heads, rng=rng())
    for parameter in made.parameters():
        parameter.data = parameter.data.astype(float)
    return made


class Cache:
    """What a KeyValueCache will be: the keys and values of the symbols before."""

    def __init__(self):
        self.k = self.v = None

    def __len__(self):
        return 0 if self.k is None else self.k.shape[2]

    def extend(self, k, v):
        if self.k is not None:
            k, v = concatenate([self.k, k], axis=2), concatenate([self.v, v], axis=2)
        self.k, self.v = k, v
        return k, v


def by_hand(m, x, memory=None, mask=None, scale=1.0):
    """Head after head, with slices of columns; the weights of every head too."""
    memory = x if memory is None else memory

    def project(linear, a):
        return a @ linear.weight.data + linear.bias.data

    q, k, v = project(m.q_proj, x), project(m.k_proj, memory), project(m.v_proj, memory)
    D = q.shape[-1] // m.heads
    found, weights = [], []
    for h in range(m.heads):
        columns = slice(h * D, (h + 1) * D)
        part = [Tensor(a[..., columns]) for a in (q * scale, k, v)]
        of_head = mask
        if mask is not None and np.ndim(mask) == 4:
            of_head = mask[:, 0]
        y, w = attention(*part, of_head)
        found.append(y.data)
        weights.append(w.data)
    return project(m.out_proj, np.concatenate(found, -1)), np.stack(weights, 1)


def test_split():
    x = Tensor(np.arange(12.0).reshape(1, 3, 4))
    y = layer(4, 2).split(x)
    reshaped = ((((0, 1), (2, 3), (4, 5)), ((6, 7), (8, 9), (10, 11))),)
    far_apart = ((((0, 2), (4, 6), (8, 10)), ((1, 3), (5, 7), (9, 11))),)
    other_axes = ((((0, 4, 8), (2, 6, 10)), ((1, 5, 9), (3, 7, 11))),)
    grade.close(
        y,
        [[[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]]],
        "0..11 of shape (1, 3, 4), split into two heads",
        {
            reshaped: "a reshape alone mixes times and heads: (B, T, H, D) first, then exchange "
            "two axes",
            far_apart: "a head gets columns side by side: (B, T, H, D), not (B, T, D, H)",
            other_axes: "of (B, T, H, D) the axes of times and heads are exchanged: 1 and 2",
        },
    )


def test_merge():
    x = Tensor(np.array([[[[0.0], [2.0], [4.0]], [[1.0], [3.0], [5.0]]]]))
    y = layer(2, 2).merge(x)
    grade.close(
        y,
        [[[0, 1], [2, 3], [4, 5]]],
        "two heads put side by side",
        {(((0, 2), (4, 1), (3, 5)),): "exchange heads and time back before the reshape"},
    )


def test_merge_undoes_split():
    x = leaf(2, 3, 12)
    m = layer(12, 4)
    grade.close(m.merge(m.split(x)), x.data, "merge(split(x))")
    found = np.shape(m.split(x).data)
    grade.true(
        found == (2, 4, 3, 3), f"4 heads of (2, 3, 12) are (2, 4, 3, 3); got {found}", "B H T D"
    )


def test_it_returns_one_tensor():
    y = layer()(leaf(2, 4, 6))
    grade.true(
        isinstance(y, Tensor),
        f"the layer returns one Tensor; it returns a {type(y).__name__}",
        "of the pair that attention returns, the first goes on; the weights stay in self.weights",
    )


@pytest.mark.parametrize("heads", [1, 2, 3])
def test_self_attention(heads):
    m, x = layer(6, heads), leaf(2, 4, 6)
    want, what = by_hand(m, x.data)[0], f"{heads} heads on x of shape (2, 4, 6)"
    grade.close(m(x), want, what, mistakes(m, x.data))


def mistakes(m, x):
    """What self-attention gives if a part is exchanged or left out, and the part."""
    right = m.q_proj, m.k_proj, m.v_proj, m.out_proj
    D = 6 // m.heads
    alike = [layer(6, 1).q_proj for _ in range(3)]  # the first columns of each, for every head
    for small, linear in zip(alike, right):
        small.weight.data = np.kron(np.eye(m.heads), linear.weight.data[:D, :D])
        small.bias.data = np.tile(linear.bias.data[:D], m.heads)
    plain = layer(6, 1).out_proj
    plain.weight.data, plain.bias.data = np.eye(6), np.zeros(6)
    shared = "q_proj, k_proj and v_proj: each has weights of its own"
    parts = {
        "out_proj mixes what the heads found: it is left out": (*right[:3], plain),
        "values come from v_proj, not from k_proj": (right[0], right[1], right[1], right[3]),
        "keys come from k_proj, not from q_proj": (right[0], right[0], right[2], right[3]),
        shared: (right[0], right[0], right[0], right[3]),
        "project all of x, then split: each head has columns of its own": (*alike, right[3]),
    }
    found = []
    for why, linears in parts.items():
        m.q_proj, m.k_proj, m.v_proj, m.out_proj = linears
        found.append((by_hand(m, x)[0], why))
    m.q_proj, m.k_proj, m.v_proj, m.out_proj = right
    scaled = by_hand(m, x, scale=m.heads**-0.5)[0]
    return [*found, (scaled, "the scale is the root of the width of a head, not of the model")]


def test_the_causal_mask():
    m, x = layer(), leaf(2, 4, 6)
    mask = causal_mask(4)
    lost = [(by_hand(m, x.data)[0], "the mask is not handed to attention")]
    turned = by_hand(m, x.data, mask=mask.T)[0]
    lost.append((turned, "the mask was transposed: its rows are queries"))
    want = by_hand(m, x.data, mask=mask)[0]
    grade.close(m(x, mask=mask), want, "self-attention that looks back only", lost)


def test_cross_attention():
    m, x, memory = layer(), leaf(2, 3, 6), leaf(2, 5, 6, seed=1)
    y = m(x, memory)
    found = np.shape(y.data)
    why = "queries come from x, keys and values from memory"
    grade.true(found == (2, 3, 6), f"the shape is that of x, (2, 3, 6); it is {found}", why)
    ignored = [(by_hand(m, x.data)[0], "keys and values come from memory, not from x")]
    grade.close(y, by_hand(m, x.data, memory.data)[0], "cross-attention", ignored)


def test_the_padding_of_the_memory():
    m, x, memory = layer(), leaf(2, 3, 6), leaf(2, 5, 6, seed=1)
    mask = padding_mask(np.array([[4, 5, 6, 0, 0], [4, 5, 6, 7, 8]]))
    before = m(x, memory, mask).data
    memory.data[0, 3:] = 100
    grade.close(m(x, memory, mask), before, "cross-attention, if the padding of the memory changes")
    want, _ = by_hand(m, x.data, memory.data, mask)
    grade.close(before, want, "cross-attention with a mask")


def test_samples_do_not_meet():
    m, x = layer(), leaf(2, 4, 6)
    before = m(x).data[0].copy()
    x.data[1] += 10
    grade.close(m(x).data[0], before, "sample 0, if sample 1 changes")


def test_gradients_reach_everything():
    m, x, memory = layer(), leaf(2, 3, 6), leaf(2, 5, 6, seed=1)
    m(x, memory).backward(np.random.default_rng(3).standard_normal((2, 3, 6)))
    missing = [name for name, p in m.named_parameters() if p.grad is None or not p.grad.any()]
    missing = [name for name in missing if name != "k_proj.bias"]  # it moves all scores alike
    grade.true(
        not missing, f"every Parameter gets a gradient; not {missing}", "compute with Tensors"
    )
    grade.true(x.grad is not None and memory.grad is not None, "x and memory get gradients", "too")


def test_vjps():
    m = layer(4, 2)
    grade.vjps(lambda x, y: m(x, y), leaf(1, 2, 4), leaf(1, 3, 4, seed=1), what="cross-attention")


def test_weights_on_request():
    m, x, mask = layer(), leaf(2, 4, 6), causal_mask(4)
    want, weights = by_hand(m, x.data, mask=mask)
    m.keep_weights = True
    unmasked, all_seen = by_hand(m, x.data)
    lost = [(unmasked, "the mask goes to attention whether weights are kept or not")]
    grade.close(m(x, mask=mask), want, "the output with keep_weights, with a causal mask", lost)
    found = np.shape(m.weights)
    grade.true(
        found == (2, 2, 4, 4), f"the weights are (B, H, T, S); they are {found}", "keep them"
    )
    seen = [(all_seen, "these are weights without the mask: keep those that the output is made of")]
    grade.close(m.weights, weights, "the weights of this call, with its mask", seen)


def test_a_cache_holds_the_symbols_before():
    m, x, cache = layer(), leaf(2, 4, 6), Cache()
    whole, _ = by_hand(m, x.data, mask=causal_mask(4))
    always = "use what extend returns, and ask `cache is None`, since an empty cache is false too"
    for t in range(4):
        y = m(x[:, t : t + 1], cache=cache)
        what = f"symbol {t} with a cache: keys_and_values returns what cache.extend(k, v) returns"
        new = x.data[:, t : t + 1]
        alone, first = by_hand(m, new)[0][:, 0], by_hand(m, new, x.data[:, :1])[0][:, 0]
        wrong = [
            (alone, f"only the new symbol was looked at: {always}"),
            (first, "the cache did not get the new symbol: only a memory is read once"),
        ]
        grade.close(y.data[:, 0], whole[:, t], what, wrong)
    found = len(cache)
    grade.true(found == 4, f"four symbols are in the cache; there are {found}", "extend it once")


def test_the_keys_of_a_memory_are_computed_once():
    m, x, memory, cache = layer(), leaf(2, 1, 6), leaf(2, 5, 6, seed=1), Cache()
    first = m(x, memory, cache=cache).data
    grade.close(m(x, memory, cache=cache), first, "cross-attention with a cache, asked twice")
    grade.close(
        len(cache),
        5,
        "the keys in the cache of a memory of 5",
        {
            10: "keys of a memory do not change: keys_and_values returns cache.k and cache.v",
            0: "with a cache, keys_and_values returns what cache.extend(k, v) returns",
        },
    )


def test_the_projections_have_full_size():
    found = [np.shape(p.data) for name, p in layer(6, 2).named_parameters() if "weight" in name]
    grade.true(
        found == [(6, 6)] * 4, f"four weights (6, 6); they are {found}", "project, then split"
    )


def test_the_arguments_have_pytorch_s_names():
    by_name = MultiHeadAttention(embed_dim=6, num_heads=2, bias=True, rng=rng())
    x = Tensor(leaf(1, 3, 6).data.astype(np.float32))
    want = MultiHeadAttention(6, 2, rng=rng())(x)
    grade.close(by_name(x), want.data, "the same attention, by name")


def test_a_memory_of_other_samples_is_refused():
    m = layer()
    why = "one memory would be broadcast over all samples in silence"
    grade.raises(lambda: m(leaf(2, 3, 6), leaf(1, 4, 6)), "2 samples and the memory of 1", why)
    grade.raises(lambda: m(leaf(3, 6)), "an x without a batch", "x is (B, T, embed_dim)")


def test_a_mask_of_numbers_is_refused():
    mask = np.array([0.0, -1e9, 0.0])
    why = "0 is False and all else True: the mask would be read the wrong way round"
    grade.raises(lambda: layer()(leaf(1, 3, 6), mask=mask), "the mask [0, -1e9, 0]", why)


def test_sizes_that_all_differ():
    m = layer(d_model=12, heads=3)
    x, memory = leaf(2, 5, 12), leaf(2, 7, 12, seed=1)
    mask = np.random.default_rng(2).random((2, 1, 5, 7)) < 0.7
    mask[..., 0] = True  # nobody looks nowhere
    want, _ = by_hand(m, x.data, memory.data, mask)
    grade.close(m(x, memory, mask), want, "2 samples, 3 heads of 4 columns, 5 queries, 7 keys")
