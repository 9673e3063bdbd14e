"""Exercise 1.7: exp, log, tanh, sigmoid, relu, with slopes that hold at +-1000 too."""

import math

import pytest

from course import grade
from course.grade import exercise
from stage1_autodiff import Value
from stage1_autodiff.derivatives import d_exp, d_log, d_relu, d_sigmoid, d_tanh

pytestmark = exercise("1.7")

OVERWRITTEN = "one of two uses is missing: gradients add up"
NOT_MULTIPLIED = "the local derivative was not multiplied with the gradient from above"


def test_the_slope_of_exp():
    y = math.exp(2.0)
    wrong = {2.0: "this is the input; the slope of exp is the output"}
    grade.close(d_exp(y), y, "d_exp(exp(2))", {**wrong, math.exp(y): "y is exp(x) already"})


def test_the_slope_of_log():
    grade.close(d_log(4.0), 0.25, "d_log(4)", {math.log(4.0): "this is the logarithm itself"})


def test_the_slope_of_tanh():
    y = math.tanh(0.5)
    wrong = {
        1 - math.tanh(y) ** 2: "the argument y is tanh(x) already",
        1 - y: "the square is lost: 1 - y**2",
        1 + y * y: "the sign is wrong: 1 - y**2",
    }
    grade.close(d_tanh(y), 1 - y * y, "d_tanh(tanh(0.5))", wrong)


def test_the_slope_of_sigmoid():
    y = 1 / (1 + math.exp(-1.0))
    s = 1 / (1 + math.exp(-y))
    wrong = {s * (1 - s): "the argument y is sigmoid(x) already", 1 - y: "the factor y is lost"}
    grade.close(d_sigmoid(y), y * (1 - y), "d_sigmoid(sigmoid(1))", wrong)


def test_the_slope_of_relu():
    grade.close(d_relu(2.0), 1.0, "d_relu(2)", {2.0: "this is relu itself"})
    grade.close(d_relu(-10.0), 0.0, "d_relu(-10)", {1.0: "a negative input passes no gradient"})
    kink = "at the kink the slope is 0 by convention: only x > 0 passes the gradient on"
    grade.close(d_relu(0.0), 0.0, "d_relu(0)", {1.0: kink, 0.5: kink})


def test_exp():
    x = Value(2.0)
    y = x.exp()
    grade.close(y, math.exp(2.0), "Value(2).exp()")
    wrong = {2.0: "d_exp wants the output y, not the input"}
    grade.close(grade.slope(y, x), math.exp(2.0), "the slope of exp at 2", wrong)


def test_log():
    x = Value(4.0)
    y = x.log()
    wrong = {math.log10(4.0): "the natural logarithm is meant", 2.0: "this is log to the base 2"}
    grade.close(y, math.log(4.0), "Value(4).log()", wrong)
    wrong = {1 / math.log(4.0): "d_log wants the input x, not the output"}
    grade.close(grade.slope(y, x), 0.25, "the slope of log at 4", wrong)
    grade.close(Value(0.25).log(), -math.log(4.0), "Value(0.25).log()")


def test_tanh():
    x = Value(0.5)
    y = x.tanh()
    grade.close(y, math.tanh(0.5), "Value(0.5).tanh()")
    wrong = {0.75: "this is 1 - x**2: the slope of tanh is 1 - y**2, with the output y"}
    grade.close(grade.slope(y, x), 1 - math.tanh(0.5) ** 2, "the slope of tanh at 0.5", wrong)


def test_sigmoid():
    x = Value(1.0)
    y = x.sigmoid()
    s = 1 / (1 + math.exp(-1.0))
    grade.close(y, s, "Value(1).sigmoid()", {1 - s: "the sign of the exponent is wrong"})
    wrong = {0.0: "x * (1 - x) takes the input; the slope of sigmoid is y * (1 - y)"}
    grade.close(grade.slope(y, x), s * (1 - s), "the slope of sigmoid at 1", wrong)
    x = Value(-1.0)
    grade.close(x.sigmoid(), 1 - s, "Value(-1).sigmoid()")


