"""The wider operations of stage 2: their gradients, their edges, and what they refuse."""

import gc
import math
import re
import warnings

import numpy as np
import pytest

import stage2_tensor as stage2
from stage2_tensor import Tensor, gradcheck, zeros
from stage2_tensor import more as m
from tests.library.samples import leaf, rng

IDS = np.array([[2, 0, 0], [1, 1, 2]])
MIXED = rng(1).permutation(np.linspace(-2.1, 2.3, 12)).reshape(3, 4)  # no ties, none at a kink
POSITIVE = np.abs(MIXED) + 0.1
ZERO = np.where(MIXED > 2, 0.0, MIXED)
TWO = np.where(np.abs(MIXED) > 2, 0.0, MIXED)
Q, K, V = (rng(i).standard_normal((2, 3, 4)) for i in range(3))
MASK = np.array([[0.0, -np.inf, -np.inf], [0.5, 1.0, -np.inf], [0.0, -1.0, 2.0]])

SMOOTH = {
    "tan": (m.tan, [MIXED / 2]),
    "log1p": (m.log1p, [POSITIVE]),
    "expm1": (m.expm1, [MIXED]),
    "log2": (m.log2, [POSITIVE]),
    "floor": (m.floor, [MIXED]),
    "ceil": (m.ceil, [MIXED]),
    "sign": (m.sign, [MIXED]),
    "erf": (m.erf, [MIXED]),
    "leaky_relu": (lambda x: m.leaky_relu(x, 0.2), [MIXED]),
    "elu": (lambda x: m.elu(x, 0.7), [MIXED]),
    "softplus": (lambda x: m.softplus(x, 2.0), [MIXED]),
    "gelu": (m.gelu, [MIXED]),
    "gelu, tanh": (lambda x: m.gelu(x, "tanh"), [MIXED]),
    "cumsum": (lambda x: m.cumsum(x, 1), [MIXED]),
    "cumsum, first axis": (lambda x: m.cumsum(x, 0), [MIXED]),
    "cumprod": (lambda x: m.cumprod(x, 1), [MIXED]),
    "cumprod, a zero": (lambda x: m.cumprod(x, -1), [ZERO]),
    "cumprod, two zeros": (lambda x: m.cumprod(x, 0), [TWO]),
    "prod": (m.prod, [MIXED]),
    "prod, an axis": (lambda x: m.prod(x, 0, keepdims=True), [MIXED]),
    "prod, two axes": (lambda x: m.prod(x, (0, 2)), [rng().standard_normal((2, 3, 2))]),
    "prod, a zero": (m.prod, [ZERO]),
    "prod, two zeros": (m.prod, [TWO]),
    "repeat": (lambda x: m.repeat(x, 2), [MIXED]),
    "repeat, each": (lambda x: m.repeat(x, [2, 0, 1], axis=0), [MIXED]),
    "tile": (lambda x: m.tile(x, (2, 1, 3)), [MIXED]),
    "roll": (lambda x: m.roll(x, 5), [MIXED]),
    "roll, two axes": (lambda x: m.roll(x, (1, -2), (0, 1)), [MIXED]),
    "tril": (lambda x: m.tril(x, 1), [MIXED]),
    "triu": (lambda x: m.triu(x, -1), [MIXED]),
    "outer": (m.outer, [MIXED[0], MIXED[:, 1]]),
    "sort": (lambda x: m.sort(x, 0, descending=True)[0], [MIXED]),
    "topk": (lambda x: m.topk(x, 2)[0], [MIXED]),
    "topk, smallest": (lambda x: m.topk(x, 2, 0, largest=False)[0], [MIXED]),
    "gather": (lambda x: m.gather(x, 1, IDS), [MIXED]),
    "einsum": (lambda a, b: m.einsum("...ij,...jk", a, b), [Q, V[0].T]),
    "einsum, sizes of 1": (
        lambda a, b: m.einsum("i...,...i->...", a, b), [Q[:, :1], V.transpose(1, 2, 0)]
    ),
    "layer_norm": (lambda x, w, b: m.layer_norm(x, (3, 4), w, b), [Q, MIXED, POSITIVE]),
    "rms_norm": (lambda x, w: m.rms_norm(x, (3, 4), w), [Q, MIXED]),
    "attention": (lambda q, k, v: m.scaled_dot_product_attention(q, k, v, MASK), [Q, K, V]),
    "attention, learned": (m.scaled_dot_product_attention, [Q, K, V, MIXED[:, :3]]),
    "attention, dropout": (
        lambda q, k, v: m.scaled_dot_product_attention(q, k, v, MASK == 0, 0.4, rng=rng()),
        [Q, K, V],
    ),
}  # fmt: skip
NODES = [name for name in SMOOTH if "," not in name]


