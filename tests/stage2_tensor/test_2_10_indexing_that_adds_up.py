"""Exercise 2.10: picked twice means received twice."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor

pytestmark = exercise("2.10")

LAST_ONLY = "an element that was picked twice receives twice: whole[index] += g keeps one of them"
INDICES = {
    "x[1]": lambda x: x[1],
    "x[-1, 0]": lambda x: x[-1, 0],
    "x[0, 1, 2]": lambda x: x[0, 1, 2],
    "x[:, 1:]": lambda x: x[:, 1:],
    "x[..., ::-1]": lambda x: x[..., ::-1],
    "x[None, :, 0]": lambda x: x[None, :, 0],
    "x[[1, 0, 1]]": lambda x: x[[1, 0, 1]],
    "x[:, [2, 2, 0]]": lambda x: x[:, [2, 2, 0]],
    "x[[0, 0, 1], [2, 2, 0]]": lambda x: x[[0, 0, 1], [2, 2, 0]],
    "x[..., [3, 3]]": lambda x: x[..., [3, 3]],
    "x[np.array([[0, 1], [1, 1]])]": lambda x: x[np.array([[0, 1], [1, 1]])],
}


def leaf(data):
    """A float64 Tensor that wants a gradient."""
    return Tensor(np.array(data, dtype=float), requires_grad=True)


@pytest.mark.parametrize("call", INDICES)
def test_values_are_those_of_numpy(call):
    x = leaf(np.arange(24).reshape(2, 3, 4))
    grade.close(INDICES[call](x), INDICES[call](x.data), f"{call} for shape (2, 3, 4)")


@pytest.mark.parametrize("call", INDICES)
def test_vjps(call):
    x = leaf(np.arange(24).reshape(2, 3, 4))
    grade.vjps(INDICES[call], x, what=f"{call} for shape (2, 3, 4)")


def test_one_element():
    x = leaf([1.0, 2.0, 3.0])
    found = grade.vjp(x[1], x, np.array(1.0))
    wrong = {1.0: "the gradient has the shape of the piece: put it into zeros of the whole shape"}
    grade.close(found, [0.0, 1.0, 0.0], "dL/dx of x[1]", wrong)


def test_an_element_picked_twice():
    x = leaf([1.0, 2.0, 3.0])
    y = x[[0, 0, 2]]
    found = grade.vjp(y, x, np.ones(3))
    grade.close(found, [2.0, 0.0, 1.0], "dL/dx of x[[0, 0, 2]]", {(1.0, 0.0, 1.0): LAST_ONLY})


def test_a_pair_picked_twice():
    x = leaf(np.zeros((2, 3)))
    y = x[[0, 0, 1], [2, 2, 0]]
    found = grade.vjp(y, x, np.ones(3))
    wrong = {((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)): LAST_ONLY}
    grade.close(found, [[0, 0, 2], [1, 0, 0]], "dL/dx of x[[0, 0, 1], [2, 2, 0]]", wrong)


def test_a_pair_picked_twice_that_came_as_tuples():
    x = leaf(np.zeros((2, 3)))
    rows, columns = zip((0, 1), (0, 1), (1, 2))
    y = x[rows, columns]
    found = grade.vjp(y, x, np.ones(3))
    wrong = {((0.0, 1.0, 0.0), (0.0, 0.0, 1.0)): LAST_ONLY}
    grade.close(found, [[0, 2, 0], [0, 0, 1]], "dL/dx of x[(0, 0, 1), (1, 1, 2)]", wrong)


def test_a_boolean_mask():
    x = leaf([1.0, -2.0, 3.0])
    y = x[x > 0]
    grade.close(y, [1.0, 3.0], "x[x > 0]")
    grade.close(grade.vjp(y, x, np.array([1.0, 10.0])), [1.0, 0.0, 10.0], "dL/dx of x[x > 0]")


def test_tensors_as_indices():
    x = leaf([1.0, 2.0, 3.0])
    ids = Tensor(np.array([2, 0]))
    grade.close(x[ids], [3.0, 1.0], "x[Tensor of integers]")
    mask = Tensor(np.array([True, False, True]))
    grade.close(x[mask], [1.0, 3.0], "x[Tensor of booleans]")


def test_an_index_that_is_too_large_is_refused():
    x = leaf([1.0, 2.0, 3.0])
    grade.raises(lambda: x[5], "x[5] for shape (3,)", "NumPy refuses it too: let its error through")


def test_take_picks_rows():
    x = leaf([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    ids = np.array([[0, 2], [2, 2]])
    y = x.take(ids)
    grade.close(y, x.data[ids], "x.take([[0, 2], [2, 2]])")
    found = grade.vjp(y, x, np.ones((2, 2, 2)))
    wrong = {((1.0, 1.0), (0.0, 0.0), (1.0, 1.0)): LAST_ONLY}
    grade.close(found, [[1, 1], [0, 0], [3, 3]], "dL/dx of it for g = 1", wrong)


def test_take_from_a_vector():
    x = leaf([10.0, 20.0, 30.0])
    y = x.take(np.array([2, 0, 2]))
    grade.close(y, [30.0, 10.0, 30.0], "[10, 20, 30].take([2, 0, 2])")
    found = grade.vjp(y, x, np.array([1.0, 10.0, 100.0]))
    wrong = {(10.0, 0.0, 100.0): LAST_ONLY, (10.0, 0.0, 1.0): LAST_ONLY}
    grade.close(found, [10.0, 0.0, 101.0], "dL/dx of it for g = [1, 10, 100]", wrong)


@pytest.mark.parametrize("rows", [5, 3000])
def test_take_from_small_and_large_tables(rows):
    rng = np.random.default_rng(0)
    x = leaf(rng.standard_normal((rows, 3)))
    ids = rng.choice([0, 1, rows - 1], (4, 6))  # many repeats
    g = rng.standard_normal((4, 6, 3))
    want = np.zeros((rows, 3))
    np.add.at(want, ids, g)
    grade.close(grade.vjp(x.take(ids), x, g), want, f"dL/dx of a take from {rows} rows")


def test_take_of_nothing():
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    y = x.take(np.zeros(0, int))
    grade.close(np.array(y.shape), [0, 2], "the shape of x.take([])")
    grade.close(grade.vjp(y, x, np.zeros((0, 2))), np.zeros((2, 2)), "dL/dx of it")


@pytest.mark.parametrize("ids", [[3], [-1], [0.5]], ids=str)
def test_ids_that_are_no_rows_are_refused(ids):
    x = leaf([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    why = "a negative or fractional id is a mistake in the data: check before picking"
    grade.raises(lambda: x.take(np.array(ids)), f"x.take({ids}) from 3 rows", why)


def test_float32_stays_float32():
    x = Tensor(np.ones((3, 2), np.float32), requires_grad=True)
    g = np.ones((2, 2), np.float32)
    for call, y in [("x[[0, 0]]", x[[0, 0]]), ("x.take", x.take(np.array([0, 0])))]:
        grade.true(y.dtype == np.float32, f"{call} is float32; it is {y.dtype}", "keep the dtype")
        grade.close(grade.vjp(y, x, g), [[2, 2], [0, 0], [0, 0]], f"dL/dx of {call}")
