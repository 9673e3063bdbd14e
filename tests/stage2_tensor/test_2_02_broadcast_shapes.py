"""Exercise 2.2: the shape that several arrays have in common."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import broadcast_shapes

pytestmark = exercise("2.2")


def test_a_column_and_a_row():
    shape = broadcast_shapes((3, 1), (1, 4))
    grade.close(shape, (3, 4), "broadcast_shapes((3, 1), (1, 4))")


def test_a_shape_is_a_tuple():
    shape = broadcast_shapes((3, 1), (1, 4))
    why = "shapes are compared with ==, and a list never equals a tuple: return tuple(...)"
    grade.true(isinstance(shape, tuple), "the result is a tuple", why)


def test_shapes_are_aligned_on_the_right():
    shape = broadcast_shapes((2, 3, 4), (3, 4))
    grade.close(shape, (2, 3, 4), "broadcast_shapes((2, 3, 4), (3, 4))")
    shape = broadcast_shapes((1, 3), (1, 3))
    lost = {(3,): "an axis of size 1 in every shape stays, with size 1"}
    grade.close(shape, (1, 3), "broadcast_shapes((1, 3), (1, 3))", lost)
    shape = broadcast_shapes((4,), (3, 1))
    grade.close(shape, (3, 4), "broadcast_shapes((4,), (3, 1))")


def test_a_single_number_fits_everything():
    grade.close(broadcast_shapes((), (2, 3)), (2, 3), "broadcast_shapes((), (2, 3))")
    grade.close(np.array(broadcast_shapes((), ())), np.zeros(0), "broadcast_shapes((), ())")


def test_an_empty_axis():
    wrong = {(1, 3): "an axis of size 0 beside one of size 1 has size 0"}
    grade.close(broadcast_shapes((0, 3), (1, 3)), (0, 3), "broadcast_shapes((0, 3), (1, 3))", wrong)
    wrong = {(1,): "the larger of 0 and 1 is 1, but the axis is empty"}
    grade.close(broadcast_shapes((0,), (1,)), (0,), "broadcast_shapes((0,), (1,))", wrong)


def test_one_shape_and_three():
    grade.close(broadcast_shapes((2, 3)), (2, 3), "broadcast_shapes((2, 3))")
    shape = broadcast_shapes((5, 1, 1), (4, 1), (3,))
    grade.close(shape, (5, 4, 3), "broadcast_shapes((5, 1, 1), (4, 1), (3,))")


@pytest.mark.parametrize(
    "shapes", [((3,), (4,)), ((2, 3), (2,)), ((0,), (2,)), ((2, 1), (3, 2, 4), (5, 1))]
)
def test_sizes_that_differ_are_refused(shapes):
    why = "two sizes fit if they are equal or one of them is 1"
    grade.raises(lambda: broadcast_shapes(*shapes), f"broadcast_shapes{shapes}", why)
