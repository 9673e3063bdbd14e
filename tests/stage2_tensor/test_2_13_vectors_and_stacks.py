"""Exercise 2.13: @ for vectors, matrices, and stacks of matrices."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor

pytestmark = exercise("2.13")

SHAPES = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((5, 2, 3), (3,)),
    ((3,), (5, 3, 2)),
    ((2, 3), (5, 3, 2)),
    ((5, 2, 3), (5, 3, 2)),
    ((2, 1, 3, 4), (5, 4, 2)),
]


def leaf(data):
    """A float64 Tensor that wants a gradient."""
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def some(shape, seed=0):
    """A leaf of random numbers."""
    return leaf(np.random.default_rng(seed).standard_normal(shape))


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_values_are_those_of_numpy(shapes):
    a, b = some(shapes[0]), some(shapes[1], seed=1)
    grade.close(a @ b, a.data @ b.data, f"a @ b for shapes {shapes[0]} and {shapes[1]}")


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_vjps(shapes):
    a, b = some(shapes[0]), some(shapes[1], seed=1)
    grade.vjps(lambda a, b: a @ b, a, b, what=f"a @ b for shapes {shapes[0]} and {shapes[1]}")


def test_a_square_matrix_and_a_vector():
    A, b = leaf([[1, 2], [3, 4]]), leaf([1, -1])
    y = A @ b
    g = np.array([1.0, 10.0])
    wrong = {((1.0, -10.0), (1.0, -10.0)): "rows and columns are exchanged: g is a column here"}
    grade.close(grade.vjp(y, A, g), [[1, -1], [10, -10]], "dL/dA for g = [1, 10]", wrong)
    grade.close(grade.vjp(y, b, g), [31, 42], "dL/db for g = [1, 10]", {(21.0, 43.0): "A, not A^T"})


def test_two_vectors():
    a, b = leaf([1, 2, 3]), leaf([4, 5, 6])
    y = a @ b
    grade.close(y, 32.0, "[1, 2, 3] @ [4, 5, 6]")
    grade.close(grade.vjp(y, a, np.array(1.0)), [4, 5, 6], "dL/da")
    grade.close(grade.vjp(y, b, np.array(1.0)), [1, 2, 3], "dL/db")


def test_a_weight_shared_by_a_stack():
    A, W = leaf(np.arange(24).reshape(2, 3, 4)), leaf(np.zeros((4, 5)))
    y = A @ W
    want = np.repeat([[60.0], [66.0], [72.0], [78.0]], 5, axis=1)
    first = np.repeat([[12.0], [15.0], [18.0], [21.0]], 5, axis=1)
    wrong = [(first, "the first of the stack alone: W is shared, so sum over all of the stack")]
    grade.close(grade.vjp(y, W, np.ones((2, 3, 5))), want, "dL/dW for g = 1", wrong)


def test_a_stack_that_is_copied():
    a, b = leaf(np.arange(8).reshape(2, 1, 2, 2)), leaf(np.ones((1, 2, 2)))
    y = a @ b
    copied = "b was copied along the stack: every copy has a gradient, and b gets their sum"
    wrong = {(((2, 2), (4, 4)),): copied, (((6, 6), (8, 8)),): copied}
    found = grade.vjp(y, b, np.ones((2, 1, 2, 2)))
    grade.close(found, [[[12, 12], [16, 16]]], "dL/db for g = 1, (2, 1, 2, 2) @ (1, 2, 2)", wrong)


def test_only_the_last_two_axes_are_transposed():
    x, y = leaf(np.arange(8).reshape(2, 2, 2)), leaf(np.arange(8, 16).reshape(2, 2, 2))
    z = x @ y
    want = [[[17, 21], [17, 21]], [[25, 29], [25, 29]]]
    wrong = {
        (
            ((18.0, 26.0), (18.0, 26.0)),
            ((20.0, 28.0), (20.0, 28.0)),
        ): "all axes were reversed by .T: use swapaxes(-1, -2)"
    }
    grade.close(grade.vjp(z, x, np.ones((2, 2, 2))), want, "dL/dx for g = 1", wrong)


@pytest.mark.parametrize(
    "shapes", [((2, 3, 0), (0, 4)), ((2, 3, 4), (4, 0)), ((0, 3, 4), (4, 2))], ids=str
)
def test_axes_of_size_0(shapes):
    a, b = some(shapes[0]), some(shapes[1], seed=1)
    y = a @ b
    call = f"a @ b for shapes {shapes[0]} and {shapes[1]}"
    grade.close(y, a.data @ b.data, call)
    grade.close(grade.vjp(y, a, np.ones(y.shape)), np.zeros(a.shape), f"dL/da of {call}")
    grade.close(grade.vjp(y, b, np.ones(y.shape)), np.zeros(b.shape), f"dL/db of {call}")


def test_arrays_on_the_right():
    x = leaf([1.0, 2.0])
    y = x @ np.array([[0.0, 1.0], [1.0, 3.0]])
    grade.close(y, [2.0, 7.0], "x @ ndarray")
    grade.close(grade.vjp(y, x, np.array([1.0, 10.0])), [10.0, 31.0], "dL/dx")
    why = "an array that meets a Tensor takes its dtype: use operand"
    half = Tensor(np.ones(2, np.float32)) @ np.ones(2)
    grade.true(half.dtype == np.float32, f"x @ ndarray is float32; it is {half.dtype}", why)


def test_arrays_on_the_left():
    x = leaf([1.0, 2.0])
    y = np.array([[0.0, 1.0], [1.0, 0.0]]) @ x
    grade.true(isinstance(y, Tensor), "ndarray @ Tensor is a Tensor", "rmatmul makes it one")
    grade.close(y, [2.0, 1.0], "ndarray @ x")
    grade.close(grade.vjp(y, x, np.array([1.0, 10.0])), [10.0, 1.0], "dL/dx")


@pytest.mark.parametrize(
    "shapes", [((2, 3), (2, 3)), ((3,), (2,)), ((), (3,)), ((2, 2, 3), (5, 3, 2))], ids=str
)
def test_shapes_that_do_not_fit_are_refused(shapes):
    a, b = some(shapes[0]), some(shapes[1])
    why = "check_matmul knows: call it first"
    grade.raises(lambda: a @ b, f"a @ b for shapes {shapes[0]} and {shapes[1]}", why)


def test_float32_stays_float32():
    x = Tensor(np.ones((2, 3, 4), np.float32), requires_grad=True)
    w = Tensor(np.ones((4, 5), np.float32), requires_grad=True)
    y = x @ w
    grade.true(y.dtype == np.float32, f"x @ w is float32; it is {y.dtype}", "keep the dtype")