@pytest.mark.parametrize("name", SMOOTH)
def test_the_gradient_is_the_measured_slope(name):
    f, inputs = SMOOTH[name]
    assert gradcheck(f, *inputs, rng=rng()).ok


@pytest.mark.parametrize("name", SMOOTH)
def test_float32_stays_float32(name):
    f, inputs = SMOOTH[name]
    xs = [Tensor(x.astype(np.float32), requires_grad=True) for x in inputs]
    y = f(*xs)
    y.sum().backward()
    assert {y.dtype, *(x.grad.dtype for x in xs)} == {np.dtype(np.float32)}


@pytest.mark.parametrize("name", SMOOTH)
def test_a_graph_is_freed_without_the_garbage_collector(name):
    f, inputs = SMOOTH[name]
    gc.collect()
    gc.disable()
    try:
        f(*[Tensor(x, requires_grad=True) for x in inputs]).sum().backward()
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_everything_that_makes_a_node_is_checked_above():
    without = {"any", "all", "isnan", "argmax", "argmin", "argsort", "one_hot"}
    names = {name.replace("attention", "scaled_dot_product_attention") for name in NODES}
    assert names | without == set(m.__all__)


# Values.


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-12), (np.float32, 1e-6)])
def test_erf_is_exact_enough(dtype, tolerance):
    x = np.linspace(-8, 8, 4001).astype(dtype)
    expected = [math.erf(number) for number in x]
    np.testing.assert_allclose(m.erf(Tensor(x)).data, expected, rtol=tolerance, atol=0)


def test_erf_of_the_ends_and_of_nan():
    y = m.erf(Tensor([-np.inf, -0.0, np.inf, np.nan])).data
    np.testing.assert_array_equal(y, [-1, -0.0, 1, np.nan])


def test_small_numbers_keep_their_digits():
    tiny = np.array([1e-12])
    assert m.log1p(tiny).item() == pytest.approx(1e-12, rel=1e-11)
    assert m.expm1(tiny).item() == pytest.approx(1e-12, rel=1e-11)


def test_softplus_and_elu_of_huge_numbers_do_not_overflow():
    x = Tensor(np.array([-1e4, 1e4, np.inf, -np.inf]), requires_grad=True)
    with warnings.catch_warnings(action="error"):
        y = m.softplus(x)
        y.sum().backward()
        z = m.elu(x)
    np.testing.assert_array_equal(y.data, [0, 1e4, np.inf, 0])
    np.testing.assert_array_equal(x.grad, [0, 1, 1, 0])
    np.testing.assert_array_equal(z.data, [-1, 1e4, np.inf, -1])


@pytest.mark.parametrize("f", [m.leaky_relu, m.elu, m.softplus, m.gelu, m.sign, m.erf, m.tan])
def test_nan_stays_nan(f):
    assert np.isnan(f(Tensor([np.nan])).item())


def test_the_common_case_is_left_to_the_exercise():
    x = leaf(2, 3)
    assert m.gelu(x, "tanh").op == stage2.gelu(x).op
    np.testing.assert_array_equal(m.gelu(x, "tanh").data, stage2.gelu(x).data)
    q, k, v = (Tensor(a) for a in (Q, K, V))
    allowed = -np.inf < MASK
    np.testing.assert_array_equal(
        m.scaled_dot_product_attention(q, k, v, allowed).data,
        stage2.scaled_dot_product_attention(q, k, v, allowed).data,
    )


