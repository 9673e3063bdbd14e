"""Exercise 1.2: the slope of each operation, by each of its inputs."""

import math

import pytest

from course import grade
from course.grade import exercise
from stage1_autodiff.derivatives import d_add, d_div, d_exponent, d_mul, d_pow, d_sub

pytestmark = exercise("1.2")

POINTS = [(3.0, 4.0), (0.5, -2.0), (2.5, 1.5), (1.25, 0.5)]


def measured(f, a, b, h=1e-5):
    """The slopes of f(a, b) by a and by b, with a ruler."""
    by_a = (f(a + h, b) - f(a - h, b)) / (2 * h)
    by_b = (f(a, b + h) - f(a, b - h)) / (2 * h)
    return by_a, by_b


def test_a_sum_moves_as_much_as_either_input():
    grade.close(d_add(2.0, 5.0), (1.0, 1.0), "d_add(2, 5)")


def test_a_difference_falls_when_b_grows():
    mistakes = {(1.0, 1.0): "a - b falls when b grows: the second slope is negative"}
    grade.close(d_sub(2.0, 5.0), (1.0, -1.0), "d_sub(2, 5)", mistakes)


def test_a_product():
    mistakes = {(2.0, 5.0): "the two are exchanged: when a grows by 1, a * b grows by b"}
    grade.close(d_mul(2.0, 5.0), (5.0, 2.0), "d_mul(2, 5)", mistakes)


def test_a_quotient():
    mistakes = {
        (0.25, 0.1875): "a / b falls when b grows: the sign of the second slope is lost",
        (0.25, -0.75): "the slope by b is -a / b**2: the square is lost",
        (0.25, -0.0625): "the slope by b is -a / b**2: the factor a is lost",
        (-0.1875, 0.25): "the two are exchanged",
        (0.25, -12.0): "-a / b * b means (-a / b) * b: put brackets around b * b",
        (0.25, -3.0): "-a / b * b means (-a / b) * b: put brackets around b * b",
    }
    grade.close(d_div(3.0, 4.0), (0.25, -0.1875), "d_div(3, 4)", mistakes)


def test_a_tiny_denominator():
    wrong = "b * b is rounded to 0 here: divide by b twice"
    found = d_div(1.0, 1e-200)
    grade.close(found, (1e200, -math.inf), "d_div(1, 1e-200)", {(1e200, math.nan): wrong})


def test_a_power_by_its_base():
    mistakes = {
        4.0: "the factor b is lost: the slope of a**b is b * a**(b - 1)",
        24.0: "the exponent goes down by one: b * a**(b - 1)",
        8.0: "this is the power itself",
        8 * math.log(2.0): "this is the slope by the exponent",
    }
    grade.close(d_pow(2.0, 3.0), 12.0, "d_pow(2, 3)", mistakes)


def test_a_power_of_a_negative_base():
    grade.close(d_pow(-2.0, 3.0), 12.0, "d_pow(-2, 3)")


def test_a_power_zero_is_flat_everywhere():
    grade.close(d_pow(5.0, 0.0), 0.0, "d_pow(5, 0): 5 ** 0 is the constant 1")
    grade.close(d_pow(0.0, 0.0), 0.0, "d_pow(0, 0): by convention 0 ** 0 is the constant 1")


def test_powers_at_zero():
    grade.close(d_pow(0.0, 1.0), 1.0, "d_pow(0, 1): the slope of a at 0")
    grade.close(d_pow(0.0, 2.0), 0.0, "d_pow(0, 2): the slope of a**2 at 0")
    grade.close(d_pow(0.0, 0.5), math.inf, "d_pow(0, 0.5): the square root is vertical at 0")


def test_a_power_by_its_exponent():
    mistakes = {
        9.0: "the factor ln(a) is lost: the slope of a**b by b is a**b * ln(a)",
        6.0: "this is the slope by the base",
        3 * math.log(3.0): "the exponent stays as it is: a**b * ln(a)",
        9 * math.log10(3.0): "the logarithm must be the natural one: math.log, not math.log10",
    }
    grade.close(d_exponent(3.0, 2.0), 9 * math.log(3.0), "d_exponent(3, 2)", mistakes)


def test_an_exponent_over_zero_has_slope_zero_by_convention():
    grade.close(d_exponent(0.0, 2.0), 0.0, "d_exponent(0, 2)")
    grade.close(d_exponent(0.0, 0.0), 0.0, "d_exponent(0, 0)")


def test_an_exponent_where_the_power_is_infinite_or_no_real_number():
    below = "0 ** b falls from infinity as b grows towards 0: the slope is -inf for b < 0"
    wrong = {0.0: below, math.inf: below}
    grade.close(d_exponent(0.0, -1.0), -math.inf, "d_exponent(0, -1)", wrong)
    wrong = {
        4 * math.log(2.0): "(-2) ** b is a real number only here and there: no slope, so NaN",
        0.0: "0 is for a = 0 only; below it there is no slope: NaN",
    }
    grade.close(d_exponent(-2.0, 2.0), math.nan, "d_exponent(-2, 2)", wrong)


@pytest.mark.parametrize(("a", "b"), POINTS)
def test_every_rule_agrees_with_a_ruler(a, b):
    grade.close(d_add(a, b), measured(lambda a, b: a + b, a, b), f"d_add({a}, {b})", rtol=1e-5)
    grade.close(d_sub(a, b), measured(lambda a, b: a - b, a, b), f"d_sub({a}, {b})", rtol=1e-5)
    grade.close(d_mul(a, b), measured(lambda a, b: a * b, a, b), f"d_mul({a}, {b})", rtol=1e-5)
    grade.close(d_div(a, b), measured(lambda a, b: a / b, a, b), f"d_div({a}, {b})", rtol=1e-5)
    by_a, by_b = measured(lambda a, b: a**b, a, b)
    grade.close(d_pow(a, b), by_a, f"d_pow({a}, {b})", rtol=1e-5)
    grade.close(d_exponent(a, b), by_b, f"d_exponent({a}, {b})", rtol=1e-5)
