"""Exercise 1.1: a slope measured with two points."""

import math

from course import grade
from course.grade import exercise
from stage1_autodiff import central_difference

pytestmark = exercise("1.1")


def test_a_parabola_has_its_exact_slope():
    def square(x):
        return x * x

    slope = central_difference(square, 3.0)
    grade.close(slope, 6.0, "the slope of x * x at 3")


def test_a_cubic_with_a_long_run():
    def cube(x):
        return x**3

    slope = central_difference(cube, 2.0, h=0.1)
    mistakes = {
        12.61: "this is the slope from x to x + h; put x in the middle of the run",
        11.41: "this is the slope from x - h to x; put x in the middle of the run",
        24.02: "the run from x - h to x + h is 2 h long, not h",
        6.005: "the run from x - h to x + h is 2 h long, not 4 h",
        0.1201: "a / 2 * h means (a / 2) * h: put brackets around 2 * h",
        -12.01: "the rise is f(x + h) - f(x - h), in this order",
        12.000025: "h is a parameter: use it, not a number of your own",
        2.402: "this is the rise; divide it by the length of the run",
    }
    grade.close(slope, 12.01, "central_difference(cube, 2.0, h=0.1)", mistakes)


def test_a_sine_with_the_default_run():
    slope = central_difference(math.sin, 1.0)
    grade.close(slope, math.cos(1.0), "the slope of sin at 1", rtol=1e-8)


def test_a_falling_line():
    def line(x):
        return 5.0 - 3.0 * x

    slope = central_difference(line, -2.0)
    grade.close(slope, -3.0, "the slope of 5 - 3 x at -2")