def test_questions_answer_with_booleans_and_no_node():
    x = Tensor([[0.0, 1.0], [0.0, np.nan]], requires_grad=True)
    assert m.any(x, 0).data.tolist() == [False, True]
    assert m.all(x, 1, keepdims=True).data.tolist() == [[False], [False]]
    assert m.isnan(x).data.tolist() == [[False, False], [False, True]]
    assert not m.any(x).requires_grad
    assert bool(m.any(x < 1))
    assert not bool(m.any(zeros(0)))
    assert bool(m.all(zeros(0)))


def test_the_places_of_the_extremes_may_keep_their_axes():
    assert m.argmax(MIXED, 1, keepdims=True).shape == (3, 1)
    assert m.argmin(MIXED, keepdims=True).shape == (1, 1)
    assert m.argmax(MIXED) == MIXED.argmax()


# Ties, NaN, and nothing at all.


def test_equal_elements_keep_their_order_both_ways():
    x = Tensor([1.0, 0.0, 1.0, 0.0])
    assert m.argsort(x).tolist() == [1, 3, 0, 2]
    assert m.argsort(x, descending=True).tolist() == [0, 2, 1, 3]
    assert m.topk(x, 1)[1].tolist() == [0]


def test_nan_is_the_largest_number():
    x = Tensor([1.0, np.nan, 2.0])
    assert m.sort(x)[1].tolist() == [0, 2, 1]
    assert m.topk(x, 2)[1].tolist() == [1, 2]


def test_an_element_gathered_twice_receives_twice():
    x = leaf(3)
    m.gather(x, 0, np.array([1, 1, 0])).sum().backward()
    assert x.grad.tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    "f",
    [
        lambda x: m.cumsum(x, 0), lambda x: m.cumprod(x, 0), lambda x: m.cumprod(x, 1),
        lambda x: m.prod(x, 1), lambda x: m.prod(x, 0), m.prod, lambda x: m.repeat(x, 2, 0),
        lambda x: m.tile(x, 2), lambda x: m.roll(x, 1), m.tril, lambda x: m.sort(x, 0)[0],
        lambda x: m.sort(x)[0], lambda x: m.topk(x, 0)[0], m.erf, m.gelu, m.softplus, m.elu,
        lambda x: m.tile(x, (0, 0)), lambda x: m.repeat(x, 0), lambda x: m.einsum("...i", x),
    ],
)  # fmt: skip
def test_nothing_comes_of_nothing_and_has_a_gradient_of_its_shape(f):
    x = leaf(0, 3)
    f(x).sum().backward()
    assert x.grad.shape == (0, 3)


def test_a_row_that_may_look_nowhere_gives_zeros():
    nowhere = np.full((3, 3), -np.inf)
    q = Tensor(Q, requires_grad=True)
    y = m.scaled_dot_product_attention(q, K, V, nowhere)
    y.sum().backward()
    assert not y.data.any()
    assert not q.grad.any()


def test_dropout_of_everything_leaves_zeros():
    assert not m.scaled_dot_product_attention(Q, K, V, dropout_p=1.0).data.any()


def test_dropout_keeps_the_mean():
    ones = np.ones((400, 8, 1))
    y = m.scaled_dot_product_attention(ones, ones, ones, dropout_p=0.25, rng=rng())
    assert y.mean().item() == pytest.approx(1, abs=0.02)


def test_one_hot_has_a_column_per_class():
    assert m.one_hot([1, 0]).data.tolist() == [[0, 1], [1, 0]]
    assert m.one_hot(np.zeros((2, 0), int), 3).shape == (2, 0, 3)


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("...ij,...jk->...ik", [(2, 3, 4), (4, 5)]), ("ij,jk", [(2, 3), (3, 4)]),
        ("ba", [(2, 3)]), ("i,i", [(3,), (3,)]), ("...i,...i->...", [(2, 1, 3), (4, 3)]),
        ("...->...", [(2, 3)]), ("i...j->j...i", [(2, 3, 4)]), ("...", [(2, 3)]),
        ("...,...->...", [(), (2,)]), ("ij->ji", [(2, 3)]), ("Z...,a...", [(2, 1), (3, 4)]),
    ],
)  # fmt: skip
def test_einsum_is_numpy_s(subscripts, shapes):
    arrays = [rng(i).standard_normal(shape) for i, shape in enumerate(shapes)]
    y = m.einsum(subscripts, *arrays)
    np.testing.assert_allclose(y.data, np.einsum(subscripts, *arrays), rtol=1e-12)


