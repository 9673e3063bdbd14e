"""Exercise 2.12: the product of two matrices."""

import numpy as np

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage2_tensor.matmul import matmul_2d

pytestmark = exercise("2.12")


def leaf(data):
    """A float64 Tensor that wants a gradient."""
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def test_the_product():
    a = leaf([[1, 2], [3, 4], [5, 6]])
    b = leaf([[1, 10], [100, 1000]])
    y = matmul_2d(a, b)
    grade.close(y, [[201, 2010], [403, 4030], [605, 6050]], "matmul_2d(a, b)")


def test_the_gradients_by_hand():
    a = leaf([[1, 2], [3, 4], [5, 6]])
    b = leaf([[1, 10], [100, 1000]])
    g = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    y = matmul_2d(a, b)
    wrong = {
        ((1, 3, 5), (0, 0, 0), (2, 4, 6)): "g a^T: the slope by a is made of b",
        ((1, 5), (2, 6)): "this is dL/db: the two are exchanged",
    }
    grade.close(grade.vjp(y, a, g), [[1, 100], [0, 0], [10, 1000]], "dL/da", wrong)
    wrong = {
        ((1, 3, 5), (0, 0, 0), (2, 4, 6)): "g a^T: exchange the two factors, a^T stands first",
        ((1, 2), (5, 6)): "g^T a: exchange the two factors and transpose a, which stands first",
        ((1, 100), (0, 0), (10, 1000)): "this is dL/da: the two are exchanged",
    }
    grade.close(grade.vjp(y, b, g), [[1, 5], [2, 6]], "dL/db", wrong)


def test_square_matrices_hide_no_transposition():
    a, b = leaf([[1, 2], [3, 4]]), leaf([[5, 6], [7, 8]])
    g = np.array([[1.0, 10.0], [100.0, 1000.0]])
    y = matmul_2d(a, b)
    wrong = {
        ((75, 86), (7500, 8600)): "g b: the other matrix must be transposed",
        ((705, 7050), (806, 8060)): "b^T g: exchange the two factors, g stands first",
        ((5, 60), (700, 8000)): "an elementwise product: the matrix product is @",
    }
    grade.close(grade.vjp(y, a, g), [[65, 87], [6500, 8700]], "dL/da", wrong)
    wrong = {
        ((201, 2010), (403, 4030)): "a g: the other matrix must be transposed",
        ((21, 43), (2100, 4300)): "g a^T: exchange the two factors, a^T stands first",
    }
    grade.close(grade.vjp(y, b, g), [[301, 3010], [402, 4020]], "dL/db", wrong)


def test_against_measured_slopes():
    rng = np.random.default_rng(0)
    a, b = leaf(rng.standard_normal((2, 3))), leaf(rng.standard_normal((3, 4)))
    grade.vjps(matmul_2d, a, b, what="matmul_2d for (2, 3) and (3, 4)")


def test_the_same_matrix_on_both_sides():
    a = leaf([[1, 2], [3, 4]])
    y = matmul_2d(a, a)
    one = "a stands on both sides: each has an edge of its own, and a gets the sum"
    wrong = {((3, 7), (3, 7)): one, ((4, 4), (6, 6)): one}
    want = [[7, 11], [9, 13]]
    grade.close(grade.vjp(y, a, np.ones((2, 2))), want, "dL/da of a @ a for g = 1", wrong)


def test_empty_matrices():
    y = matmul_2d(leaf(np.zeros((2, 0))), leaf(np.zeros((0, 3))))
    grade.close(y, np.zeros((2, 3)), "(2, 0) @ (0, 3)")
