"""Exercise 1.13 (bonus): backward through a derivative that was carried forward."""

import math

from course import grade
from course.grade import exercise
from stage1_autodiff import second_derivative

pytestmark = exercise("1.13")


def test_a_cubic():
    curvature = second_derivative(lambda x: x * x * x, 2.0)
    wrong = {
        8.0: "this is the function itself",
        0.0: "nothing arrived: the input of derivative must be the Value that you read",
        6.0: "this is the third derivative",
        1.0: "this is the slope of the slope by itself; read the gradient of the input",
    }
    grade.close(curvature, 12.0, "the second derivative of x * x * x at 2", wrong)


def test_a_quartic():
    curvature = second_derivative(lambda x: x**4, 2.0)
    wrong = {32.0: "this is the first derivative", 80.0: "this is the sum of both derivatives"}
    grade.close(curvature, 48.0, "the second derivative of x ** 4 at 2", wrong)


def test_a_straight_line_has_none():
    grade.close(second_derivative(lambda x: x * 3, 2.0), 0.0, "the second derivative of x * 3")
    grade.close(second_derivative(lambda x: x + 3, 2.0), 0.0, "the second derivative of x + 3")


def test_the_exponential():
    curvature = second_derivative(lambda x: (x * 2).exp(), 0.5)
    grade.close(curvature, 4 * math.e, "the second derivative of exp(2 x) at 0.5")


def test_tanh_and_sigmoid():
    t = math.tanh(0.5)
    grade.close(second_derivative(lambda x: x.tanh(), 0.5), -2 * t * (1 - t * t), "that of tanh")
    s = 1 / (1 + math.exp(-0.5))
    by_hand = s * (1 - s) * (1 - 2 * s)
    grade.close(second_derivative(lambda x: x.sigmoid(), 0.5), by_hand, "that of sigmoid")


def test_a_quotient():
    curvature = second_derivative(lambda x: 1 / x, 2.0)
    grade.close(curvature, 0.25, "the second derivative of 1 / x at 2")


def test_twice_on_the_same_number():
    first = second_derivative(lambda x: x * x, 3.0)
    second = second_derivative(lambda x: x * x, 3.0)
    grade.close([first, second], [2.0, 2.0], "called twice", {(2.0, 4.0): "use a new Value"})
