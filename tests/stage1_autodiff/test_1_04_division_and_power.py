"""Exercise 1.4: / and **, their reflected forms, and the inputs they must refuse."""

import math

import numpy as np

from course import grade
from course.grade import exercise
from stage1_autodiff import Value

pytestmark = exercise("1.4")

NO_EDGE = "the result does not lead back to it: hand over parents and partials to Value(...)"
LOG3 = math.log(3.0)


OF_MUL = "that is the partial of a * b: the one of a / b by a is 1 / b"


def test_a_quotient():
    a, b = Value(3.0), Value(4.0)
    y = a / b
    grade.close(y, 0.75, "(a / b).data", {4 / 3: "the operands are exchanged"})
    grade.close(grade.slope(y, a), 0.25, "the partial of a / b by a", {0.0: NO_EDGE, 4.0: OF_MUL})
    wrong = {
        0.1875: "the sign is lost: a / b falls when b grows",
        -0.75: "the square is lost: the partial by b is -a / b**2",
        0.0: NO_EDGE,
    }
    grade.close(grade.slope(y, b), -0.1875, "the partial of a / b by b", wrong)


def test_a_number_over_a_value():
    x = Value(2.0)
    y = 6 / x
    wrong = {1 / 3: "__rtruediv__ gets the RIGHT operand as self: it must return other / self"}
    grade.close(y, 3.0, "(6 / x).data", wrong)
    grade.close(grade.slope(y, x), -1.5, "the slope of 6 / x by x", {1 / 6: wrong[1 / 3]})


def test_a_value_over_a_number():
    x = Value(2.0)
    y = x / 4
    grade.close(y, 0.5, "(x / 4).data")
    grade.close(grade.slope(y, x), 0.25, "the slope of x / 4 by x")
    grade.close(x / 1, 2.0, "(x / 1).data")


def test_integers_of_numpy_divide():
    a, b = Value(np.int64(1)), Value(np.int64(2))
    grade.close(a / b, 0.5, "(Value(np.int64(1)) / Value(np.int64(2))).data")


def test_division_by_zero_is_refused():
    a, zero = Value(1.0), Value(0.0)
    why = "check the denominator before dividing"
    grade.raises(lambda: a / zero, "Value(1) / Value(0)", why)
    grade.raises(lambda: a / 0, "Value(1) / 0", why)


def test_a_power():
    x = Value(3.0)
    y = x**2
    grade.close(y, 9.0, "(x ** 2).data")
    wrong = {3.0: "the factor b is lost: b * a**(b - 1)", 18.0: "b * a**(b - 1), not b * a**b"}
    grade.close(grade.slope(y, x), 6.0, "the slope of x ** 2 by x", {0.0: NO_EDGE, **wrong})


def test_negative_and_fractional_exponents():
    x = Value(4.0)
    grade.close(x**-1, 0.25, "(x ** -1).data")
    grade.close(grade.slope(x**-1, x), -0.0625, "the slope of x ** -1 by x")
    grade.close(x**0.5, 2.0, "(x ** 0.5).data")
    grade.close(grade.slope(x**0.5, x), 0.25, "the slope of x ** 0.5 by x")


def test_the_root_of_a_small_number_and_of_0():
    x, zero = Value(0.25), Value(0.0)
    grade.close(x**0.5, 0.5, "(Value(0.25) ** 0.5).data")
    grade.close(zero**0.5, 0.0, "(Value(0) ** 0.5).data")


def test_a_value_as_exponent_is_differentiated_too():
    a, b = Value(3.0), Value(2.0)
    y = a**b
    grade.close(y, 9.0, "(a ** b).data")
    grade.close(grade.slope(y, a), 6.0, "the partial of a ** b by a", {0.0: NO_EDGE})
    wrong = {
        0.0: "an exponent that is a Value is a parent too",
        9.0: "the factor ln(a) is lost",
        6.0: "this is the partial by the base",
    }
    grade.close(grade.slope(y, b), 9 * LOG3, "the partial of a ** b by b", wrong)


def test_a_number_to_the_power_of_a_value():
    x = Value(2.0)
    y = 3**x
    wrong = {8.0: "__rpow__ gets the EXPONENT as self: it must return other ** self"}
    grade.close(y, 9.0, "(3 ** x).data", wrong)
    grade.close(grade.slope(y, x), 9 * LOG3, "the slope of 3 ** x by x")


def test_exponents_of_numpy_are_numbers():
    x = Value(3.0)
    y = x ** np.int64(2)
    grade.close(y, 9.0, "(x ** np.int64(2)).data")
    grade.close(grade.slope(y, x), 6.0, "the slope of x ** np.int64(2) by x")


def test_zero_to_the_power_of_zero_is_the_constant_1():
    x = Value(0.0)
    y = x**0
    grade.close(y, 1.0, "(Value(0) ** 0).data")
    grade.close(grade.slope(y, x), 0.0, "the slope of x ** 0 at 0")


def test_a_negative_base():
    x = Value(-2.0)
    grade.close(x**2, 4.0, "(Value(-2) ** 2).data")
    grade.close(grade.slope(x**3, x), 12.0, "the slope of x ** 3 at -2")
    grade.close(x ** Value(2.0), 4.0, "(Value(-2) ** Value(2)).data")


def test_the_root_of_a_negative_number_is_refused():
    x = Value(-2.0)
    why = "Python makes (-2) ** 0.5 a complex number: check for a negative base first"
    grade.raises(lambda: x**0.5, "Value(-2) ** 0.5", why)
    grade.raises(lambda: x ** Value(0.5), "Value(-2) ** Value(0.5)", why)


def test_zero_to_a_negative_power_is_refused():
    x = Value(0.0)
    grade.raises(lambda: x**-1, "Value(0) ** -1", "this divides by zero: check for it first")


def test_a_power_too_large_for_a_float_is_infinite():
    x = Value(10.0)
    y = x**400
    grade.close(y, math.inf, "(Value(10) ** 400).data")
