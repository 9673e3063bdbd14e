"""Exercise 3.11: LayerNorm and RMSNorm."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage3_nn import LayerNorm, RMSNorm

pytestmark = exercise("3.11")

BOTH = pytest.mark.parametrize("kind", [LayerNorm, RMSNorm])


def leaf(data):
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def nested(array):
    return tuple(map(nested, array)) if array.ndim else float(array)


def in_float64(layer):
    """The layer with Parameters in float64."""
    for parameter in layer.parameters():
        parameter.data = parameter.data.astype(float)
    return layer


def norm(kind, x, eps=1e-5):
    """What the layer does to an array."""
    if kind is LayerNorm:
        x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt(np.square(x).mean(-1, keepdims=True) + eps)


@BOTH
@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 3, 4)])
def test_values(kind, shape):
    x = np.random.default_rng(0).standard_normal(shape) * 5 + 1
    right = norm(kind, x)
    flat = norm(kind, x.ravel()).reshape(shape)
    wrong = {} if len(shape) == 1 else {nested(flat): "one row is one example: use the last axis"}
    wrong[nested(right / 2)] = "the mean of the squares, not their sum"
    other = RMSNorm if kind is LayerNorm else LayerNorm
    mean = {LayerNorm: "subtract the mean first", RMSNorm: "RMSNorm leaves the mean in"}
    wrong[nested(norm(other, x))] = mean[kind]
    grade.close(in_float64(kind(4))(leaf(x)), right, f"{kind.__name__}(4) of shape {shape}", wrong)


@BOTH
def test_the_input_stays_as_it_was(kind):
    x = leaf([[1.0, 2.0, 6.0]])
    in_float64(kind(3))(x)
    written = {nested(x.data): "forward wrote into its input: make a new Tensor"}
    grade.close(x, [[1.0, 2.0, 6.0]], f"x after {kind.__name__}(3)(x)", written)


def test_the_biased_variance():
    y = in_float64(LayerNorm(3))(leaf([0.0, 0.0, 3.0]))
    grade.close(
        y,
        [-0.707105, -0.707105, 1.41421],
        "LayerNorm(3) of [0, 0, 3]",
        {
            (
                -0.57735,
                -0.57735,
                1.154699,
            ): "the variance was divided by D - 1: it is the biased one",
            (-0.4999975, -0.4999975, 0.999995): "divide by the root of the variance",
        },
        rtol=1e-5,
    )


def test_each_row_by_itself():
    y = in_float64(LayerNorm(2))(leaf([[1.0, 2.0], [10.0, 40.0]]))
    grade.close(
        y,
        [[-1, 1], [-1, 1]],
        "LayerNorm(2) of [[1, 2], [10, 40]]",
        {
            ((-1, -1), (1, 1)): "every column was normalised: the last axis holds one example",
        },
        rtol=1e-3,
    )


@BOTH
def test_a_row_of_equal_numbers(kind):
    x = leaf([5.0, 5.0, 5.0] if kind is LayerNorm else [0.0, 0.0, 0.0])
    y = in_float64(kind(3))(x)
    grade.close(
        y,
        [0, 0, 0],
        f"{kind.__name__} of {x.data}",
        {(math.nan,) * 3: "0 / 0: eps belongs under the root"},
    )
    y.backward(np.array([1.0, 0.0, 0.0]))
    grade.true(np.isfinite(x.grad).all(), "its gradient is finite", "eps belongs under the root")


@BOTH
def test_eps_is_added_under_the_root(kind):
    x = np.array([0.01, -0.01])
    y = in_float64(kind(2, eps=1e-4))(leaf(x))
    a = 0.01 / math.sqrt(2e-4)
    b, c, d = 0.01 / (0.01 + 1e-4), 1.0, 0.01 / math.sqrt(1e-4 + 1e-5)
    grade.close(
        y,
        [a, -a],
        f"{kind.__name__}(2, eps=1e-4) of [0.01, -0.01]",
        {
            (b, -b): "eps was added to the root: add it to the variance, then take the root",
            (c, -c): "eps is missing",
            (d, -d): "use self.eps",
        },
    )


def test_large_numbers_in_float32():
    x = Tensor(np.array([10001, 10002, 10003, 10004], np.float32))
    y = LayerNorm(4)(x)
    want = [-1.341635, -0.447212, 0.447212, 1.341635]
    grade.close(
        y,
        want,
        "LayerNorm(4) of 10001 to 10004 in float32",
        {
            (math.nan,) * 4: "mean(x^2) - mean(x)^2 loses every digit: subtract the mean first",
        },
        rtol=1e-3,
    )


@BOTH
def test_vjps_of_the_input(kind):
    x = leaf(np.random.default_rng(0).standard_normal((2, 3)))
    grade.vjps(lambda x: in_float64(kind(3))(x), x, what=f"{kind.__name__}(3)(x)")


def test_mean_and_variance_move_with_the_input():
    x = leaf([1.0, 2.0, 3.0])
    in_float64(LayerNorm(3))(x).backward(np.array([1.0, 0.0, 0.0]))
    grade.close(
        x.grad,
        [0.204132, -0.408245, 0.204113],
        "dL/dx at [1, 2, 3] for g = [1, 0, 0]",
        {
            (
                1.224736,
                0,
                0,
            ): "mean and variance were taken as constants: compute them with Tensors",
            (0.816497, -0.408248, -0.408248): "the variance was taken as a constant",
        },
        rtol=1e-3,
        atol=1e-5,
    )


@BOTH
def test_the_parameters(kind):
    layer = kind(4)
    count = 2 if kind is LayerNorm else 1
    grade.close(
        len(list(layer.parameters())),
        count,
        f"the number of Parameters of {kind.__name__}(4)",
        {0: "make them Parameters, so that they are trained"},
    )
    grade.close(layer.weight, np.ones(4), "the weight at the start")
    x = leaf(np.random.default_rng(0).standard_normal((3, 4)))
    g = np.random.default_rng(1).standard_normal((3, 4))
    layer = in_float64(layer)
    layer(x).backward(g)
    grade.close(layer.weight.grad, (g * norm(kind, x.data)).sum(0), "dL/dweight")
    if kind is LayerNorm:
        grade.close(layer.bias, np.zeros(4), "the bias at the start")
        grade.close(layer.bias.grad, g.sum(0), "dL/dbias")


def test_weight_and_bias_are_used():
    layer = in_float64(LayerNorm(2))
    layer.weight.data, layer.bias.data = np.array([2.0, 3.0]), np.array([10.0, 20.0])
    y = layer(leaf([0.0, 2.0]))
    what = "LayerNorm with weight [2, 3] and bias [10, 20] of [0, 2]"
    wrong = {(-2, 3): "the bias is left out", (9, 21): "the weight is left out"}
    grade.close(y, [8, 23], what, wrong, rtol=1e-4)


@BOTH
def test_float32_stays_float32(kind):
    y = kind(4)(Tensor(np.ones((2, 4), np.float32)))
    grade.true(y.dtype == np.float32, f"{kind.__name__} is float32; it is {y.dtype}", "keep it")


@BOTH
def test_the_wrong_number_of_features_is_refused(kind):
    name = kind.__name__
    grade.raises(
        lambda: kind(1)(leaf(np.ones((2, 3)))),
        f"{name}(1) of shape (2, 3)",
        "a weight of size 1 would broadcast in silence",
    )
    grade.raises(lambda: kind(4)(leaf(np.ones((2, 3)))), f"{name}(4) of shape (2, 3)", "D is 4")
    grade.raises(lambda: kind(3)(leaf(np.ones((2, 1)))), f"{name}(3) of shape (2, 1)", "D is 3")


@BOTH
def test_the_arguments_have_pytorch_s_names(kind):
    layer, x = in_float64(kind(normalized_shape=3, eps=0.5)), leaf([1.0, 2.0, 6.0])
    grade.close(layer(x), norm(kind, x.data, 0.5), f"{kind.__name__} with its arguments by name")
