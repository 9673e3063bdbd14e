"""Exercise 2.3: the way back of a copy is a sum."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import unbroadcast

pytestmark = exercise("2.3")

MEAN = "the mean, or one of them: every copy moved a result of its own, so sum them"


def test_nothing_was_copied():
    g = np.array([[1.0, 2.0], [3.0, 4.0]])
    grade.close(unbroadcast(g, (2, 2)), g, "unbroadcast(g, (2, 2)) for g of that shape")


def test_a_stretched_axis():
    g = np.ones((3, 4))
    wrong = {((1.0,), (1.0,), (1.0,)): MEAN}
    grade.close(
        unbroadcast(g, (3, 1)), np.full((3, 1), 4.0), "unbroadcast(ones (3, 4), (3, 1))", wrong
    )
    grade.close(unbroadcast(g, (1, 4)), np.full((1, 4), 3.0), "unbroadcast(ones (3, 4), (1, 4))")


def test_two_stretched_axes():
    g = np.ones((3, 4))
    grade.close(unbroadcast(g, (1, 1)), [[12.0]], "unbroadcast(ones (3, 4), (1, 1))")


def test_an_axis_put_in_front():
    g = np.ones((2, 3, 4))
    wrong = {(1.0, 1.0, 1.0, 1.0): MEAN, 24.0: "summed over all axes: the last one was not copied"}
    grade.close(unbroadcast(g, (4,)), np.full(4, 6.0), "unbroadcast(ones (2, 3, 4), (4,))", wrong)


def test_both_kinds_at_once():
    g = np.ones((2, 4, 3))
    grade.close(unbroadcast(g, (1, 3)), np.full((1, 3), 8.0), "unbroadcast(ones (2, 4, 3), (1, 3))")


def test_a_stretched_axis_between_others():
    g = np.arange(12.0).reshape(2, 3, 2)
    want = [[[6, 9]], [[24, 27]]]
    grade.close(unbroadcast(g, (2, 1, 2)), want, "unbroadcast(0..11 as (2, 3, 2), (2, 1, 2))")


def test_an_axis_of_size_0():
    g = np.ones((0, 3))
    none = "nothing was summed: an axis of size 0 was copied as well as any other"
    grade.close(unbroadcast(g, (3,)), np.zeros(3), "unbroadcast(ones (0, 3), (3,))", {1.0: none})
    grade.close(unbroadcast(g, (1, 3)), np.zeros((1, 3)), "unbroadcast(ones (0, 3), (1, 3))")
    grade.close(unbroadcast(g, (0, 1)), np.zeros((0, 1)), "unbroadcast(ones (0, 3), (0, 1))")


def test_down_to_a_single_number():
    g = np.ones((2, 3))
    grade.close(unbroadcast(g, ()), 6.0, "unbroadcast(ones (2, 3), ())")


def test_a_front_axis_of_size_1():
    g = np.ones((1, 3, 4))
    grade.close(unbroadcast(g, (3, 4)), np.ones((3, 4)), "unbroadcast(ones (1, 3, 4), (3, 4))")


def test_numbers_that_differ():
    g = np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]])
    wrong = {((3.0,), (30.0,)): "this takes the last number, or the largest: sum them"}
    grade.close(unbroadcast(g, (2, 1)), [[6.0], [60.0]], "unbroadcast(g, (2, 1))", wrong)
    grade.close(unbroadcast(g, (3,)), [11.0, 22.0, 33.0], "unbroadcast(g, (3,))")


@pytest.mark.parametrize("shape", [(2,), (3, 2), (2, 3, 1), (5, 2, 3)])
def test_a_shape_that_does_not_fit_is_refused(shape):
    g = np.ones((2, 3))
    why = "no copying makes (2, 3) of it: compare the sizes from the right first"
    grade.raises(lambda: unbroadcast(g, shape), f"unbroadcast(ones (2, 3), {shape})", why)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_dtype_stays(dtype):
    g = np.ones((2, 3), dtype)
    found = unbroadcast(g, (3,)).dtype
    grade.true(found == dtype, f"the dtype is {np.dtype(dtype)}; it is {found}", "keep the dtype")
