"""Every fused operation agrees with the same thing composed of simple ones."""

import math

import numpy as np
import pytest

from stage2_tensor import (
    Tensor,
    cross_entropy_with_logits,
    gelu,
    gradcheck,
    layer_norm,
    linear,
    log_softmax,
    scaled_dot_product_attention,
    softmax,
    where,
)

RNG = np.random.default_rng(0)
MASK = np.tril(np.ones((3, 3), bool))
TARGETS = np.array([[0, 2, 1], [3, 3, 0]])


def composed_softmax(x, axis=-1):
    e = (x - x.data.max(axis=axis, keepdims=True)).exp()
    return e / e.sum(axis, keepdims=True)


def composed_log_softmax(x, axis=-1):
    return x - x.logsumexp(axis, keepdims=True)


def composed_cross_entropy(logits):
    rows = composed_log_softmax(logits).reshape(6, 4)
    return -rows[np.arange(6), TARGETS.reshape(-1)].reshape(2, 3)


def composed_layer_norm(x, weight, bias):
    centred = x - x.mean(-1, keepdims=True)
    return centred / (x.var(-1, keepdims=True) + 1e-5).sqrt() * weight + bias


def composed_gelu(x):
    return 0.5 * x * (1 + (math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)).tanh())


def composed_attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    return composed_softmax(where(MASK, scores, -np.inf)) @ v


TWINS = {
    "softmax": (softmax, composed_softmax, [(2, 3, 4)]),
    "softmax over axis 0": (
        lambda x: softmax(x, 0),
        lambda x: composed_softmax(x, 0),
        [(2, 3, 4)],
    ),
    "log_softmax": (log_softmax, composed_log_softmax, [(2, 3, 4)]),
    "cross_entropy": (
        lambda x: cross_entropy_with_logits(x, TARGETS),
        composed_cross_entropy,
        [(2, 3, 4)],
    ),
    "layer_norm": (layer_norm, composed_layer_norm, [(2, 3, 4), (4,), (4,)]),
    "layer_norm without a weight": (
        lambda x, b: layer_norm(x, bias=b),
        lambda x, b: composed_layer_norm(x, 1.0, b),
        [(2, 3, 4), (4,)],
    ),
    "linear": (linear, lambda x, w, b: x @ w + b, [(2, 3, 4), (4, 5), (5,)]),
    "linear of a vector": (linear, lambda x, w, b: x @ w + b, [(4,), (4, 5), (5,)]),
    "linear without a bias": (linear, lambda x, w: x @ w, [(3, 4), (4, 5)]),
    "linear and relu": (
        lambda x, w, b: linear(x, w, b, relu=True),
        lambda x, w, b: (x @ w + b).relu(),
        [(2, 3, 4), (4, 5), (5,)],
    ),
    "gelu": (gelu, composed_gelu, [(2, 3, 4)]),
    "attention": (
        lambda q, k, v: scaled_dot_product_attention(q, k, v, MASK),
        composed_attention,
        [(2, 3, 4), (2, 3, 4), (2, 3, 5)],
    ),
    "attention with shared keys": (
        lambda q, k, v: scaled_dot_product_attention(q, k, v, MASK),
        composed_attention,
        [(2, 3, 4), (3, 4), (2, 3, 5)],
    ),
}


def leaves(shapes):
    return [Tensor(RNG.standard_normal(shape), requires_grad=True) for shape in shapes]


