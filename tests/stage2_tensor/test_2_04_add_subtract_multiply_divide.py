"""Exercise 2.4: + - * / on arrays, and the vjps they store."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor

pytestmark = exercise("2.4")

OPERATORS = {
    "a + b": lambda a, b: a + b,
    "a - b": lambda a, b: a - b,
    "a * b": lambda a, b: a * b,
    "a / b": lambda a, b: a / b,
}
NO_G = "g is missing: a vjp multiplies with it"
SHAPES = [((), (4,)), ((4,), ()), ((3, 1), (1, 4)), ((3, 4), (1, 4)), ((2, 3, 4), (3, 1)), ((), ())]


def leaf(data):
    """A float64 Tensor that wants a gradient."""
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def some(shape, seed=0):
    """A leaf of numbers between 0.5 and 2."""
    return leaf(np.random.default_rng(seed).uniform(0.5, 2, shape))


def test_the_four_operators():
    a, b = leaf([8.0, 6.0]), leaf([2.0, 3.0])
    grade.close(a + b, [10.0, 9.0], "(a + b).data")
    grade.close(a - b, [6.0, 3.0], "(a - b).data", {(-6.0, -3.0): "the operands are exchanged"})
    grade.close(a * b, [16.0, 18.0], "(a * b).data")
    grade.close(a / b, [4.0, 2.0], "(a / b).data", {(0.25, 0.5): "the operands are exchanged"})
    grade.close(-a, [-8.0, -6.0], "(-a).data")


def test_the_vjps_of_a_product():
    a, b = leaf([8.0, 6.0]), leaf([2.0, 3.0])
    y = a * b
    g = np.array([1.0, 10.0])
    wrong = {(8.0, 60.0): "g times a: the slope of a * b by a is b", (2.0, 3.0): NO_G}
    grade.close(grade.vjp(y, a, g), [2.0, 30.0], "dL/da for g = [1, 10]", wrong)
    wrong = {(2.0, 30.0): "g times b: the slope of a * b by b is a", (8.0, 6.0): NO_G}
    grade.close(grade.vjp(y, b, g), [8.0, 60.0], "dL/db for g = [1, 10]", wrong)


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_vjps_with_every_kind_of_broadcasting(name, shapes):
    a, b = some(shapes[0]), some(shapes[1], seed=1)
    grade.vjps(OPERATORS[name], a, b, what=f"{name} for shapes {shapes[0]} and {shapes[1]}")


def test_the_vjp_of_a_negative():
    x = leaf([8.0, 6.0])
    found = grade.vjp(-x, x, np.array([1.0, 10.0]))
    grade.close(found, [-1.0, -10.0], "dL/dx of -x for g = [1, 10]")


def test_a_product_multiplies_before_anything_is_summed():
    x, y = leaf([[10.0], [20.0]]), leaf([[1.0, 2.0, 3.0]])
    g = np.ones((2, 3))
    z = x * y
    wrong = {((18.0,), (18.0,)): "g was summed before it was multiplied with the other operand"}
    grade.close(grade.vjp(z, x, g), [[6.0], [6.0]], "dL/dx for g = 1", wrong)
    grade.close(grade.vjp(z, y, g), [[30.0, 30.0, 30.0]], "dL/dy for g = 1")


def test_the_denominator():
    x, y = leaf([2.0, 4.0]), leaf(2.0)
    z = x / y
    g = np.ones(2)
    wrong = {(2.0, 2.0): "g times the denominator: the slope of x / y by x is 1 / y"}
    grade.close(grade.vjp(z, x, g), [0.5, 0.5], "dL/dx", wrong)
    wrong = {1.5: "the sign is lost", -3.0: "the square of the denominator is lost"}
    grade.close(grade.vjp(z, y, g), -1.5, "dL/dy", wrong)


def test_numbers_on_either_side():
    x = leaf([1.0, 2.0])
    grade.close(1 - x, [0.0, -1.0], "(1 - x).data", {(0.0, 1.0): "__rsub__ is other - self"})
    grade.close(6 / x, [6.0, 3.0], "(6 / x).data", {(1 / 6, 1 / 3): "__rtruediv__ is other / self"})
    grade.close(2 + x, [3.0, 4.0], "(2 + x).data")
    grade.close(2 * x, [2.0, 4.0], "(2 * x).data")
    grade.close(x + 2, [3.0, 4.0], "(x + 2).data")
    grade.close(x - 3, [-2.0, -1.0], "(x - 3).data")
    grade.close(x * 3, [3.0, 6.0], "(x * 3).data")
    grade.close(x / 2, [0.5, 1.0], "(x / 2).data")
    g = np.ones(2)
    grade.close(grade.vjp(1 - x, x, g), [-1.0, -1.0], "dL/dx of 1 - x")
    grade.close(grade.vjp(6 / x, x, g), [-6.0, -1.5], "dL/dx of 6 / x")


def test_arrays_on_the_left_give_a_tensor():
    x = leaf([10.0, 20.0])
    why = "an ndarray on the left must end in __radd__: it does if radd makes it a Tensor"
    for name, y in [
        ("+", np.array([1.0, 2.0]) + x),
        ("-", np.float64(1) - x),
        ("*", np.ones(2) * x),
    ]:
        grade.true(isinstance(y, Tensor), f"ndarray {name} Tensor is a Tensor", why)
    y = np.array([1.0, 2.0]) - x
    grade.close(y, [-9.0, -18.0], "(ndarray - x).data")
    grade.close(grade.vjp(y, x, np.ones(2)), [-1.0, -1.0], "dL/dx of ndarray - x")


def test_the_same_tensor_on_both_sides():
    x = leaf([3.0, 5.0])
    g = np.array([1.0, 10.0])
    grade.close(
        grade.vjp(x * x, x, g),
        [6.0, 100.0],
        "dL/dx of x * x",
        {(3.0, 50.0): "x is a parent twice, with a vjp for each place"},
    )
    grade.close(grade.vjp(x + x, x, g), [2.0, 20.0], "dL/dx of x + x")
    grade.close(grade.vjp(x - x, x, g), [0.0, 0.0], "dL/dx of x - x")


def test_float32_stays_float32():
    x = Tensor(np.ones(2, np.float32), requires_grad=True)
    for name, y in [("x + 1", x + 1), ("x * 2.0", x * 2.0), ("x / 3", x / 3), ("1 - x", 1 - x)]:
        why = "a constant must take the dtype of x: use operand"
        grade.true(y.dtype == np.float32, f"the dtype of {name} is float32; it is {y.dtype}", why)


def test_a_constant_is_as_exact_as_its_partner():
    x = leaf([1.0, 3.0])
    rounded = "0.1 as float32 is 0.1000000015: make the constant with operand, not with Tensor(b)"
    wrong = {float(np.float32(0.1)): rounded}
    grade.close((x * 0.1).data[0], 0.1, "1 * 0.1 in float64", wrong, rtol=1e-12)
    grade.close((x + 0.1).data[0] - 1, 0.1, "1 + 0.1 - 1 in float64", wrong, rtol=1e-12)
    grade.close((x - 0.1).data[0] - 1, -0.1, "1 - 0.1 - 1 in float64", rtol=1e-12)
    grade.close((x / 0.1).data[1], 30.0, "3 / 0.1 in float64", rtol=1e-12)
    x = Tensor(np.ones(2, np.float32))
    why = "an array that meets a Tensor is a constant too: it takes the dtype of the Tensor"
    for name, f in OPERATORS.items():
        found = f(x, np.ones(2)).dtype
        what = f"{name} for a float32 Tensor and a float64 array is float32; it is {found}"
        grade.true(found == np.float32, what, why)


def test_single_numbers_stay_arrays():
    y = leaf(2.0) * leaf(3.0)
    grade.close(y, 6.0, "Tensor(2) * Tensor(3)")
    why = "NumPy makes a scalar of it, which is no array any more: from_op knows"
    grade.true(isinstance(y.data, np.ndarray), "the data is an ndarray of shape ()", why)


def test_empty_tensors():
    x = leaf(np.zeros((0, 3)))
    y = x * leaf([1.0, 2.0, 3.0])
    grade.close(np.array(y.shape), [0, 3], "the shape of an empty (0, 3) times (3,)")


def test_constants_get_no_edge():
    x = Tensor(np.ones(2))
    y = x * 3 + x
    grade.true(
        not y.requires_grad,
        "nothing wants a gradient, so neither does the result",
        "build the result with from_op, which drops such edges",
    )


@pytest.mark.parametrize("name", OPERATORS)
def test_shapes_that_clash_are_refused_with_a_drawing(name):
    a, b = some((2, 3)), some((2,))
    why = "call check_broadcast before computing"
    grade.raises(lambda: OPERATORS[name](a, b), f"{name} for shapes (2, 3) and (2,)", why)


def test_operands_stay_as_they_were():
    a, b = leaf([8.0, 6.0]), leaf([2.0, 3.0])
    results = [a + b, a - b, a * b, a / b, -a]
    why = "an operator makes a new Tensor"
    grade.true(all(y is not a and y is not b for y in results), "the results are new", why)
    grade.close(a, [8.0, 6.0], "a.data afterwards")
