"""Exercise 5.7: what was said, and what stands in the source."""

import numpy as np

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage5_transformer import DecoderLayer, causal_mask

pytestmark = exercise("5.7")


def leaf(*shape, seed=0):
    return Tensor(np.random.default_rng(seed).standard_normal(shape), requires_grad=True)


def layer(dropout=0.0):
    made = DecoderLayer(6, 2, 8, dropout, rng=np.random.default_rng(0))
    for i, parameter in enumerate(made.parameters()):
        noise = np.random.default_rng(i).standard_normal(parameter.shape) * 0.1
        parameter.data = parameter.data.astype(float) + noise
    return made


MASK = np.array([[True, True, True, False], [True] * 4])[:, None, None, :]


def test_the_output_is_as_long_as_the_target():
    y = layer()(leaf(2, 3, 6), leaf(2, 4, 6, seed=1), causal_mask(3), MASK)
    found = np.shape(y.data)
    why = "queries come from x, keys and values from memory"
    grade.true(found == (2, 3, 6), f"the shape is (2, 3, 6); it is {found}", why)


def by_hand(m, x, memory, own=None, cross=None, norms=(1, 2, 3), parts="sci"):
    """The layer with these masks and norms, and of its parts those that are named."""
    norm1, norm2, norm3 = (getattr(m, f"norm{i}") if i else (lambda x: x) for i in norms)
    if "s" in parts:
        x = x + m.self_attention(norm1(x), mask=own)
    if "c" in parts:
        x = x + m.cross_attention(norm2(x), memory, cross)
    return (x + m.feed_forward(norm3(x)) if "i" in parts else x).data


def mistakes(m, x, memory):
    """What the layer gives if something is left out or exchanged, and what that is."""
    own, again = causal_mask(3), "the memory is normalised already: only x goes through a norm"
    yield by_hand(m, x, memory, None, MASK), "the causal mask is not handed to self_attention"
    yield by_hand(m, x, memory, own, None), "memory_mask is not handed to cross_attention"
    yield by_hand(m, x, memory), "neither mask is handed on"
    for causal in (causal_mask(3, 4), np.tri(3, 4, dtype=bool)):
        both = MASK & causal
        yield by_hand(m, x, memory, own, both), "the causal mask is for self_attention only"
        yield (
            by_hand(m, x, memory, own, causal),
            "cross_attention gets memory_mask, not a causal one",
        )
    yield by_hand(m, x, m.norm2(memory), own, MASK), again
    for norms in ((1, 1, 1), (1, 2, 2), (1, 1, 3), (1, 1, 2), (2, 2, 3)):
        yield by_hand(m, x, memory, own, MASK, norms), "each part has its own norm: 1, 2, 3"
    for i, name in enumerate(("norm1", "norm2", "norm3")):
        left = tuple(0 if j == i else j + 1 for j in range(3))
        yield by_hand(m, x, memory, own, MASK, left), f"{name} is left out"
    for part, name in (("ci", "self_attention"), ("si", "cross_attention"), ("sc", "feed_forward")):
        yield by_hand(m, x, memory, own, MASK, parts=part), f"{name} is left out"
    h = m.norm1(x + m.self_attention(x, mask=own))
    h = m.norm2(h + m.cross_attention(h, memory, MASK))
    yield m.norm3(h + m.feed_forward(h)).data, "that is post-norm: pre-norm is x + part(norm(x))"


def test_the_whole_layer():
    m, x, memory = layer(), leaf(2, 3, 6), leaf(2, 4, 6, seed=1)
    y = m(x, memory, causal_mask(3), MASK)
    want = by_hand(m, x, memory, causal_mask(3), MASK)
    what = "self-attention, cross-attention, feed forward, each behind a norm"
    grade.close(y, want, what, list(mistakes(m, x, memory)))


def test_the_future_is_hidden():
    m, x, memory = layer(), leaf(2, 3, 6), leaf(2, 4, 6, seed=1)
    before = m(x, memory, causal_mask(3), MASK).data[:, :2].copy()
    x.data[:, 2] *= -1
    after = m(x, memory, causal_mask(3), MASK).data[:, :2]
    grade.close(
        after, before, "the first two, if the third changes: pass the mask to self-attention"
    )