# Errors.

I23 = np.zeros((2, 3), int)


def test_a_slope_may_be_a_large_integer():
    assert m.leaky_relu(Tensor([-1.0]), 10**20).item() == np.float32(-1e20)


ERRORS = {
    "cumsum: expected an axis from -2 to 1, got 2 for (2, 3)": lambda: m.cumsum(zeros(2, 3), 2),
    "cumprod: expected an axis from -2 to 1, got None": lambda: m.cumprod(zeros(2, 3), None),
    "prod: expected an axis from -1 to 0, got 1": lambda: m.prod(zeros(2), 1),
    "any: expected an axis": lambda: m.any(zeros(2), 1),
    "all: expected an axis": lambda: m.all(zeros(2), 1),
    "argmax: expected at least one element": lambda: m.argmax(zeros(0), keepdims=True),
    "argmin: expected an axis": lambda: m.argmin(zeros(2), 1),
    "repeat: expected repeats of at least 0, got -1": lambda: m.repeat(zeros(2), -1),
    "repeat: expected whole numbers as repeats, got 1.5": lambda: m.repeat(zeros(2), 1.5),
    "repeat: expected 1 or 2 numbers of repeats, got 3": lambda: m.repeat(zeros(2), [1, 2, 3]),
    "repeat: expected an axis from -1 to 0, got 1": lambda: m.repeat(zeros(2), 1, 1),
    "tile: expected reps of at least 0, got (1, -1)": lambda: m.tile(zeros(2), (1, -1)),
    "roll: expected one shift for each axis, got shift=(1, 2) and axis=0": lambda: m.roll(
        zeros(2), (1, 2), 0
    ),
    "roll: expected whole numbers as shift, got 0.5": lambda: m.roll(zeros(2), 0.5),
    "roll: expected an axis from -1 to 0, got 3": lambda: m.roll(zeros(2), 1, 3),
    "tril: expected x of shape (..., N, M), got (2,)": lambda: m.tril(zeros(2)),
    "triu: expected x of shape (..., N, M), got ()": lambda: m.triu(1.0),
    "outer: expected two vectors, (N,) and (M,), got (2,) and (1, 2)": lambda: m.outer(
        zeros(2), zeros(1, 2)
    ),
    "sort: expected an axis": lambda: m.sort(zeros(2), 1),
    "argsort: expected an axis": lambda: m.argsort(zeros(2), 1),
    "topk: expected k from 0 to 2, the size of axis -1 of (2,), got 3": lambda: m.topk(zeros(2), 3),
    "topk: expected k to be a whole number, got 1.0": lambda: m.topk(zeros(2), 1.0),
    "gather: expected an index of integers, got float32": lambda: m.gather(zeros(2), 0, zeros(2)),
    "gather: expected an index no longer than x (2, 2) but along axis 1, got (3, 1)": (
        lambda: m.gather(zeros(2, 2), 1, np.zeros((3, 1), int))
    ),
    "gather: expected places in range(2), got 0 to 2": lambda: m.gather(
        zeros(2), 0, np.array([0, 2])
    ),
    "one_hot: expected integer ids, got float32": lambda: m.one_hot(zeros(2)),
    "one_hot: expected ids in range(2), got 0 to 2": lambda: m.one_hot([0, 2], 2),
    "one_hot: expected num_classes for no ids at all, got None": lambda: m.one_hot(
        np.zeros(0, int)
    ),
    'einsum: expected one letter per axis, and "..." once': lambda: m.einsum("...i...", I23),
    "got 'ijk...->i' for shapes (2, 3)": lambda: m.einsum("ijk...->i", I23),
    "got '..i' for shapes (2, 3)": lambda: m.einsum("..i", I23),
    "broadcast: expected shapes whose axes are equal or 1": lambda: m.einsum(
        "...,...", zeros(2), zeros(3)
    ),
    "einsum: expected the subscripts first, got a ndarray": lambda: m.einsum(I23, "ij"),
    "layer_norm: expected x of shape (..., 3), none of them 0, got (2, 2)": lambda: m.layer_norm(
        zeros(2, 2), 3
    ),
    "layer_norm: expected weight of shape (2, 2), got (4,)": lambda: m.layer_norm(
        zeros(2, 2), (2, 2), zeros(4)
    ),
    "rms_norm: expected weight of shape (2,), got (1,)": lambda: m.rms_norm(
        zeros(2, 2), 2, zeros(1)
    ),
    "rms_norm: expected floats, got int64": lambda: m.rms_norm(I23, 3),
    "scaled_dot_product_attention: expected dropout_p from 0 to 1, got 2": lambda: (
        m.scaled_dot_product_attention(Q, K, V, dropout_p=2)
    ),
    "scaled_dot_product_attention: expected floats, got int64": lambda: (
        m.scaled_dot_product_attention(Q, K, V, np.zeros((3, 3), int))
    ),
    "expected q (..., T, D), k (..., S, D)": lambda: m.scaled_dot_product_attention(
        Q, K[..., :2], V, MASK
    ),
    'gelu: expected approximate "none" or "tanh", got \'erf\'': lambda: m.gelu(zeros(2), "erf"),
    "gelu: expected floats, got int64": lambda: m.gelu(I23),
    "erf: expected floats": lambda: m.erf(I23),
    "elu: expected floats": lambda: m.elu(I23),
    "leaky_relu: expected floats": lambda: m.leaky_relu(I23),
    "softplus: expected floats": lambda: m.softplus(I23),
    "softplus: expected beta above 0, got 0": lambda: m.softplus(zeros(2), 0),
    "softplus: expected beta to be a number, got '1'": lambda: m.softplus(zeros(2), "1"),
    "elu: expected alpha below 1.8e308, got 1000": lambda: m.elu(zeros(2), 10**400),
    "leaky_relu: expected negative_slope to be a number": lambda: m.leaky_relu(zeros(2), zeros(2)),
    "gelu: expected approximate": lambda: m.gelu(zeros(2), np.zeros(2)),
    "rms_norm: expected eps of at least 0, got -1": lambda: m.rms_norm(zeros(2), 2, eps=-1),
    "dropout_p to be a number, got '0'": lambda: m.scaled_dot_product_attention(
        Q, K, V, dropout_p="0"
    ),
    "tril: expected k to be a whole number, got 1.5": lambda: m.tril(zeros(2, 2), 1.5),
    "triu: expected k to be a whole number, got (1,)": lambda: m.triu(zeros(2, 2), (1,)),
    "one_hot: expected num_classes to be a whole number, got inf": lambda: m.one_hot([0], np.inf),
    "repeat: expected 1 or 2 numbers of repeats, got 0": lambda: m.repeat(
        zeros(2), np.zeros(0, int)
    ),
    "prod: expected keepdims True or False, got 1": lambda: m.prod(zeros(2), keepdims=1),
    "all: expected keepdims True or False, got 1": lambda: m.all(zeros(2), keepdims=1),
    "any: expected keepdims True or False, got 1": lambda: m.any(zeros(2), keepdims=1),
    "argmax: expected keepdims True or False, got 1": lambda: m.argmax(zeros(2), keepdims=1),
    "argmin: expected keepdims True or False, got 1": lambda: m.argmin(zeros(2), keepdims=1),
    "sort: expected descending True or False, got 1": lambda: m.sort(zeros(2), descending=1),
    "argsort: expected descending True or False": lambda: m.argsort(zeros(2), descending=1),
    "topk: expected largest True or False, got 1": lambda: m.topk(zeros(2), 1, largest=1),
    "sign: expected numbers, got booleans": lambda: m.sign(zeros(2) < 1),
}


@pytest.mark.parametrize("message", ERRORS)
def test_a_refusal_says_the_rule_and_what_came(message):
    with pytest.raises((ValueError, TypeError, IndexError), match=re.escape(message)):
        ERRORS[message]()
