"""Exercise 1.3: + - * and their reflected forms, and the partials they store."""

import numpy as np

from course import grade
from course.grade import exercise
from stage1_autodiff import Value

pytestmark = exercise("1.3")

NO_EDGE = "it does not lead back to its operands: hand parents and partials to a new Value(...)"


def test_a_sum():
    a, b = Value(2.0), Value(-5.0)
    y = a + b
    grade.close(y, -3.0, "(a + b).data")
    grade.close(grade.slope(y, a), 1.0, "the partial of a + b by a", {0.0: NO_EDGE})
    grade.close(grade.slope(y, b), 1.0, "the partial of a + b by b", {0.0: NO_EDGE})


def test_a_difference():
    a, b = Value(2.0), Value(-5.0)
    y = a - b
    grade.close(y, 7.0, "(a - b).data", {-7.0: "the operands are exchanged", -3.0: "this adds"})
    grade.close(grade.slope(y, a), 1.0, "the partial of a - b by a", {0.0: NO_EDGE})
    wrong = {1.0: "a - b falls when b grows; d_sub knows", 0.0: NO_EDGE}
    grade.close(grade.slope(y, b), -1.0, "the partial of a - b by b", wrong)


def test_a_product():
    a, b = Value(2.0), Value(-5.0)
    y = a * b
    grade.close(y, -10.0, "(a * b).data")
    wrong = {2.0: "the partials are exchanged: the one by a is b", 0.0: NO_EDGE}
    grade.close(grade.slope(y, a), -5.0, "the partial of a * b by a", wrong)
    wrong = {-5.0: "the partials are exchanged: the one by b is a", 0.0: NO_EDGE}
    grade.close(grade.slope(y, b), 2.0, "the partial of a * b by b", wrong)


def test_a_negative():
    x = Value(3.0)
    y = -x
    grade.close(y, -3.0, "(-x).data")
    grade.close(grade.slope(y, x), -1.0, "the partial of -x by x", {0.0: NO_EDGE})


def test_a_number_on_the_right():
    x = Value(3.0)
    grade.close(x + 10, 13.0, "(x + 10).data")
    grade.close(x - 10, -7.0, "(x - 10).data")
    grade.close(x * 10, 30.0, "(x * 10).data")
    grade.close(grade.slope(x * 10, x), 10.0, "the partial of x * 10 by x", {0.0: NO_EDGE})


def test_a_number_on_the_left_of_a_sum():
    x = Value(3.0)
    y = 10 + x
    grade.close(y, 13.0, "(10 + x).data")
    grade.close(grade.slope(y, x), 1.0, "the partial of 10 + x by x", {0.0: NO_EDGE})


def test_a_number_on_the_left_of_a_difference():
    x = Value(3.0)
    y = 10 - x
    wrong = {-7.0: "__rsub__ gets the RIGHT operand as self: it must return other - self"}
    grade.close(y, 7.0, "(10 - x).data", wrong)
    wrong = {1.0: "__rsub__ gets the RIGHT operand as self: it must return other - self"}
    grade.close(grade.slope(y, x), -1.0, "the partial of 10 - x by x", wrong)


def test_a_number_on_the_left_of_a_product():
    x = Value(3.0)
    y = 10 * x
    grade.close(y, 30.0, "(10 * x).data")
    grade.close(grade.slope(y, x), 10.0, "the partial of 10 * x by x", {0.0: NO_EDGE})


def test_python_sum_starts_from_the_number_0():
    a, b = Value(1.0), Value(2.0)
    y = sum([a, b])
    grade.close(y, 3.0, "sum([a, b]).data")
    grade.close(grade.slope(y, a), 1.0, "the slope of sum([a, b]) by a")
    grade.close(grade.slope(y, b), 1.0, "the slope of sum([a, b]) by b")


def test_the_same_value_on_both_sides():
    x = Value(3.0)
    wrong = {3.0: "x is a parent twice here, once with each partial"}
    grade.close(grade.slope(x + x, x), 2.0, "the slope of x + x by x", {1.0: wrong[3.0]})
    grade.close(grade.slope(x * x, x), 6.0, "the slope of x * x by x", wrong)
    grade.close(grade.slope(x - x, x), 0.0, "the slope of x - x by x")


def test_numpy_scalars_are_numbers():
    x = Value(3.0)
    grade.close(x * np.float64(2.0), 6.0, "(x * np.float64(2)).data")
    grade.close(x + np.int64(2), 5.0, "(x + np.int64(2)).data")
    grade.close(np.float32(2.0) - x, -1.0, "(np.float32(2) - x).data")
    grade.close(Value(np.int64(2)) * Value(np.int64(4)), 8.0, "a product of NumPy integers")


def test_operands_stay_as_they_were():
    a, b = Value(2.0), Value(5.0)
    results = [a + b, a - b, a * b, -a]
    why = "operators return a new Value; they never change or return an operand"
    grade.true(all(y is not a and y is not b for y in results), "the results are new Values", why)
    grade.close([a.data, b.data], [2.0, 5.0], "a.data and b.data after a + b, a - b, a * b, -a")


def test_plus_equals_leaves_other_names_alone():
    a = Value(1.0)
    b = a
    a += 2
    wrong = {3.0: "a += 2 changed the node that b still names: leave __iadd__ out"}
    grade.close(b, 1.0, "b.data", wrong)
    grade.close(a, 3.0, "a.data")
    grade.close(grade.slope(a, b), 1.0, "the slope of the new a by b")


def test_something_that_is_no_number_is_refused():
    x = Value(1.0)
    why = "as_value refuses what is no number: use it on the other operand"
    grade.raises(lambda: x + "2", 'x + "2"', why)
    grade.raises(lambda: x * None, "x * None", why)