def test_all_of_the_source_can_be_seen():
    m, x, memory = layer(), leaf(1, 3, 6), leaf(1, 4, 6, seed=1)
    before = m(x, memory, causal_mask(3)).data[:, 0].copy()
    memory.data[:, 3] += 5
    after = m(x, memory, causal_mask(3)).data[:, 0]
    why = "the causal mask is for self-attention only"
    moved = not np.allclose(after, before)
    grade.true(moved, "the first output reacts to the last symbol of the source", why)


def test_the_padding_of_the_source_is_hidden():
    m, x, memory = layer(), leaf(2, 3, 6), leaf(2, 4, 6, seed=1)
    before = m(x, memory, causal_mask(3), MASK).data.copy()
    memory.data[0, 3] += 5
    after = m(x, memory, causal_mask(3), MASK).data
    grade.close(after, before, "the output, if padding of the source changes: pass memory_mask on")


def test_three_norms():
    m = layer()
    y = m(leaf(2, 3, 6), leaf(2, 4, 6, seed=1), causal_mask(3), MASK)
    y.backward(np.random.default_rng(1).standard_normal((2, 3, 6)))
    missing = [name for name, p in m.named_parameters() if p.grad is None]
    grade.true(
        not missing, f"every Parameter gets a gradient; not {missing}", "norm1, norm2, norm3"
    )


def test_dropout_is_on_what_each_part_found():
    m, x = layer(dropout=1.0), leaf(2, 3, 6)
    memory, own = leaf(2, 4, 6, seed=1), causal_mask(3)
    y = m(x, memory, own, MASK)
    wrong = [(0 * x.data, "x itself is never dropped")]
    why = "what a part found is dropped: x + dropout(part(norm(x))), for each of the three"
    for parts in ("s", "c", "i", "sci"):
        wrong.append((by_hand(m, x, memory, own, MASK, parts=parts), why))
    what = "x through a layer that drops what each of its three parts found"
    grade.close(y, x.data, what, wrong)


def test_each_attention_has_its_own_cache():
    m, x, memory, seen = layer(), leaf(1, 1, 6), leaf(1, 4, 6, seed=1), []

    def noted(x, memory=None, mask=None, cache=None):
        seen.append((("self" if memory is None else "cross"), cache))
        return x

    m.self_attention.forward = m.cross_attention.forward = noted
    m(x, memory, None, None, ("the first", "the second"))
    want = [("self", "the first"), ("cross", "the second")]
    grade.true(
        seen == want,
        f"who gets which cache: {want}; it was {seen}",
        "own, cross = caches: one for self_attention, one for cross_attention",
    )


def test_silent_parts_change_nothing():
    m, x = layer(), leaf(2, 3, 6)
    for linear in (m.self_attention.out_proj, m.cross_attention.out_proj, m.feed_forward.down):
        linear.weight.data, linear.bias.data = linear.weight.data * 0, linear.bias.data * 0
    y = m(x, leaf(2, 4, 6, seed=1), causal_mask(3), MASK)
    post = m.norm3(m.norm2(m.norm1(x))).data
    why = "x itself runs through, not norm(x): pre-norm is x + part(norm(x))"
    wrong = [(norm(x).data, why) for norm in (m.norm1, m.norm2, m.norm3)] + [(post, why)]
    grade.close(y, x.data, "a layer whose parts say 0: x itself runs through", wrong)


def test_the_arguments_have_pytorch_s_names():
    sizes = {"d_model": 6, "nhead": 2, "dim_feedforward": 8, "dropout": 0.0, "activation": "gelu"}
    by_name = DecoderLayer(**sizes, rng=np.random.default_rng(0))
    by_place = DecoderLayer(6, 2, 8, 0.0, "gelu", rng=np.random.default_rng(0))
    x, memory = (Tensor(leaf(1, n, 6).data.astype(np.float32)) for n in (3, 4))
    grade.close(by_name(x, memory), by_place(x, memory).data, "the same layer, by name")
