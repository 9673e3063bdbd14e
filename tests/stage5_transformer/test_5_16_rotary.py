"""Exercise 5.16, bonus: positions as turns."""

import math

import numpy as np

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage5_transformer import KeyValueCache, MultiHeadAttention, attention, causal_mask, rotate

pytestmark = exercise("5.16")


def some(*shape, seed=0):
    return Tensor(np.random.default_rng(seed).standard_normal(shape), requires_grad=True)


def test_a_turn():
    x = Tensor(np.array([[1.0, 0.0], [1.0, 0.0]]))
    c, s = math.cos(1), math.sin(1)
    grade.close(
        rotate(x),
        [[1, 0], [c, s]],
        "the point (1, 0) at positions 0 and 1",
        {((1, 0), (c, -s)): "the other way round: (a cos - b sin, a sin + b cos)"},
    )


def test_pairs_and_their_frequencies():
    x = Tensor(np.array([[0.0] * 4, [1.0, 2.0, 3.0, 4.0]]))
    want = []
    for a, b, angle in ((1, 3, 1.0), (2, 4, 0.01)):
        want.append(
            (a * math.cos(angle) - b * math.sin(angle), a * math.sin(angle) + b * math.cos(angle))
        )
    grade.close(
        rotate(x).data[1],
        [want[0][0], want[1][0], want[0][1], want[1][1]],
        "[1, 2, 3, 4] at position 1: columns 0 and 2 are a pair, 1 and 3 another",
        {
            (-1.984111, -2.285279, 2.462378, 3.844151): "each pair has a frequency of its own",
            (-1.984111, 1.959901, 0.841471, 0.02): "the second half is a sin + b cos",
            (-1.142640, -1.922022, 1.922076, 4.029774): "pairs are half of the width apart",
        },
    )


def test_lengths_stay():
    x = some(2, 3, 5, 8)
    y = rotate(x, start=7)
    grade.close((y.data**2).sum(-1), (x.data**2).sum(-1), "the squared length of every vector")


def test_a_start():
    x = some(5, 4)
    not_started = tuple(map(tuple, rotate(x[3:]).data.tolist()))
    grade.close(
        rotate(x[3:], start=3),
        rotate(x).data[3:],
        "positions from 3 on",
        {not_started: "begin with position `start`"},
    )


def test_only_the_distance_counts():
    q, k = some(1, 6), some(1, 6, seed=1)
    products = []
    for i, j in ((5, 2), (105, 102), (3, 0)):
        a, b = rotate(q, start=i).data, rotate(k, start=j).data
        products.append(float((a * b).sum()))
    grade.close(
        products, [products[0]] * 3, "q k for positions 5, 2 and 105, 102 and 3, 0", rtol=1e-5
    )
    near = float((rotate(q, start=5).data * rotate(k, start=4).data).sum())
    why = "the turn depends on the position, and that on start"
    grade.true(abs(near - products[0]) > 1e-3, "another distance gives another product", why)


def test_what_has_no_pairs_is_refused():
    why = "a half of one column would be broadcast over the other two: D must be even"
    grade.raises(lambda: rotate(some(2, 3)), "rotate of vectors of 3 columns", why)
    grade.raises(lambda: rotate(some(4)), "rotate of shape (4,)", "x is (..., T, D)")


def test_vjps():
    grade.vjps(lambda x: rotate(x, 2), some(2, 3, 4), what="rotate(x, start=2)")


def test_float32_stays_float32():
    y = rotate(Tensor(np.ones((2, 4), np.float32)))
    grade.true(y.dtype == np.float32, f"float32 stays float32; it is {y.dtype}", "keep the dtype")


def layer():
    made = MultiHeadAttention(8, 2, rotary=True, rng=np.random.default_rng(0))
    for parameter in made.parameters():
        parameter.data = parameter.data.astype(float)
    return made


def by_hand(m, x, turn):
    """What `m` makes of x if `turn` makes of q, k and v what attention gets."""
    q, k, v = (m.split(project(x)) for project in (m.q_proj, m.k_proj, m.v_proj))
    return m.out_proj(m.merge(attention(*turn(q, k, v), causal_mask(4))[0])).data


def test_attention_with_rotary_positions():
    m, x = layer(), some(2, 4, 8)
    y = m(x, mask=causal_mask(4)).data
    for turn, why in (
        (lambda q, k, v: (q, k, v), "with self.rotary, MultiHeadAttention.forward turns q and k"),
        (lambda q, k, v: (rotate(q), k, v), "the keys are turned as well"),
        (lambda q, k, v: (rotate(q), rotate(k), rotate(v)), "values are mixed, not turned"),
    ):
        grade.true(not np.allclose(y, by_hand(m, x, turn)), "q and k are turned, and not v", why)
    want = by_hand(m, x, lambda q, k, v: (rotate(q), rotate(k), v))
    grade.close(y, want, "self-attention of which queries and keys are turned")


def test_rotary_attention_step_by_step():
    m, x, cache = layer(), some(2, 4, 8), KeyValueCache()
    whole = m(x, mask=causal_mask(4)).data
    for t in range(4):
        found = m(x[:, t : t + 1], cache=cache).data
        what = f"symbol {t} with a cache: q begins at position k.shape[-2] - q.shape[-2]"
        grade.close(found[:, 0], whole[:, t], what)