@pytest.mark.parametrize("name", TWINS)
def test_values_and_gradients_agree(name):
    fused, composed, shapes = TWINS[name]
    ours, twins = leaves(shapes), []
    twins = [Tensor(x.data.copy(), requires_grad=True) for x in ours]
    y, z = fused(*ours), composed(*twins)
    np.testing.assert_allclose(y.data, z.data, rtol=1e-12, atol=1e-12)
    g = RNG.standard_normal(y.shape)
    y.backward(g)
    z.backward(g)
    for x, twin in zip(ours, twins):
        np.testing.assert_allclose(x.grad, twin.grad, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", TWINS)
def test_gradients_agree_with_measured_slopes(name):
    fused, _, shapes = TWINS[name]
    report = gradcheck(fused, *leaves(shapes), rng=RNG)
    assert report.ok, str(report)


@pytest.mark.parametrize("name", TWINS)
def test_float32_stays_float32(name):
    fused, _, shapes = TWINS[name]
    xs = [Tensor(x.data.astype(np.float32), requires_grad=True) for x in leaves(shapes)]
    y = fused(*xs)
    assert y.dtype == np.float32
    y.backward(np.ones(y.shape, np.float32))
    assert all(x.grad.dtype == np.float32 for x in xs)


def test_a_query_that_may_look_nowhere_gets_zeros():
    q, k, v = leaves([(1, 2, 4), (1, 3, 4), (1, 3, 5)])
    mask = np.array([[True, True, True], [False, False, False]])
    y = scaled_dot_product_attention(q, k, v, mask)
    y.backward(np.ones(y.shape))
    assert not y.data[0, 1].any() and y.data[0, 0].any()
    assert all(np.isfinite(x.grad).all() for x in (q, k, v))


def test_cross_entropy_says_which_targets_it_wants():
    (logits,) = leaves([(2, 3)])
    with pytest.raises(ValueError, match=r"expected logits \(\.\.\., K\) and integer targets"):
        cross_entropy_with_logits(logits, np.array([0.0, 1.0]))
    with pytest.raises(IndexError, match=r"expected targets in range\(3\), got 0 to 3"):
        cross_entropy_with_logits(logits, np.array([0, 3]))


SMALLEST = {
    "softmax": (softmax, (1,), (0, 3)),
    "log_softmax": (log_softmax, (1,), (0, 3)),
    "cross_entropy": (
        lambda x: cross_entropy_with_logits(x, np.zeros(x.shape[:-1], int)),
        (1,),
        (0, 3),
    ),
    "layer_norm": (layer_norm, (1,), (0, 3)),
    "gelu": (gelu, (), (0,)),
}


@pytest.mark.parametrize("name", SMALLEST)
def test_one_number_and_none_at_all(name):
    f, one, none = SMALLEST[name]
    for shape in (one, none):
        x = Tensor(np.ones(shape, np.float32), requires_grad=True)
        y = f(x)
        y.backward(np.ones(y.shape))
        assert x.grad.shape == shape and x.grad.dtype == y.dtype == np.float32
        assert np.isfinite(x.grad).all()


@pytest.mark.parametrize("name", TWINS)
def test_only_what_wants_a_gradient_gets_one_and_twice_is_double(name):
    fused, _, shapes = TWINS[name]
    for i in range(len(shapes)):
        xs = leaves(shapes)
        y = fused(*xs)
        g = RNG.standard_normal(y.shape)
        y.backward(g)
        alone = [Tensor(x.data, requires_grad=j == i) for j, x in enumerate(xs)]
        again = fused(*alone)
        again.backward(g)
        np.testing.assert_array_equal(alone[i].grad, xs[i].grad)
        again.backward(g)
        np.testing.assert_array_equal(alone[i].grad, 2 * xs[i].grad)
        assert all(x.grad is None for x in alone if x is not alone[i])


def test_an_infinite_gradient_does_not_pass_a_relu_that_is_off():
    x, w = Tensor([[1.0, -1.0]], requires_grad=True), np.eye(2, dtype=np.float32)
    b = Tensor([0.0, 0.0], requires_grad=True)
    linear(x, w, b, relu=True).backward(np.array([[1.0, np.inf]]))
    np.testing.assert_array_equal(b.grad, [1.0, 0.0])


@pytest.mark.parametrize("row", [[1000.0, 999.0], [-1000.0, -999.0], [-103.0, -102.0], [88.7, 88]])
def test_a_softmax_beyond_what_exp_can_hold(row):
    for dtype in (np.float16, np.float32, np.float64):
        x = np.array([[0.0, 1.0], row], dtype)
        e = np.exp(x.astype(float) - x.max(-1, keepdims=True))
        y = softmax(Tensor(x, dtype=dtype)).data
        assert y.dtype == dtype
        tolerance = 4 * np.finfo(dtype).eps
        np.testing.assert_allclose(y, e / e.sum(-1, keepdims=True), rtol=tolerance)


def test_heads_that_were_split_by_a_view_merge_as_a_view():
    q, k, v = (x.reshape(2, 3, 4, 5).swapaxes(1, 2) for x in leaves([(2, 3, 20)] * 3))
    y = scaled_dot_product_attention(q, k, v)
    assert np.shares_memory(y.data.swapaxes(1, 2).reshape(2, 3, 20), y.data)


@pytest.mark.parametrize("shapes", [((2, 3), (2, 4)), ((2, 3), (3,)), ((), (3, 4))])
def test_linear_says_which_shapes_it_wants(shapes):
    x, w = leaves(shapes)
    with pytest.raises(ValueError, match=r"linear: expected x \(\.\.\., N\), weight \(N, M\)"):
        linear(x, w)


def test_linear_refuses_a_bias_that_would_broadcast():
    x, w, b = leaves([(2, 3), (3, 4), (1,)])
    with pytest.raises(ValueError, match=r"bias \(M,\), got \(2, 3\), \(3, 4\) and \(1,\)"):
        linear(x, w, b)


@pytest.mark.parametrize("far", [20.0, 200.0, 2000.0])
@pytest.mark.parametrize(
    ("dtype", "close"), [(np.float16, 2e-3), (np.float32, 1e-6), (float, 1e-8)]
)
def test_cross_entropy_with_a_logit_far_above_the_target(far, dtype, close):
    """Beyond a certain distance the rows are shifted by their maximum, not by their target."""
    x = Tensor(np.array([[0.0, far], [1.0, 0.5]], dtype), requires_grad=True)
    y = cross_entropy_with_logits(x, np.array([0, 0]))
    y.backward(np.ones(2, dtype))
    np.testing.assert_allclose(y.data, [far, np.log1p(np.exp(-0.5))], rtol=close)
    np.testing.assert_allclose(x.grad, [[-1, 1], [-0.37754067, 0.37754067]], rtol=close)


def test_cross_entropy_of_impossible_classes():
    x = Tensor(np.array([[-np.inf, 0.0, 1.0], [0.0, -np.inf, 0.0]]), requires_grad=True)
    y = cross_entropy_with_logits(x, np.array([0, 2]))
    y.backward(np.ones(2))
    np.testing.assert_allclose(y.data, [np.inf, np.log(2)])
    np.testing.assert_allclose(x.grad[1], [0.5, 0, -0.5])


def test_a_weight_of_float32_costs_no_digits_of_float64():
    (x,) = leaves([(2, 3)])  # 1 / 3 is where float32 and float64 part
    weight = Tensor(np.ones(3, np.float32), requires_grad=True)
    twin = Tensor(x.data, requires_grad=True)
    g = RNG.standard_normal(x.shape)
    layer_norm(x, weight).backward(g)
    composed_layer_norm(twin, 1.0, 0.0).backward(g)
    np.testing.assert_allclose(x.grad, twin.grad, rtol=1e-12, atol=1e-12)
