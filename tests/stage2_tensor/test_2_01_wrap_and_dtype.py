"""Exercise 2.1: what becomes of data, and of the constant that meets a Tensor."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor

pytestmark = exercise("2.1")


def dtype_is(x, name, what, why):
    """The dtype has this name."""
    grade.true(str(x.dtype) == name, f"the dtype of {what} is {name}; it is {x.dtype}", why)


def test_numbers_and_lists_become_float32():
    why = "NumPy would take float64 or int64: nobody chose a dtype here, so it is float32"
    dtype_is(Tensor(2.0), "float32", "Tensor(2.0)", why)
    dtype_is(Tensor([1, 2, 3]), "float32", "Tensor([1, 2, 3])", why)
    grade.close(Tensor([[1, 2], [3, 4]]), [[1, 2], [3, 4]], "Tensor([[1, 2], [3, 4]]).data")


def test_arrays_keep_their_dtype():
    why = "an array has a dtype that somebody chose: keep it"
    dtype_is(Tensor(np.zeros(2)), "float64", "Tensor(np.zeros(2))", why)
    dtype_is(Tensor(np.array([1, 2])), "int64", "Tensor(np.array([1, 2]))", why)
    dtype_is(Tensor(np.array([True])), "bool", "Tensor(np.array([True]))", why)
    dtype_is(Tensor(np.float64(2)), "float64", "Tensor(np.float64(2))", why)


def test_a_dtype_that_is_asked_for():
    why = "the argument dtype decides"
    dtype_is(Tensor([1, 2], dtype=np.float64), "float64", "Tensor([1, 2], dtype=np.float64)", why)
    x = np.zeros(2, np.float64)
    dtype_is(Tensor(x, dtype=np.float32), "float32", "Tensor(float64 array, dtype=float32)", why)


def test_a_single_number_has_no_axes():
    x = Tensor(3.0)
    grade.close(np.array(x.shape), np.zeros(0), "Tensor(3.0).shape")
    grade.true(
        isinstance(x.data, np.ndarray),
        "the data of Tensor(3.0) is an ndarray",
        "np.asarray gives an array of shape (), not a number",
    )


def test_what_is_no_number_is_refused():
    why = "look at the kind of the dtype: f, i, u and b are numbers"
    grade.raises(lambda: Tensor(np.array(["a", "b"])), "a Tensor of text", why)
    grade.raises(lambda: Tensor(np.array([1j])), "a Tensor of complex numbers", why)


def test_integers_want_no_gradient():
    why = "integers cannot move a little: requires_grad=True on them is an error"
    grade.raises(lambda: Tensor(np.array([1, 2]), requires_grad=True), "an int64 leaf", why)


def test_a_constant_takes_the_dtype_of_its_partner():
    x = Tensor(np.zeros(2, np.float32))
    why = "np.asarray(2.0) is float64 and pulls the result up: make it with self.dtype"
    dtype_is(x.operand(2.0), "float32", "the operand 2.0 of a float32 Tensor", why)
    dtype_is(x.operand([1, 2]), "float32", "the operand [1, 2] of a float32 Tensor", why)
    dtype_is(x.operand(np.ones(2)), "float32", "a float64 array with a float32 Tensor", why)
    x = Tensor(np.zeros(2, np.float64))
    dtype_is(x.operand(2.0), "float64", "the operand 2.0 of a float64 Tensor", why)


def test_a_fraction_beside_integers_stays_a_fraction():
    x = Tensor(np.array([1, 2]))
    half = x.operand(0.5)
    grade.close(half, 0.5, "the operand 0.5 of an int64 Tensor", {0.0: "0.5 as int64 is 0"})


@pytest.mark.parametrize("other", [None, "3", 1j], ids=repr)
def test_an_operand_that_is_no_number_is_refused(other):
    x, whole = Tensor([1.0, 2.0]), Tensor(np.array([1, 2]))
    why = "np.asarray makes NaN of None and 3 of a text, if it is given a dtype: use real_array"
    grade.raises(lambda: x.operand(other), f"the operand {other!r} of a float32 Tensor", why)
    grade.raises(lambda: whole.operand(other), f"the operand {other!r} of an int64 Tensor", why)


def test_a_tensor_stays_the_tensor_that_it_is():
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    grade.true(x.operand(y) is y, "x.operand(y) is y", "a copy would cut the graph")
