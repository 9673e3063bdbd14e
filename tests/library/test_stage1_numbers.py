"""The numbers of the scalar engine: NumPy's scalars and arrays, and results at the extremes."""

import math
from fractions import Fraction

import numpy as np
import pytest

from stage1_autodiff import Dual, Value

BINARY = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: a**b,
}


def each(table):
    """Parametrize over the entries of a table of functions, named by its keys."""
    return pytest.mark.parametrize("f", table.values(), ids=table.keys())


def gradient(f, *numbers: float) -> list[float]:
    """The gradient of f at these numbers, by backward."""
    leaves = [Value(x) for x in numbers]
    f(*leaves).backward()
    return [leaf.grad for leaf in leaves]


# NumPy.


@each(BINARY)
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16, np.int64, np.int8, np.uint8])
def test_a_numpy_scalar_on_the_left(f, kind):
    y = f(kind(2), Value(3.0))
    assert type(y) is Value
    assert y.data == pytest.approx(f(2.0, 3.0))


@each(BINARY)
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16, np.int64, np.int8, np.uint8])
def test_a_numpy_scalar_on_the_right(f, kind):
    y = f(Value(3.0), kind(2))
    assert type(y) is Value
    assert y.data == pytest.approx(f(3.0, 2.0))


@pytest.mark.parametrize(
    ("f", "slope"),
    [
        (lambda two, x: two + x, 1.0),
        (lambda two, x: two - x, -1.0),
        (lambda two, x: two * x, 2.0),
        (lambda two, x: two / x, -2 / 9),
        (lambda two, x: two**x, 8 * math.log(2)),
    ],
    ids=BINARY.keys(),
)
def test_a_numpy_scalar_on_the_left_leaves_the_gradient_right(f, slope):
    assert gradient(lambda x: f(np.float64(2.0), x), 3.0) == pytest.approx([slope])


@pytest.mark.parametrize("x", [np.float32(0.5), np.int64(3), True, Fraction(1, 4)], ids=repr)
def test_any_real_number_becomes_a_float(x):
    value = Value(x)
    assert type(value.data) is float
    assert value.data == float(x)


def test_gradients_are_floats_whatever_the_operands_were():
    a = Value(np.float32(2.0))
    (np.float64(3.0) * a * np.int64(2)).backward()
    assert type(a.grad) is float


def test_comparisons_look_at_the_numbers():
    a, b = Value(1.0), Value(2.0)
    assert a <= b and a <= 1 and b >= a and b <= 2 and not b <= a and not a >= b
    assert Dual(1.0, 0.0) <= Dual(1.0, 5.0) >= 1 and not Dual(2.0, 0.0) <= 1
    assert not Value(math.nan) <= 1 and not Value(math.nan) >= 1


def test_the_number_leaves_the_graph():
    x = Value(2.71828, label="e")
    assert f"{x:.3f}" == "2.718" and f"{x}" == str(x) == "Value(data=2.71828, grad=0, label='e')"
    assert float(x) == 2.71828 and int(x) == 2 and round(x, 2) == 2.72 and round(x) == 3
    assert x and not Value(0.0) and Value(math.nan)
    assert math.sqrt(Value(4.0)) == 2 and np.float64(Value(4.0)) == 4


def test_an_array_on_the_left_gives_an_array_of_values():
    x = Value(3.0)
    y = np.array([1.0, 2.0]) * x
    assert y.shape == (2,)
    y[1].backward()
    assert (y[1].data, x.grad) == (6.0, 2.0)


def test_numpy_sums_and_multiplies_arrays_of_values():
    w = np.array([[Value(1.0), Value(2.0)], [Value(3.0), Value(4.0)]])
    y = (w @ np.array([5.0, 6.0])).sum()
    y.backward()
    assert y.data == 5 + 12 + 15 + 24
    assert [p.grad for p in w.flat] == [5.0, 6.0, 5.0, 6.0]


# Extremes: results as NumPy would give them, and never an OverflowError.


@pytest.mark.parametrize(
    ("name", "x", "y", "slope"),
    [
        ("exp", 1000.0, math.inf, math.inf),
        ("exp", -1000.0, 0.0, 0.0),
        ("tanh", 1000.0, 1.0, 0.0),
        ("tanh", -1000.0, -1.0, 0.0),
        ("sigmoid", 1000.0, 1.0, 0.0),
        ("sigmoid", -1000.0, 0.0, 0.0),
        ("relu", 1000.0, 1000.0, 1.0),
        ("relu", -1000.0, 0.0, 0.0),
        ("abs", -1000.0, 1000.0, -1.0),
        ("log", 1e-300, math.log(1e-300), 1e300),
        ("log", math.inf, math.inf, 0.0),
        ("sqrt", 0.0, 0.0, math.inf),
    ],
)
def test_functions_at_their_extremes(name, x, y, slope):
    leaf = Value(x)
    root = getattr(leaf, name)()
    root.backward()
    assert (root.data, leaf.grad) == (y, pytest.approx(slope))


def test_sigmoid_keeps_its_digits_far_below_zero():
    assert Value(-40.0).sigmoid().data == pytest.approx(math.exp(-40), rel=1e-12, abs=0)


@pytest.mark.parametrize("name", ["exp", "log", "tanh", "sigmoid", "relu", "sin", "cos", "sqrt"])
def test_nan_goes_in_and_nan_comes_out(name):
    assert math.isnan(getattr(Value(math.nan), name)().data)


@pytest.mark.parametrize("x", [10.0, -10.0], ids=["positive", "negative"])
def test_a_power_too_large_for_a_float_is_infinite(x):
    assert (Value(x) ** 401).data == math.copysign(math.inf, x)


def test_zero_to_the_power_zero_is_the_constant_one():
    base, exponent = Value(0.0), Value(0.0)
    y = base**exponent
    y.backward()
    assert (y.data, base.grad, exponent.grad) == (1.0, 0.0, 0.0)


def test_the_slope_by_the_exponent_of_a_negative_base_does_not_exist():
    assert [math.isnan(g) for g in gradient(lambda a, b: a**b, -2.0, 2.0)] == [False, True]


def test_a_tiny_denominator_is_not_zero():
    a, b = gradient(lambda a, b: a / b, 1.0, 1e-200)
    assert (a, b) == (pytest.approx(1e200), -math.inf)