def test_relu_passes_what_is_positive():
    x = Value(2.0)
    y = x.relu()
    grade.close(y, 2.0, "Value(2).relu()")
    grade.close(grade.slope(y, x), 1.0, "the slope of relu at 2", {2.0: "this is relu itself"})


def test_relu_stops_what_is_negative():
    x = Value(-10.0)
    y = x.relu()
    grade.close(y, 0.0, "Value(-10).relu()", {-0.1: "this is a leaky relu"})
    wrong = {1.0: "0 >= 0 is true: look at the input, which must be above 0"}
    grade.close(grade.slope(y, x), 0.0, "the slope of relu at -10", wrong)


def test_relu_lets_nan_through():
    y = Value(math.nan).relu()
    wrong = {0.0: "max(0, nan) is 0 in Python, which hides the NaN"}
    grade.close(y, math.nan, "Value(nan).relu()", wrong)


@pytest.mark.parametrize(("x", "tanh", "sigmoid"), [(1000.0, 1.0, 1.0), (-1000.0, -1.0, 0.0)])
def test_the_ends_of_the_number_line(x, tanh, sigmoid):
    value = Value(x)
    grade.close(value.tanh(), tanh, f"Value({x}).tanh()")
    grade.close(grade.slope(value.tanh(), value), 0.0, f"the slope of tanh at {x}")
    grade.close(value.sigmoid(), sigmoid, f"Value({x}).sigmoid()")
    grade.close(grade.slope(value.sigmoid(), value), 0.0, f"the slope of sigmoid at {x}")
    grade.close(value.relu(), max(x, 0.0), f"Value({x}).relu()")


def test_exp_at_the_ends():
    grade.close(Value(-1000.0).exp(), 0.0, "Value(-1000).exp()")
    grade.close(Value(1000.0).exp(), math.inf, "Value(1000).exp()")
    wrong = {math.inf: "exp(709) still fits into a float"}
    grade.close(Value(709.0).exp(), math.exp(709.0), "Value(709).exp()", wrong)


def test_the_logarithm_of_what_is_not_positive_is_refused():
    zero, negative = Value(0.0), Value(-1.0)
    grade.raises(zero.log, "Value(0).log()", "check for a number above 0 first")
    grade.raises(negative.log, "Value(-1).log()", "check for a number above 0 first")


SLOPES_AT_2 = [
    ("exp", math.exp(2.0)),
    ("log", 0.5),
    ("tanh", 1 - math.tanh(2.0) ** 2),
    ("sigmoid", math.exp(-2.0) / (1 + math.exp(-2.0)) ** 2),
    ("relu", 1.0),
]


@pytest.mark.parametrize(("name", "slope"), SLOPES_AT_2)
def test_two_uses_add_up(name, slope):
    x = Value(2.0)
    f = getattr(x, name)
    y = f() + 3 * f()
    y.backward()
    wrong = {slope: OVERWRITTEN, 3 * slope: OVERWRITTEN, 2 * slope: NOT_MULTIPLIED}
    grade.close(x.grad, 4 * slope, f"x.grad of x.{name}() + 3 * x.{name}()", wrong)


@pytest.mark.parametrize(("name", "slope"), SLOPES_AT_2)
def test_the_gradient_from_above_is_multiplied_in(name, slope):
    x = Value(2.0)
    y = 3 * getattr(x, name)()
    y.backward()
    grade.close(x.grad, 3 * slope, f"x.grad of 3 * x.{name}()", {slope: NOT_MULTIPLIED})


def test_all_of_them_in_one_expression():
    def f(a, b):
        return (a.exp() * b.tanh() + (a * b).sigmoid()).log() + (a - b).relu()

    grade.gradients(f, Value(1.2), Value(0.7), what="an expression of all five")
