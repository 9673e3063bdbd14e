"""Exercise 2.5: powers, functions, and the places where they are delicate."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor

pytestmark = exercise("2.5")

FUNCTIONS = {
    "log": (lambda x: x.log(), np.log),
    "sqrt": (lambda x: x.sqrt(), np.sqrt),
    "tanh": (lambda x: x.tanh(), np.tanh),
    "sigmoid": (lambda x: x.sigmoid(), lambda x: 1 / (1 + np.exp(-x))),
    "relu": (lambda x: x.relu(), lambda x: np.maximum(x, 0)),
    "abs": (lambda x: x.abs(), np.abs),
    "clip": (lambda x: x.clip(0.8, 1.4), lambda x: np.clip(x, 0.8, 1.4)),
    "x ** 3": (lambda x: x**3, lambda x: x**3),
    "2 ** x": (lambda x: 2**x, lambda x: 2**x),
}
SHAPES = [(), (5,), (2, 3)]
WRONG_SLOPES = {  # what a slope is if this is the mistake
    "log": {lambda x: 1 / np.log(x): "1 / x: of the input, not of the output"},
    "sqrt": {
        lambda x: 0.5 / x: "1 / (2 sqrt(x)): of the output, not of the input",
        lambda x: 1 / np.sqrt(x): "1 / (2 sqrt(x)): the 2 is missing",
    },
    "tanh": {lambda x: 1 - x * x: "1 - y^2: of the output, not of the input"},
    "sigmoid": {lambda x: x * (1 - x): "y (1 - y): of the output, not of the input"},
    "x ** 3": {lambda x: x**2: "p x^(p - 1): the p is missing", lambda x: 3 * x**3: "p x^(p - 1)"},
    "2 ** x": {
        lambda x: 2**x: "y log(a): the logarithm of the base is missing",
        lambda x: x * 2 ** (x - 1): "that is the slope by the base",
    },
}


def leaf(data):
    """A float64 Tensor that wants a gradient."""
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def some(shape, seed=0):
    """A leaf of numbers between 0.5 and 2."""
    return leaf(np.random.default_rng(seed).uniform(0.5, 2, shape))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_values_are_those_of_numpy(name, shape):
    ours, numpys = FUNCTIONS[name]
    x = some(shape)
    grade.close(ours(x), numpys(x.data), f"{name} of a Tensor of shape {shape}")


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_vjps(name, shape):
    x = some(shape)
    slopes = [(f(x.data), why) for f, why in WRONG_SLOPES.get(name, {}).items()]
    grade.vjps(FUNCTIONS[name][0], x, what=f"{name} of shape {shape}", slopes=slopes)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_float32_stays_float32(name):
    x = Tensor(np.array([0.9, 1.2], np.float32), requires_grad=True)
    y = FUNCTIONS[name][0](x)
    why = "a constant or an intermediate result is float64"
    grade.true(y.dtype == np.float32, f"the dtype of {name} is float32; it is {y.dtype}", why)


def test_negative_numbers():
    x = leaf([-2.0, -0.5])
    g = np.array([1.0, 10.0])
    grade.close(x.relu(), [0.0, 0.0], "relu")
    grade.close(
        grade.vjp(x.relu(), x, g),
        [0.0, 0.0],
        "dL/dx of relu",
        {(1.0, 10.0): "a negative input passes no gradient"},
    )
    grade.close(x.abs(), [2.0, 0.5], "abs")
    lost = {(1.0, 10.0): "the sign is lost: |x| falls with x where x is negative"}
    grade.close(grade.vjp(x.abs(), x, g), [-1.0, -10.0], "dL/dx of abs", lost)
    grade.close(grade.vjp(x.tanh(), x, g), g * (1 - np.tanh(x.data) ** 2), "dL/dx of tanh")
    s = 1 / (1 + np.exp([2.0, 0.5]))
    wrong = {
        tuple(1 - s): "this is sigmoid of 2 and 0.5",
        tuple(1 / (1 + np.exp([-2.0, -0.5])) - 1): "the sign of the numerator is lost",
        (0.0, 0.0): "only what is above 0 has a numerator: for x < 0 it is e^x",
    }
    grade.close(x.sigmoid(), s, "sigmoid of [-2, -0.5]", wrong)
    grade.close(grade.vjp(x.sigmoid(), x, g), g * s * (1 - s), "dL/dx of sigmoid")


def test_the_slope_at_a_kink_is_0():
    x = leaf([0.0, 2.0])
    g = np.array([3.0, 5.0])
    wrong = {(3.0, 5.0): "at 0 the slope is 0 by convention: x > 0, not x >= 0"}
    grade.close(grade.vjp(x.relu(), x, g), [0.0, 5.0], "dL/dx of relu for x = [0, 2]", wrong)
    wrong = {
        (3.0, 5.0): "at 0 the slope is 0 by convention, which is what np.sign says",
        (-3.0, 5.0): "at 0 the slope is 0 by convention, which is what np.sign says",
    }
    grade.close(grade.vjp(x.abs(), x, g), [0.0, 5.0], "dL/dx of abs for x = [0, 2]", wrong)


def test_the_ends_of_the_number_line():
    x = leaf([-1000.0, 1000.0])
    y = x.sigmoid()
    grade.close(y, [0.0, 1.0], "sigmoid of -1000 and 1000")
    wrong = {(math.nan, 0.0): "exp overflowed, and infinity over infinity is NaN: use y (1 - y)"}
    grade.close(grade.vjp(y, x, np.ones(2)), [0.0, 0.0], "dL/dx of sigmoid", wrong)
    grade.close(x.tanh(), [-1.0, 1.0], "tanh of -1000 and 1000")
    grade.close(grade.vjp(x.tanh(), x, np.ones(2)), [0.0, 0.0], "dL/dx of tanh")


def test_powers_with_a_base_of_zero():
    x = leaf([0.0, 2.0])
    g = np.ones(2)
    grade.close(x**2, [0.0, 4.0], "x ** 2")
    grade.close(grade.vjp(x**2, x, g), [0.0, 4.0], "dL/dx of x ** 2")
    wrong = {(math.nan, 0.0): "0 * 0 ** -1 is NaN: where the exponent is 0 the slope is 0"}
    grade.close(x**0, [1.0, 1.0], "x ** 0")
    grade.close(grade.vjp(x**0, x, g), [0.0, 0.0], "dL/dx of x ** 0", wrong)


def test_the_exponent_is_differentiated_too():
    a, b = leaf([0.0, 3.0]), leaf([2.0, 2.0])
    y = a**b
    wrong = {
        (math.nan, 9 * math.log(3)): "0 * log(0) is NaN: at a base of 0 the slope is 0",
        (0.0, 0.0): "the exponent has an edge of its own: dL/db = g a^b log(a)",
    }
    grade.close(grade.vjp(y, b, np.ones(2)), [0.0, 9 * math.log(3)], "dL/db of a ** b", wrong)
    grade.close(grade.vjp(y, a, np.ones(2)), [0.0, 6.0], "dL/da of a ** b")


def test_a_negative_exponent_over_a_base_of_zero():
    b = leaf([-1.0, 1.0])
    with np.errstate(divide="ignore", invalid="ignore"):
        found = grade.vjp(leaf([0.0, 0.0]) ** b, b, np.ones(2))
    wrong = {(0.0, 0.0): "0 ** b is infinite for b < 0, and falls without end on the way to b = 0"}
    grade.close(found, [-math.inf, 0.0], "dL/db of 0 ** b for b = [-1, 1]", wrong)


def test_an_exponent_over_a_base_of_zero():
    b = leaf([0.0, 0.5])
    y = leaf([0.0, 0.0]) ** b
    found = grade.vjp(y, b, np.ones(2))
    no_limit = "0 ** b is 1 at b = 0 and 0 above it: where the base is 0 the slope is 0"
    wrong = {(-math.inf, 0.0): no_limit, (-math.inf, math.nan): no_limit, (0.0, math.nan): no_limit}
    grade.close(found, [0.0, 0.0], "dL/db of 0 ** b for b = [0, 0.5]", wrong)


def test_powers_of_integers():
    x = Tensor(np.array([-2, 3]))
    grade.close(x ** Tensor(np.array([2, 2])), [4, 9], "[-2, 3] ** [2, 2] of integers")


def test_powers_broadcast():
    a, b = some((3, 1)), some((1, 4), seed=1)
    grade.vjps(lambda a, b: a**b, a, b, what="a ** b for shapes (3, 1) and (1, 4)")


def test_numbers_and_arrays_on_the_left_of_a_power():
    x = leaf([1.0, 2.0])
    y = 2**x
    grade.close(y, [2.0, 4.0], "2 ** x", {(1.0, 4.0): "__rpow__ is other ** self"})
    grade.close(grade.vjp(y, x, np.ones(2)), [2 * math.log(2), 4 * math.log(2)], "dL/dx of 2 ** x")
    grade.close(np.array([2.0, 3.0]) ** x, [2.0, 9.0], "ndarray ** x")


def test_clip_stops_what_is_outside():
    x = leaf([-1.0, 0.5, 3.0])
    y = x.clip(0.0, 1.0)
    grade.close(y, [0.0, 0.5, 1.0], "x.clip(0, 1)")
    wrong = {(1.0, 1.0, 1.0): "what was cut off does not move the result"}
    grade.close(grade.vjp(y, x, np.ones(3)), [0.0, 1.0, 0.0], "dL/dx of clip", wrong)
    grade.close(x.clip(high=1.0), [-1.0, 0.5, 1.0], "x.clip(high=1)")
    grade.close(x.clip(low=1.0), [1.0, 1.0, 3.0], "x.clip(low=1)")


def test_a_bound_of_clip_lies_within():
    x = leaf([0.0, 1.0, 2.0])
    found = grade.vjp(x.clip(0.0, 1.0), x, np.array([3.0, 5.0, 7.0]))
    wrong = {
        (0.0, 0.0, 0.0): "the bounds are within: low <= x <= high",
        (0.0, 5.0, 0.0): "the lower bound is within: low <= x",
        (3.0, 0.0, 0.0): "the upper bound is within: x <= high",
    }
    grade.close(found, [3.0, 5.0, 0.0], "dL/dx of x.clip(0, 1) for x = [0, 1, 2]", wrong)


def test_bounds_that_nothing_lies_between_are_refused():
    x = leaf([0.0, 1.0])
    why = "check_bounds knows: call it first"
    grade.raises(lambda: x.clip(2.0, 1.0), "x.clip(2, 1)", why)


def test_relu_lets_nan_through():
    grade.close(leaf([math.nan]).relu(), [math.nan], "relu of NaN")


def test_relu_of_minus_infinity():
    wrong = {math.nan: "-inf times 0 is NaN: take the larger of x and 0"}
    with np.errstate(invalid="ignore"):
        grade.close(leaf(-math.inf).relu(), 0.0, "relu of -inf", wrong)


@pytest.mark.parametrize(
    ("call", "f"), [("x.relu()", lambda x: x.relu()), ("x.clip(0, 2)", lambda x: x.clip(0, 2))]
)
def test_an_infinite_gradient_stops_at_a_mask(call, f):
    x = leaf([-1.0, 1.0])
    wrong = {(math.nan, 1.0): "infinity times 0 is NaN: choose with np.where, do not multiply"}
    with np.errstate(invalid="ignore"):
        found = grade.vjp(f(x), x, np.array([math.inf, 1.0]))
    grade.close(found, [0.0, 1.0], f"dL/dx of {call} for x = [-1, 1] and g = [inf, 1]", wrong)
