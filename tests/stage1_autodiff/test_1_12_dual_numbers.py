"""Exercise 1.12 (bonus): derivatives carried forward."""

import math

import pytest

from course import grade
from course.grade import exercise
from stage1_autodiff import Dual, Value, derivative

pytestmark = exercise("1.12")


ONE = {(7.0, 3.0): "both derivatives are added", (7.0, 7.0): "both derivatives are added"}
SAME = {(-2.0, 3.0): "the derivative of -x is negative too"}
OF_MUL = {
    (0.75, 10.0): "that is the rule of a product: here the quotient's, (a' b - a b') / b^2",
    (0.75, -0.5): "the quotient's rule divides by b^2",
    (0.75, 0.625): "the quotient's rule subtracts: (a' b - a b') / b^2",
}


def test_a_sum_and_a_negative():
    y = Dual(2.0, 3.0) + Dual(5.0, 7.0)
    grade.close([y.value, y.derivative], [7.0, 10.0], "(2 + 3e) + (5 + 7e)", ONE)
    y = -Dual(2.0, 3.0)
    grade.close([y.value, y.derivative], [-2.0, -3.0], "-(2 + 3e)", SAME)
    y = Dual(2.0, 3.0) + 10
    grade.close([y.value, y.derivative], [12.0, 3.0], "(2 + 3e) + 10")
    y = Dual(2.0, 3.0) - 10
    grade.close([y.value, y.derivative], [-8.0, 3.0], "(2 + 3e) - 10")
    y = 10 - Dual(2.0, 3.0)
    grade.close([y.value, y.derivative], [8.0, -3.0], "10 - (2 + 3e)")


def test_a_product():
    y = Dual(2.0, 3.0) * Dual(5.0, 7.0)
    wrong = {
        (10.0, 21.0): "the derivative of a product is not the product of the derivatives",
        (10.0, 41.0): "the shares are exchanged: b a' + a b'",
    }
    grade.close([y.value, y.derivative], [10.0, 29.0], "(2 + 3e) * (5 + 7e)", wrong)


def test_a_quotient():
    y = Dual(3.0, 1.0) / Dual(4.0, 2.0)
    grade.close([y.value, y.derivative], [0.75, -0.125], "(3 + 1e) / (4 + 2e)", OF_MUL)
    y = Dual(6.0, 2.0) / 4
    grade.close([y.value, y.derivative], [1.5, 0.5], "(6 + 2e) / 4")
    y = 6 / Dual(2.0, 1.0)
    grade.close([y.value, y.derivative], [3.0, -1.5], "6 / (2 + 1e)")


def test_a_power():
    y = Dual(2.0, 5.0) ** 3
    wrong = {(8.0, 12.0): "the derivative that came in must be multiplied in"}
    grade.close([y.value, y.derivative], [8.0, 60.0], "(2 + 5e) ** 3", wrong)


S = 1 / (1 + math.exp(-0.5))
FUNCTIONS = [
    ("exp", math.exp(0.5), math.exp(0.5)),
    ("log", math.log(0.5), 2.0),
    ("tanh", math.tanh(0.5), 1 - math.tanh(0.5) ** 2),
    ("sigmoid", S, S * (1 - S)),
    ("relu", 0.5, 1.0),
]


@pytest.mark.parametrize(("name", "value", "slope"), FUNCTIONS)
def test_functions(name, value, slope):
    y = getattr(Dual(0.5, 3.0), name)()
    wrong = {(value, slope): "the derivative that came in must be multiplied in"}
    grade.close([y.value, y.derivative], [value, 3 * slope], f"Dual(0.5, 3).{name}()", wrong)


def test_relu_below_0():
    y = Dual(-2.0, 3.0).relu()
    grade.close([y.value, y.derivative], [0.0, 0.0], "Dual(-2, 3).relu()")


def test_derivative_seeds_with_1():
    slope = derivative(lambda x: x * x * x, 2.0)
    wrong = {0.0: "the input must start with derivative 1", 8.0: "this is the value"}
    grade.close(slope, 12.0, "the derivative of x * x * x at 2", wrong)


def test_the_derivative_of_a_constant_is_0():
    slope = derivative(lambda x: 5.0, 2.0)
    grade.close(slope, 0.0, "the derivative of lambda x: 5.0")


def test_a_longer_function_against_the_formula():
    def f(x):
        return (x * x).exp() / (1 + x) + x.tanh()

    x = 0.7
    by_hand = math.exp(x * x) * (2 * x * (1 + x) - 1) / (1 + x) ** 2 + 1 - math.tanh(x) ** 2
    grade.close(derivative(f, x), by_hand, "the derivative of exp(x x) / (1 + x) + tanh(x)")


def test_a_dual_may_hold_values():
    w, x = Value(3.0), Value(2.0)
    y = Dual(x, 1.0) * w * Dual(x, 1.0)
    why = "keep the Values as they are: use operators on .value and .derivative only"
    grade.true(isinstance(y.derivative, Value), "the derivative of x w x is a Value", why)
    grade.close(y.derivative, 12.0, "d(x w x)/dx")
    y.derivative.backward()
    grade.close(w.grad, 4.0, "d/dw of d(x w x)/dx")


@pytest.mark.parametrize("name", ["exp", "log", "tanh", "sigmoid", "relu"])
def test_functions_of_a_dual_that_holds_a_value(name):
    x = Value(0.5)
    y = getattr(Dual(x, 1.0), name)()
    why = "compute with apply, which knows Values: math.exp and its like want a float"
    grade.true(isinstance(y.value, Value), f"the value of {name}() is a Value", why)


def test_a_dual_may_hold_duals():
    slope = derivative(lambda x: derivative(lambda y: y * y * y, x), 2.0)
    grade.close(slope, 12.0, "the second derivative of x * x * x at 2, forward over forward")
