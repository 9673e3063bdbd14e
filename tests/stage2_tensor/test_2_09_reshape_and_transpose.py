"""Exercise 2.9: numbers that move without changing."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor

pytestmark = exercise("2.9")

MOVES = {
    "x.reshape(6, 4)": lambda x: x.reshape(6, 4),
    "x.reshape((4, -1))": lambda x: x.reshape((4, -1)),
    "x.transpose()": lambda x: x.transpose(),
    "x.transpose(1, 2, 0)": lambda x: x.transpose(1, 2, 0),
    "x.transpose((2, 0, 1))": lambda x: x.transpose((2, 0, 1)),
    "x.transpose(-1, 0, -2)": lambda x: x.transpose(-1, 0, -2),
    "x.transpose(-2, 2, 0)": lambda x: x.transpose(-2, 2, 0),
    "x.swapaxes(0, -1)": lambda x: x.swapaxes(0, -1),
    "x.swapaxes(1, 2)": lambda x: x.swapaxes(1, 2),
}


WAYS = [  # the wrong way back, and why it was gone
    ("x.transpose(1, 2, 0)", (1, 2, 0), "the same permutation again: np.argsort(axes) undoes it"),
    ("x.transpose(-2, 2, 0)", (0, 2, 1), "count negative axes from the front before np.argsort"),
]


def leaf(data):
    """A float64 Tensor that wants a gradient."""
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def numbered(*shape):
    """A leaf with the numbers 0, 1, 2, ..."""
    return leaf(np.arange(np.prod(shape)).reshape(shape))


@pytest.mark.parametrize("call", MOVES)
def test_values_are_those_of_numpy(call):
    x = numbered(2, 3, 4)
    grade.close(MOVES[call](x), MOVES[call](x.data), f"{call} for shape (2, 3, 4)")


@pytest.mark.parametrize("call", MOVES)
def test_the_gradient_finds_the_way_back(call):
    x = numbered(2, 3, 4)
    y = MOVES[call](x)
    g = np.array(y.data)  # each element's gradient is its own number
    found = grade.vjp(y, x, g)
    wrong = [(g.transpose(axes), why) for name, axes, why in WAYS if name == call]
    grade.close(found, x.data, f"dL/dx of {call}, where g is y itself", wrong)


def test_unsqueeze():
    x = numbered(2, 3)
    last = {(2, 3, 1): "the new axis stands at `axis`, not always at the end"}
    grade.close(np.array(x.unsqueeze(0).shape), [1, 2, 3], "x.unsqueeze(0).shape", last)
    grade.close(np.array(x.unsqueeze(1).shape), [2, 1, 3], "x.unsqueeze(1).shape")
    grade.close(np.array(x.unsqueeze(-1).shape), [2, 3, 1], "x.unsqueeze(-1).shape")
    y = x.unsqueeze(1)
    grade.close(grade.vjp(y, x, np.array(y.data)), x.data, "dL/dx of x.unsqueeze(1)")


def test_unsqueeze_beside_an_axis_of_size_1():
    x = numbered(1, 3)
    y = x.unsqueeze(0)
    grade.close(grade.vjp(y, x, np.array(y.data)), x.data, "dL/dx of x.unsqueeze(0) for (1, 3)")


def test_broadcast_to_sums_on_the_way_back():
    x = leaf([1.0, 2.0, 3.0])
    y = x.broadcast_to(4, 3)
    grade.close(y, np.tile([1.0, 2.0, 3.0], (4, 1)), "x.broadcast_to(4, 3)")
    wrong = {(1.0, 1.0, 1.0): "a mean of the copies, or one of them: they must be summed"}
    grade.close(grade.vjp(y, x, np.ones((4, 3))), [4.0, 4.0, 4.0], "dL/dx for g = 1", wrong)
    g = np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]])
    wrong = {(2.0, 2.0, 2.0): "g is missing: each copy passes its own gradient on"}
    y = x.broadcast_to(2, 3)
    grade.close(grade.vjp(y, x, g), [11.0, 22.0, 33.0], "dL/dx of x.broadcast_to(2, 3)", wrong)
    x = leaf([[1.0], [2.0]])
    y = x.broadcast_to((3, 2, 2))
    grade.close(grade.vjp(y, x, np.ones((3, 2, 2))), [[6.0], [6.0]], "dL/dx for g = 1")
    why = "axes must be equal or 1, from the right"
    grade.raises(lambda: x.broadcast_to(2, 3, 3), "(2, 1) broadcast to (2, 3, 3)", why)


def test_reshape_reads_a_transposed_tensor_in_reading_order():
    x = numbered(2, 3)
    y = x.T.reshape(6)
    memory = {(0, 1, 2, 3, 4, 5): "reshape reads row by row, whatever the order in memory is"}
    grade.close(y, [0, 3, 1, 4, 2, 5], "x.T.reshape(6)", memory)
    found = grade.vjp(y, x, np.arange(6.0))
    grade.close(found, [[0, 2, 4], [1, 3, 5]], "dL/dx of x.T.reshape(6) for g = 0..5")


def test_a_single_number_and_nothing():
    x = leaf(5.0)
    grade.close(x.reshape(1, 1), [[5.0]], "Tensor(5).reshape(1, 1)")
    grade.close(x.transpose(), 5.0, "Tensor(5).transpose()")
    empty = leaf(np.zeros((0, 3)))
    grade.close(np.array(empty.reshape(3, 0).shape), [3, 0], "an empty (0, 3) as (3, 0)")


@pytest.mark.parametrize("shape", [(5,), (-1, -1), (4, 2), (-1, 4)], ids=str)
def test_shapes_of_another_size_are_refused(shape):
    x = numbered(2, 3)
    why = "the number of elements must stay; at most one size may be -1"
    grade.raises(lambda: x.reshape(shape), f"x.reshape{shape} for shape (2, 3)", why)


@pytest.mark.parametrize("axes", [(0,), (0, 0), (0, 2), (0, 1, 2)], ids=str)
def test_axes_that_are_no_permutation_are_refused(axes):
    x = numbered(2, 3)
    why = "every axis must be named once"
    grade.raises(lambda: x.transpose(*axes), f"x.transpose{axes} for shape (2, 3)", why)
