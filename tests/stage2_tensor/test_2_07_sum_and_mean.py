"""Exercise 2.7: many numbers made into one, and the way back."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor

pytestmark = exercise("2.7")

AXES = [None, 0, 1, -1, (0, 2), (0, -1), (-1, 0), (0, 1, 2)]


def leaf(data):
    """A float64 Tensor that wants a gradient."""
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def some(shape, seed=0):
    """A leaf of numbers between 0.5 and 2."""
    return leaf(np.random.default_rng(seed).uniform(0.5, 2, shape))


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", ["sum", "mean"])
def test_values_are_those_of_numpy(name, axis, keepdims):
    x = some((2, 3, 4))
    y = getattr(x, name)(axis=axis, keepdims=keepdims)
    want = getattr(x.data, name)(axis=axis, keepdims=keepdims)
    grade.close(y, want, f"x.{name}(axis={axis}, keepdims={keepdims}) for shape (2, 3, 4)")


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", ["sum", "mean"])
def test_vjps(name, axis, keepdims):
    what = f"x.{name}(axis={axis}, keepdims={keepdims}) for shape (2, 3, 4)"
    grade.vjps(lambda x: getattr(x, name)(axis=axis, keepdims=keepdims), some((2, 3, 4)), what=what)


def test_every_row_gets_its_own_gradient():
    x = leaf(np.ones((2, 3, 4)))
    y = x.sum(axis=(0, -1))
    found = grade.vjp(y, x, np.array([1.0, 10.0, 100.0]))
    want = np.ones((2, 3, 4)) * np.array([1.0, 10.0, 100.0])[:, None]
    grade.close(found, want, "dL/dx of x.sum(axis=(0, -1)) for g = [1, 10, 100]")


def test_a_mean_divides_by_what_was_reduced():
    x = leaf(np.ones((2, 3)))
    y = x.mean(axis=1)
    wrong = {tuple(map(tuple, np.full((2, 3), 1 / 6))): "3 numbers made each mean, not all 6"}
    grade.close(
        grade.vjp(y, x, np.ones(2)), np.full((2, 3), 1 / 3), "dL/dx of x.mean(axis=1)", wrong
    )


def test_a_single_number():
    x = leaf(3.0)
    grade.close(x.sum(), 3.0, "Tensor(3).sum()")
    grade.close(grade.vjp(x.sum(), x, np.array(1.0)), 1.0, "dL/dx of Tensor(3).sum()")
    grade.close(x.mean(), 3.0, "Tensor(3).mean()")


def test_an_empty_tensor():
    x = leaf(np.zeros((0, 3)))
    grade.close(x.sum(), 0.0, "the sum of nothing")
    grade.close(x.sum(axis=0), [0.0, 0.0, 0.0], "the sum over an empty axis")


def test_float32_stays_float32():
    x = Tensor(np.ones((2, 3), np.float32), requires_grad=True)
    found = [x.sum().dtype, x.mean().dtype]
    grade.true(found == [np.float32] * 2, f"sum and mean are float32; they are {found}", "dtype")


def test_the_mean_of_nothing_is_refused():
    x = leaf(np.zeros((0, 3)))
    why = "NumPy warns and gives NaN: check_some says what is missing, call it first"
    grade.raises(x.mean, "the mean of nothing", why, leaks=(Warning,))


@pytest.mark.parametrize("axis", [2, -3, (0, 0), (0, -2)], ids=str)
def test_axes_that_do_not_exist_or_repeat_are_refused(axis):
    x = some((2, 3))
    why = "reduced_axes checks that: call it first"
    grade.raises(lambda: x.sum(axis=axis), f"x.sum(axis={axis}) for shape (2, 3)", why)
