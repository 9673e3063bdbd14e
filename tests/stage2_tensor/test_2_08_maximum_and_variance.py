"""Exercise 2.8: max, min, var and std; ties share."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor

pytestmark = exercise("2.8")

AXES = [None, 0, -1, (0, 2)]


def leaf(data):
    """A float64 Tensor that wants a gradient."""
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def some(shape, seed=0):
    """A leaf of numbers between 0.5 and 2."""
    return leaf(np.random.default_rng(seed).uniform(0.5, 2, shape))


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", ["max", "min", "var", "std"])
def test_values_and_vjps(name, axis, keepdims):
    x = some((2, 3, 4))
    call = f"x.{name}(axis={axis}, keepdims={keepdims}) for shape (2, 3, 4)"
    y = getattr(x, name)(axis=axis, keepdims=keepdims)
    grade.close(y, getattr(x.data, name)(axis=axis, keepdims=keepdims), call)
    grade.vjps(lambda x: getattr(x, name)(axis=axis, keepdims=keepdims), x, what=call)


def test_tied_elements_share():
    x = leaf([2.0, 2.0, 1.0])
    found = grade.vjp(x.max(), x, np.array(1.0))
    grade.close(
        found.sum(),
        1.0,
        "the sum of dL/dx of max([2, 2, 1])",
        {
            2.0: "every tied element got all of it: divide by the number of ties",
            3.0: "every element got all of it: only the largest move the maximum",
        },
    )
    grade.close(found, [0.5, 0.5, 0.0], "dL/dx of max([2, 2, 1])")
    x = leaf([3.0, 1.0, 1.0])
    found = grade.vjp(x.min(), x, np.array(1.0))
    grade.close(found, [0.0, 0.5, 0.5], "dL/dx of min([3, 1, 1])")


def test_every_row_meets_its_own_maximum():
    x = leaf([[1.0, 5.0], [7.0, 2.0]])
    y = x.max(axis=1)
    found = grade.vjp(y, x, np.array([1.0, 10.0]))
    want = [[0.0, 1.0], [10.0, 0.0]]
    wrong = {((0.0, 10.0), (1.0, 0.0)): "g met the wrong rows: give back the reduced axis first"}
    grade.close(found, want, "dL/dx of x.max(axis=1) for g = [1, 10]", wrong)


@pytest.mark.parametrize("name", ["max", "min"])
def test_an_infinite_gradient_goes_to_the_chosen_element_alone(name):
    x = leaf([1.0, 2.0])
    with np.errstate(invalid="ignore"):
        found = grade.vjp(getattr(x, name)(), x, np.array(math.inf))
    want = [0.0, math.inf] if name == "max" else [math.inf, 0.0]
    why = "infinity times 0 is NaN: choose with np.where, do not multiply"
    wrong = {tuple(n or math.nan for n in want): why}
    grade.close(found, want, f"dL/dx of {name}([1, 2]) for g = inf", wrong)


def test_ties_per_row():
    x = leaf([[3.0, 3.0, 3.0], [1.0, 2.0, 2.0]])
    found = grade.vjp(x.max(axis=1), x, np.array([6.0, 6.0]))
    everywhere = "ties are counted along the axis, row by row, not over the whole array"
    wrong = {((2.4, 2.4, 2.4), (0.0, 2.4, 2.4)): everywhere}
    wrong[(6.0, 6.0, 6.0), (0.0, 6.0, 6.0)] = "equal elements share the gradient of their row"
    want = [[2.0, 2.0, 2.0], [0.0, 3.0, 3.0]]
    grade.close(found, want, "dL/dx of x.max(axis=1) for g = 6", wrong)


def test_the_variance_is_over_n_by_default():
    x = leaf([1.0, 2.0, 3.0, 4.0])
    grade.close(x.var(), 1.25, "x.var()", {5 / 3: "n - 1 is correction=1; the default is 0"})
    grade.close(x.var(correction=1), 5 / 3, "x.var(correction=1)", {1.25: "correction is ignored"})
    found = grade.vjp(x.var(correction=1), x, np.array(1.0))
    grade.close(found, np.array([-3.0, -1.0, 1.0, 3.0]) / 3, "dL/dx of x.var(correction=1)")


def test_a_single_number():
    x = leaf(3.0)
    grade.close(grade.vjp(x.max(), x, np.array(1.0)), 1.0, "dL/dx of Tensor(3).max()")
    grade.close(x.var(), 0.0, "Tensor(3).var()")


def test_the_maximum_of_nothing_is_refused():
    x = leaf(np.zeros((0, 3)))
    grade.raises(x.max, "the maximum of an empty Tensor", "there is nothing to choose from")
    grade.close(
        np.array(leaf(np.zeros((3, 0))).max(axis=0).shape), [0], "max over axis 0 of (3, 0)"
    )


def test_the_variance_of_too_few_numbers_is_refused():
    why = "NumPy divides by 0 with a warning: check_some knows the correction, call it first"
    nothing, one = leaf(np.zeros((0, 3))), leaf([5.0])
    grade.raises(nothing.var, "the variance of nothing", why, leaks=(Warning,))
    call = "the variance of [5] with correction=1"
    grade.raises(lambda: one.var(correction=1), call, why, leaks=(Warning,))


@pytest.mark.parametrize("name", ["max", "min", "var", "std"])
def test_float32_stays_float32(name):
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3), requires_grad=True)
    y = getattr(x, name)(axis=1)
    grade.true(y.dtype == np.float32, f"x.{name}() is float32; it is {y.dtype}", "keep the dtype")
