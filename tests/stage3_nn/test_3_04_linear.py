"""Exercise 3.4: y = x W + b."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage3_nn import Linear

pytestmark = exercise("3.4")


def rng():
    return np.random.default_rng(0)


def layer(weight, bias=None):
    """A Linear in float64 with these numbers."""
    weight = np.array(weight, dtype=float)
    linear = Linear(*weight.shape, bias=bias is not None, rng=rng())
    linear.weight.data = weight
    if bias is not None:
        linear.bias.data = np.array(bias, dtype=float)
    return linear


def leaf(data):
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def test_the_shapes_of_the_parameters():
    linear = Linear(2, 3, rng=rng())
    found = np.shape(linear.weight.data)
    why = "the weight is (in_features, out_features), so that x @ weight works"
    grade.true(found == (2, 3), f"the weight of Linear(2, 3) has shape (2, 3); it has {found}", why)
    found = np.shape(linear.bias.data)
    grade.true(
        found == (3,), f"the bias of Linear(2, 3) has shape (3,); it has {found}", "out_features"
    )


def test_both_are_parameters_that_want_a_gradient():
    found = len(list(Linear(2, 3, rng=rng()).parameters()))
    grade.close(
        found,
        2,
        "the number of Parameters of Linear(2, 3)",
        {
            0: "make the weight and the bias Parameters",
            1: "weight and bias are Parameters, both of them",
        },
    )
    found = len(list(Linear(2, 3, bias=False, rng=rng()).parameters()))
    wrong = {2: "bias=False leaves self.bias None", 0: "the weight is a Parameter"}
    grade.close(found, 1, "the number of Parameters of Linear(2, 3, bias=False)", wrong)


def test_value():
    linear = layer([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [10.0, 20.0, 30.0])
    y = linear(leaf([[1.0, 2.0]]))
    product = np.array([[9.0, 12.0, 15.0]])
    grade.close(
        y,
        product + np.array([10, 20, 30]),
        "Linear(2, 3) of [[1, 2]]",
        {
            tuple(map(tuple, product)): "the bias is missing",
            ((309, 432, 555),): "the bias is added to the product x W, not to x",
        },
    )


def test_the_bias_belongs_to_the_features_not_to_the_rows():
    linear = layer(np.eye(3), [10.0, 20.0, 30.0])
    x = np.arange(9.0).reshape(3, 3)
    y = linear(leaf(x))
    by_rows = x + np.array([[10.0], [20.0], [30.0]])
    grade.close(
        y,
        x + np.array([10, 20, 30]),
        "Linear(3, 3) with W = 1 of a batch of three",
        {tuple(map(tuple, by_rows)): "the bias was added along the rows"},
    )


@pytest.mark.parametrize("shape", [(2,), (5, 2), (4, 5, 2), (0, 2)])
def test_any_number_of_leading_axes(shape):
    linear = layer([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [1.0, 0.0, -1.0])
    x = rng().standard_normal(shape)
    y = linear(leaf(x))
    grade.close(y, x @ linear.weight.data + linear.bias.data, f"Linear(2, 3) of shape {shape}")


def test_without_a_bias():
    linear = layer([[1.0, 2.0], [3.0, 4.0]])
    grade.true(linear.bias is None, "bias=False leaves self.bias None", "there is no Parameter")
    turned = {(3.0, 7.0): "x W with the weight as it is, (in, out): not transposed"}
    grade.close(linear(leaf([1.0, 1.0])), [4, 6], "Linear(2, 2, bias=False) of [1, 1]", turned)


def test_gradients_over_several_leading_axes():
    linear = layer(rng().standard_normal((2, 3)), [0.0, 0.0, 0.0])
    x = leaf(rng().standard_normal((4, 5, 2)))
    g = rng().standard_normal((4, 5, 3))
    linear(x).backward(g)
    flat_x, flat_g = x.data.reshape(-1, 2), g.reshape(-1, 3)
    grade.close(linear.weight.grad, flat_x.T @ flat_g, "dL/dweight, summed over all leading axes")
    grade.close(linear.bias.grad, flat_g.sum(0), "dL/dbias, summed over all leading axes")
    grade.close(x.grad, g @ linear.weight.data.T, "dL/dx")


def test_the_start():
    linear = Linear(400, 100, rng=rng())
    bound = 1 / 20
    for name, array in (("weight", linear.weight.data), ("bias", linear.bias.data)):
        largest = np.abs(array).max()
        where = f"the {name} of Linear(400, 100)"
        grade.true(
            0.9 * bound < largest <= bound * 1.0001,
            f"{where} lies in (-1/20, 1/20) and fills it; its largest number is {largest:.4f}",
            "U(-1/sqrt(in_features), 1/sqrt(in_features)), and in_features is 400",
        )
    spread = linear.weight.data.std()
    grade.close(spread, bound / np.sqrt(3), "the std of the weight", rtol=0.02)


def test_float32_and_a_generator_of_your_own():
    first, second = Linear(4, 3, rng=rng()), Linear(4, 3, rng=rng())
    found = first.weight.data.dtype
    grade.true(found == np.float32, f"the weight is float32; it is {found}", "init.uniform is")
    why = "draw from rng and from nothing else"
    same = np.array_equal(first.weight.data, second.weight.data)
    grade.true(same, "equal generators give equal weights", why)
    one = rng()
    a, b = Linear(4, 3, rng=one), Linear(4, 3, rng=one)
    differ = not np.allclose(a.weight.data, b.weight.data)
    grade.true(differ, "two layers from one generator differ", why)
    free = [Linear(4, 3).weight.data for _ in range(2)]
    grade.true(not np.allclose(*free), "without rng, two layers differ", "do not fix a seed")


def test_the_wrong_number_of_features_is_refused():
    grade.raises(
        lambda: layer(np.eye(2))(leaf([[1.0, 2.0, 3.0]])),
        "Linear(2, 2) of shape (1, 3)",
        "the last axis must be in_features long",
    )


def test_the_arguments_have_pytorch_s_names():
    linear = Linear(in_features=2, out_features=3, bias=True, rng=rng())
    grade.close(linear.weight, Linear(2, 3, True, rng()).weight.data, "the same weights by name")
