"""Forward mode: every rule against calculus, and what a Dual may hold."""

import math

import numpy as np
import pytest

from stage1_autodiff import Dual, Value, derivative, second_derivative

# name: f, f', f''
CALCULUS = {
    "x + 3": (lambda x: x + 3, lambda x: 1, lambda x: 0),
    "3 + x": (lambda x: 3 + x, lambda x: 1, lambda x: 0),
    "x - 3": (lambda x: x - 3, lambda x: 1, lambda x: 0),
    "3 - x": (lambda x: 3 - x, lambda x: -1, lambda x: 0),
    "-x": (lambda x: -x, lambda x: -1, lambda x: 0),
    "3 * x": (lambda x: 3 * x, lambda x: 3, lambda x: 0),
    "x * x": (lambda x: x * x, lambda x: 2 * x, lambda x: 2),
    "x / 3": (lambda x: x / 3, lambda x: 1 / 3, lambda x: 0),
    "3 / x": (lambda x: 3 / x, lambda x: -3 / x**2, lambda x: 6 / x**3),
    "x / (x + 1)": (lambda x: x / (x + 1), lambda x: (x + 1) ** -2, lambda x: -2 * (x + 1) ** -3),
    "x ** 4": (lambda x: x**4, lambda x: 4 * x**3, lambda x: 12 * x**2),
    "x ** -1.5": (lambda x: x**-1.5, lambda x: -1.5 * x**-2.5, lambda x: 3.75 * x**-3.5),
    "exp": (lambda x: x.exp(), math.exp, math.exp),
    "log": (lambda x: x.log(), lambda x: 1 / x, lambda x: -1 / x**2),
    "tanh": (
        lambda x: x.tanh(),
        lambda x: 1 - math.tanh(x) ** 2,
        lambda x: -2 * math.tanh(x) * (1 - math.tanh(x) ** 2),
    ),
    "sigmoid": (
        lambda x: x.sigmoid(),
        lambda x: math.exp(-x) / (1 + math.exp(-x)) ** 2,
        lambda x: math.exp(-x) * (math.exp(-x) - 1) / (1 + math.exp(-x)) ** 3,
    ),
    "relu, on": (lambda x: (x * x).relu(), lambda x: 2 * x, lambda x: 2),
    "relu, off": (lambda x: (-x).relu(), lambda x: 0, lambda x: 0),
    "sin": (lambda x: x.sin(), math.cos, lambda x: -math.sin(x)),
    "cos": (lambda x: x.cos(), lambda x: -math.sin(x), lambda x: -math.cos(x)),
}


def each_rule():
    return pytest.mark.parametrize(("f", "df", "ddf"), CALCULUS.values(), ids=CALCULUS.keys())


@each_rule()
@pytest.mark.parametrize("x", [0.4, 1.7])
def test_the_derivative_is_that_of_calculus(f, df, ddf, x):
    assert derivative(f, x) == pytest.approx(df(x), rel=1e-12)


@each_rule()
@pytest.mark.parametrize("x", [0.4, 1.7])
def test_the_second_derivative_is_that_of_calculus(f, df, ddf, x):
    assert second_derivative(f, x) == pytest.approx(ddf(x), rel=1e-12, abs=1e-12)


@each_rule()
def test_a_dual_carries_the_value_along(f, df, ddf):
    assert f(Dual(0.4, 1.0)).value == f(Value(0.4)).data


def test_the_seed_scales_the_derivative():
    assert (Dual(3.0, 5.0) * Dual(2.0, 7.0)).derivative == 2 * 5 + 3 * 7


def test_a_derivative_of_floats_is_a_float():
    assert type(derivative(lambda x: x.tanh() * 2 - x**2, 0.3)) is float


def test_the_derivative_of_a_constant_is_zero():
    assert derivative(lambda x: 5.0, 1.0) == 0.0


def test_the_second_derivative_of_a_constant_is_zero():
    assert second_derivative(lambda x: 5.0, 1.0) == 0.0


@pytest.mark.parametrize(
    ("power", "expected"), [(0, 0), (1, 0), (2, 2), (3, 0)], ids=["x**0", "x**1", "x**2", "x**3"]
)
def test_second_derivatives_of_powers_at_zero(power, expected):
    assert second_derivative(lambda x: x**power, 0.0) == expected


def test_a_dual_of_duals_gives_the_third_derivative():
    def slope_of(f):
        return lambda x: derivative(f, x)

    assert slope_of(slope_of(slope_of(lambda x: x**4)))(2.0) == 24 * 2


def test_forward_then_backward_reaches_every_parameter():
    w, x = Value(3.0), Value(2.0)
    slope = derivative(lambda t: t * t * w, x)  # 2 w x
    slope.backward()
    assert (slope.data, w.grad, x.grad) == (12.0, 4.0, 6.0)


@pytest.mark.parametrize("name", ["tanh", "sigmoid", "relu", "exp"])
@pytest.mark.parametrize("x", [1000.0, -1000.0])
def test_functions_of_huge_numbers_agree_with_backward(name, x):
    leaf = Value(x)
    getattr(leaf, name)().backward()
    assert derivative(lambda t: getattr(t, name)(), x) == leaf.grad


@pytest.mark.parametrize("kind", [np.float64, np.int64])
def test_numpy_scalars_on_the_left(kind):
    two = kind(2)
    y = two * Dual(3.0, 1.0) - two / Dual(4.0, 1.0) + (two - Dual(1.0, 1.0))
    assert (y.value, y.derivative) == (6 - 0.5 + 1, 2 + 2 / 16 - 1)


def test_comparisons_look_at_the_value():
    small, large = Dual(1.0, 9.0), Dual(2.0, 0.0)
    assert small < large
    assert large > 1.5
    assert not large < small


def test_a_branch_is_differentiated_where_it_was_taken():
    assert derivative(lambda x: x * x if x > 1 else -x, 3.0) == 6.0


def test_division_by_zero_says_what_came():
    with pytest.raises(ZeroDivisionError) as info:
        derivative(lambda x: 1 / x, Value(0.0))
    assert str(info.value).startswith("div: expected a non-zero denominator, got 1.0 / 0.0")


def test_the_logarithm_of_zero_says_what_came():
    with pytest.raises(ValueError) as info:
        derivative(lambda x: x.log(), 0.0)
    assert str(info.value) == (
        "log: expected a number > 0, got 0.0; add a small number to it first"
    )


def test_repr():
    assert repr(Dual(2.0, -0.5)) == "Dual(value=2.0, derivative=-0.5)"
