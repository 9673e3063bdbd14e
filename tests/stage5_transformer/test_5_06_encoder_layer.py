"""Exercise 5.6: look around, then think."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage5_transformer import EncoderLayer, FeedForward, causal_mask

pytestmark = exercise("5.6")


def rng():
    return np.random.default_rng(0)


def leaf(*shape, seed=0):
    return Tensor(np.random.default_rng(seed).standard_normal(shape), requires_grad=True)


def in_float64(module):
    for i, parameter in enumerate(module.parameters()):
        noise = np.random.default_rng(i).standard_normal(parameter.shape) * 0.1
        parameter.data = parameter.data.astype(float) + noise
    return module


def silence(linear):
    """Make a Linear say 0."""
    linear.weight.data = linear.weight.data * 0
    linear.bias.data = linear.bias.data * 0


@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_feed_forward(activation):
    f, x = in_float64(FeedForward(4, 7, activation, rng())), leaf(2, 3, 4)
    hidden = x.data @ f.up.weight.data + f.up.bias.data
    bent = f.activation(Tensor(hidden)).data
    want = bent @ f.down.weight.data + f.down.bias.data
    flat = hidden @ f.down.weight.data + f.down.bias.data
    same = np.allclose(f(x).data, flat)
    grade.true(not same, "the activation stands between the two Linears", "it was left out")
    grade.close(f(x), want, f"down({activation}(up(x)))")


def layer():
    return in_float64(EncoderLayer(6, 2, 8, rng=rng()))


def by_hand(m, x, mask=None):
    x = x + m.self_attention(m.norm1(x), mask=mask)
    return x + m.feed_forward(m.norm2(x))


NOT_X = "x itself runs through, not norm(x): pre-norm is x + part(norm(x))"


def mistakes(m, x):
    """What a layer gives if a part is left out or exchanged, and the part."""
    look, think, first, second = m.self_attention, m.feed_forward, m.norm1, m.norm2
    found = x + look(first(x))
    post = first(x + look(x))
    return [
        ((second(post + think(post))).data, "that is post-norm: pre-norm is x + part(norm(x))"),
        ((found + think(first(found))).data, "feed_forward has a norm of its own, norm2"),
        ((found + think(found)).data, "norm2 is left out"),
        ((x + look(x) + think(second(x + look(x)))).data, "norm1 is left out"),
        (found.data, "feed_forward is left out"),
        ((x + think(second(x))).data, "self_attention is left out"),
        ((found + think(second(x))).data, "feed_forward reads what attention has changed"),
        (think(second(found)).data, "x + feed_forward(...): the way around is missing"),
        ((first(x) + look(first(x))).data, NOT_X),
    ]


def test_two_parts_that_are_silent_change_nothing():
    m, x = layer(), leaf(1, 1, 6)
    silence(m.self_attention.out_proj)
    silence(m.feed_forward.down)
    grade.close(
        m(x),
        x.data,
        "a layer whose parts say 0",
        [(norm(x).data, NOT_X) for norm in (m.norm1, m.norm2, lambda x: m.norm2(m.norm1(x)))],
    )


def test_the_whole_layer():
    m, x = layer(), leaf(2, 3, 6)
    y = m(x)
    what = "x + attention(norm1(x)), then + feed_forward(norm2(.))"
    grade.close(y, by_hand(m, x).data, what, mistakes(m, x))


def test_each_part_has_its_own_norm():
    m, x = layer(), leaf(2, 3, 6)
    m(x).backward(np.random.default_rng(1).standard_normal((2, 3, 6)))
    missing = [name for name, p in m.named_parameters() if p.grad is None]
    grade.true(not missing, f"every Parameter gets a gradient; not {missing}", "norm1, then norm2")


def test_the_mask_goes_to_the_attention():
    m, x = layer(), leaf(1, 4, 6)
    lost = [(by_hand(m, x).data, "the mask is not handed to self_attention")]
    grade.close(m(x, causal_mask(4)), by_hand(m, x, causal_mask(4)).data, "a causal layer", lost)
    before = m(x, causal_mask(4)).data[:, :3].copy()
    x.data[:, 3] *= -1  # adding a number would be undone by the norm
    grade.close(m(x, causal_mask(4)).data[:, :3], before, "the first three, if the fourth changes")


def test_the_cache_goes_to_the_attention():
    m, x, seen = layer(), leaf(1, 1, 6), []

    def noted(x, memory=None, mask=None, cache=None):
        seen.append(cache)
        return x

    m.self_attention.forward = noted
    m(x, None, "the cache")
    grade.true(
        seen == ["the cache"],
        f"self_attention gets the cache of the layer; it got {seen}",
        "self.self_attention(..., cache=cache)",
    )


def test_dropout_in_training_only():
    m = EncoderLayer(6, 2, 8, dropout=0.5, rng=rng())
    x = Tensor(np.ones((1, 2, 6), np.float32))
    differ = not np.allclose(m(x).data, m(x).data)
    grade.true(differ, "two runs in training differ", "what each part found is dropped out")
    m.eval()
    grade.close(m(x), m(x).data, "two runs in evaluation")


def test_dropout_spares_the_way_of_x():
    m = in_float64(EncoderLayer(6, 2, 8, dropout=1.0, rng=rng()))
    x = leaf(1, 2, 6)
    grade.close(
        m(x),
        x.data,
        "a layer that drops everything it found",
        [
            (np.zeros((1, 2, 6)), "x itself is never dropped: x + dropout(part(norm(x)))"),
            (by_hand(m, x).data, "nothing is dropped: self.dropout(...) around each part"),
            (x.data + m.self_attention(m.norm1(x)).data, "what attention found is dropped too"),
            (x.data + m.feed_forward(m.norm2(x)).data, "what feed_forward found is dropped too"),
        ],
    )


def test_the_arguments_have_pytorch_s_names():
    sizes = {"d_model": 6, "nhead": 2, "dim_feedforward": 8, "dropout": 0.0, "activation": "gelu"}
    x = Tensor(leaf(1, 3, 6).data.astype(np.float32))
    want = EncoderLayer(6, 2, 8, 0.0, "gelu", rng=rng())(x)
    grade.close(EncoderLayer(**sizes, rng=rng())(x), want.data, "the same layer, by name")
