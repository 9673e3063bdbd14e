"""Exercise 2.17 (bonus): sums of products, written by naming axes."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor, einsum

pytestmark = exercise("2.17")

FORMULAS = {
    "ij,jk->ik": [(2, 3), (3, 4)],
    "bij,bjk->bik": [(2, 3, 4), (2, 4, 2)],
    "i,i->": [(3,), (3,)],
    "i,j->ij": [(2,), (3,)],
    "ij->ji": [(2, 3)],
    "ij->": [(2, 3)],
    "ij->i": [(2, 3)],
    "ij,k->j": [(2, 3), (4,)],
    "ab,bc,cd->ad": [(2, 3), (3, 2), (2, 4)],
    "bhtd,bhsd->bhts": [(1, 2, 3, 2), (1, 2, 4, 2)],
}


def leaf(data):
    """A float64 Tensor that wants a gradient."""
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def some(shapes):
    """One leaf of random numbers per shape."""
    rng = np.random.default_rng(0)
    return [leaf(rng.standard_normal(shape)) for shape in shapes]


@pytest.mark.parametrize("formula", FORMULAS)
def test_values_are_those_of_numpy(formula):
    tensors = some(FORMULAS[formula])
    y = einsum(formula, *tensors)
    grade.close(y, np.einsum(formula, *[t.data for t in tensors]), f'einsum("{formula}")')


@pytest.mark.parametrize("formula", FORMULAS)
def test_vjps(formula):
    tensors = some(FORMULAS[formula])
    grade.vjps(lambda *ts: einsum(formula, *ts), *tensors, what=f'einsum("{formula}")')


def test_the_same_tensor_twice():
    (x,) = some([(3,)])
    y = einsum("i,i->", x, x)
    grade.close(grade.vjp(y, x, np.array(1.0)), 2 * x.data, "dL/dx of the square of x")


@pytest.mark.parametrize("formula", ["ij,jk", "ii->i", "ij->ik", "ijk->i", "ij,jk->iik"])
def test_formulas_that_say_nothing_are_refused(formula):
    tensors = some([(2, 2), (2, 2)][: formula.count(",") + 1])
    grade.raises(lambda: einsum(formula, *tensors), f'einsum("{formula}")', "parse knows: call it")
