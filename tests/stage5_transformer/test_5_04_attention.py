"""Exercise 5.4: scaled dot-product attention."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage5_transformer import attention, causal_mask

pytestmark = exercise("5.4")


def leaf(data):
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def some(*shape, seed=0):
    return leaf(np.random.default_rng(seed).standard_normal(shape))


def by_hand(q, k, v, mask=None):
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e30)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    weights = e / e.sum(-1, keepdims=True)
    return weights @ v, weights


def softmax(*x):
    e = np.exp(np.array(x, float))
    return tuple((e / e.sum()).tolist())


def test_it_returns_the_mixture_and_the_weights():
    found = attention(some(2, 3), some(4, 3, seed=1), some(4, 5, seed=2))
    pair = isinstance(found, tuple | list) and len(found) == 2
    grade.true(pair, f"attention returns two Tensors; it returns {found}", "return y, weights")
    shapes = [np.shape(getattr(x, "data", x)) for x in found]
    why = "the first is the mixture (T, E), the second are the weights (T, S)"
    grade.true(shapes == [(2, 5), (2, 4)], f"their shapes are (2, 5) and (2, 4): {shapes}", why)


def test_the_scale():
    q, k, v = leaf([[1.0, 1.0]]), leaf([[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]), leaf(np.eye(3, 5))
    _, weights = attention(q, k, v)
    grade.close(
        weights,
        [softmax(math.sqrt(2), 0, 0)],
        "the weights of keys [1, 1], [0, 0], [0, 0] for [1, 1]",
        {
            (softmax(2, 0, 0),): "the scores are not divided by sqrt(D)",
            (softmax(1, 0, 0),): "divided by D: it is the root of D",
            (softmax(2 / math.sqrt(5), 0, 0),): "D is the width of q and k, not that of v",
            (softmax(2 / math.sqrt(3), 0, 0),): "D is the width of q, not the number of keys",
        },
    )


def test_large_scores():
    q, k, v = leaf([[1000.0]]), leaf([[3000.0], [1000.0]]), leaf([[1.0], [2.0]])
    _, weights = attention(q, k, v)
    wrong = {((0.0, 1.0),): "the scores are q k^T: the values stand where the keys belong"}
    grade.close(weights, [[1, 0]], "the weights of scores of 3 million and 1 million", wrong)


def test_several_queries_and_keys():
    q, k, v = some(2, 3), some(4, 3, seed=1), some(4, 5, seed=2)
    y, weights = attention(q, k, v)
    want, want_weights = by_hand(q.data, k.data, v.data)
    grade.close(weights, want_weights, "the weights of 2 queries and 4 keys")
    grade.close(y, want, "the mixture of the values")


def test_every_query_gives_away_one():
    q, k, v = some(2, 3), some(4, 3, seed=1), some(4, 5, seed=2)
    _, weights = attention(q, k, v)
    e = np.exp(q.data @ k.data.T / math.sqrt(3))
    over_queries = tuple((e / e.sum(0)).sum(1).tolist())
    grade.close(
        weights.data.sum(-1),
        [1, 1],
        "the sum of the weights of each query",
        {over_queries: "the softmax runs over the keys, the last axis"},
    )


def test_samples_do_not_meet():
    q, k, v = some(2, 3, 4, 5), some(2, 3, 6, 5, seed=1), some(2, 3, 6, 7, seed=2)
    before = attention(q, k, v)[0].data[0].copy()
    k.data[1], v.data[1] = -k.data[1], 10 + v.data[1]
    after = attention(q, k, v)[0].data[0]
    why = (
        "nothing is summed or averaged over the batch: every sample has keys and values of its own"
    )
    grade.true(np.allclose(after, before), "sample 0 stays as it is if sample 1 changes", why)


def test_samples_and_heads():
    q, k, v = some(2, 3, 4, 5), some(2, 3, 6, 5, seed=1), some(2, 3, 6, 7, seed=2)
    y, weights = attention(q, k, v)
    want, want_weights = by_hand(q.data, k.data, v.data)
    first = np.broadcast_to(by_hand(q.data, k.data[:1], v.data[:1])[0], want.shape)
    wrong = [(first, "every sample looks at the keys of the first: samples never meet")]
    grade.close(y, want, "attention of shape (2, 3, 4, 5) to 6 keys", wrong)
    grade.close(weights, want_weights, "its weights")


def test_what_is_hidden_has_no_weight():
    q, k, v = leaf([[1.0]]), leaf([[2.0], [1.0]]), leaf([[10.0], [20.0]])
    _, weights = attention(q, k, v, np.array([[True, False]]))
    grade.close(
        weights,
        [[1.0, 0.0]],
        "the weights of scores 2 and 1, the second hidden",
        {
            (softmax(2, 1),): "the mask was not used",
            (softmax(2, 0),): "a hidden score is -infinity, not 0",
            ((softmax(2, 1)[0], 0.0),): "mask before the softmax, so that rows still add up to 1",
            ((0.0, 1.0),): "True means: may look",
        },
    )


def test_what_is_hidden_has_the_lowest_score():
    q, k, v = leaf([[1.0]]), leaf([[-500.0], [3.0]]), leaf([[10.0], [20.0]])
    _, weights = attention(q, k, v, np.array([[True, False]]))
    grade.close(
        weights,
        [[1.0, 0.0]],
        "the weights of scores -500 and 3, the second hidden",
        {((0.0, 1.0),): "a hidden score lies below every other: -infinity"},
    )


def test_the_mask_is_not_changed():
    mask = np.array([[False] * 4, [True, False, True, True]])
    before = mask.copy()
    attention(some(2, 3), some(4, 3, seed=1), some(4, 5, seed=2), mask)
    grade.close(mask, before, "the mask afterwards: it belongs to others too")


@pytest.mark.parametrize("shape", [(4, 4), (2, 1, 1, 4), (2, 3, 4, 4)])
def test_masks_of_all_shapes(shape):
    mask = np.random.default_rng(5).random(shape) < 0.6
    mask[..., 0] = True  # nobody looks nowhere
    q, k, v = some(2, 3, 4, 5), some(2, 3, 4, 5, seed=1), some(2, 3, 4, 5, seed=2)
    y, _ = attention(q, k, v, mask)
    grade.close(y, by_hand(q.data, k.data, v.data, mask)[0], f"attention with a mask {shape}")


def test_a_query_that_may_look_nowhere():
    q, k, v = some(2, 3), some(4, 3, seed=1), some(4, 5, seed=2)
    mask = np.array([[False] * 4, [True] * 4])
    y, _ = attention(q, k, v, mask)
    grade.close(
        y.data[0],
        np.zeros(5),
        "what it gets",
        {
            (math.nan,)
            * 5: "the softmax of nothing but -infinity: your softmax of stage 2 gives zeros"
        },
    )
    y.backward(np.ones((2, 5)))
    missing = [name for name, x in (("q", q), ("k", k), ("v", v)) if x.grad is None]
    why = "from the weights there is no way back: compute with Tensors, not with their .data"
    grade.true(not missing, f"q, k and v get a gradient; not {missing}", why)
    finite = all(np.isfinite(x.grad).all() for x in (q, k, v))
    grade.true(finite, "all gradients are finite", "NaN must not spread to the others")


def test_the_future_cannot_be_seen():
    q, k, v = some(4, 3), some(4, 3, seed=1), some(4, 2, seed=2)
    before = attention(q, k, v, causal_mask(4))[0].data
    k.data[3] += 100
    v.data[3] -= 100
    after = attention(q, k, v, causal_mask(4))[0].data
    grade.close(
        after[:3], before[:3], "what the first three queries get, if the fourth key changes"
    )


def test_vjps():
    mask = causal_mask(3)
    grade.vjps(
        lambda q, k, v: attention(q, k, v, mask)[0],
        some(2, 3, 4),
        some(2, 3, 4, seed=1),
        some(2, 3, 4, seed=2),
        what="attention(q, k, v, causal)",
    )


def test_float32_stays_float32():
    x = Tensor(np.ones((2, 3), np.float32))
    y, weights = attention(x, x, x, causal_mask(2))
    found = {y.dtype, weights.dtype}
    grade.true(found == {np.dtype(np.float32)}, f"all is float32; it is {found}", "keep the dtype")


@pytest.mark.parametrize("hidden", [-math.inf, -1e9])
def test_a_mask_of_numbers_is_refused(hidden):
    """Other frameworks add such a mask: 0 where one may look."""
    q, k, v = leaf([[1.0]]), leaf([[2.0], [1.0]]), leaf([[10.0], [20.0]])
    mask = np.array([[0.0, hidden]])
    why = "0 is False and all else True: the mask would be read the wrong way round"
    grade.raises(lambda: attention(q, k, v, mask), f"attention with the mask [[0, {hidden}]]", why)


def test_the_gradient_of_the_weights_too():
    q, k, v = leaf([[1.0]]), leaf([[1.0], [2.0]]), leaf([[0.0], [0.0]])
    _, weights = attention(q, k, v)
    weights.backward(np.array([[10.0, 0.0]]))
    slope = 10 * softmax(1, 2)[0] * softmax(1, 2)[1]
    cut = {0.0: "the weights are made of arrays: give back the Tensor"}
    grade.close(q.grad, [[-slope]], "dL/dq, if L is 10 times the first weight", cut)
