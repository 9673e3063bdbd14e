"""The gradient check as a report: its table, and the mistakes that it names."""

import math

import numpy as np
import pytest

from stage1_autodiff import MLP, Value, central_difference, gradcheck
from stage1_autodiff.gradcheck_table import GradCheck, Row, name_mistake, relative_errors


def scaled(y: Value, factor: float) -> Value:
    """y with a wrong slope: every gradient that passes here is multiplied by `factor`."""
    return Value(y.data, (y,), (factor,))


def test_a_straight_line_is_measured_exactly():
    assert central_difference(lambda x: 3 * x + 1, 2.0, h=0.5) == 3.0


def test_the_error_of_a_cubic_is_h_squared():
    assert central_difference(lambda x: x**3, 1.0, h=0.1) == pytest.approx(3 + 0.1**2)


def test_a_right_gradient_is_ok():
    report = gradcheck(lambda a, b: (a * b).tanh() / (b * b + 1), 0.5, -1.2)
    assert report.ok
    assert [report.pattern(row) for row in report.rows] == ["ok", "ok"]


def test_every_parameter_of_a_network_can_be_checked():
    model = MLP(2, [3, 1], rng=np.random.default_rng(0))
    numbers = [p.data for p in model.parameters()]

    def loss(*parameters: Value) -> Value:
        w = iter(parameters)
        for layer in model.layers:
            for neuron in layer.neurons:
                neuron.w = [next(w) for _ in neuron.w]
                neuron.b = next(w)
        return model([0.3, -0.7]).tanh()

    assert gradcheck(loss, *numbers).ok


def test_one_wrong_row_is_enough_to_fail():
    report = gradcheck(lambda a, b: a + scaled(b, 2.0), 1.0, 1.0)
    assert [report.pattern(row) for row in report.rows] == ["ok", "2x: counted twice"]
    assert not report.ok


def test_the_tolerance_is_the_largest_error_that_passes():
    def f(x: Value) -> Value:
        return scaled(x, 1.001)

    assert gradcheck(f, 1.0, tolerance=0.01).ok
    assert not gradcheck(f, 1.0, tolerance=0.0001).ok


@pytest.mark.parametrize(
    ("factor", "pattern"),
    [
        (0.0, "zero: no gradient arrived"),
        (-1.0, "sign: the right size, the wrong direction"),
        (2.0, "2x: counted twice"),
        (0.5, "1/2: one of two uses is missing"),
        (3.0, "3x: summed where a mean was meant"),
        (1 / 3, "1/3: divided by the number of inputs"),
        (1.7, "differs"),
    ],
)
def test_a_wrong_gradient_is_named_by_its_ratio(factor, pattern):
    report = gradcheck(lambda a, b, c: scaled(a * b, factor) + c, 2.0, -3.0, 5.0)
    assert [report.pattern(row) for row in report.rows] == [pattern, pattern, "ok"]


def test_a_slightly_wrong_gradient_of_a_single_input_is_no_mean():
    assert name_mistake(1.00001, 1.0, n=1) == "differs"


def test_a_gradient_that_is_not_a_number_is_not_ok():
    assert not GradCheck([Row(math.nan, 1.0)], n=1, tolerance=1e-6).ok


def test_an_infinite_gradient_is_not_ok():
    assert not GradCheck([Row(math.inf, 1.0)], n=1, tolerance=1e-6).ok


def test_the_ratio_to_a_flat_slope_is_not_a_number():
    assert math.isnan(Row(1.0, 0.0).ratio)


def test_the_relative_error_is_a_share_of_the_larger_gradient():
    assert relative_errors(2.0, -2.5) == 4.5 / 2.5


def test_the_relative_error_of_tiny_gradients_is_absolute():
    assert relative_errors(1e-9, 0.0) == pytest.approx(1e-6)


def test_the_table():
    report = GradCheck([Row(2.0, 2.0), Row(-6.0, 3.0), Row(0.0, 0.5)], n=3, tolerance=1e-6)
    assert str(report).split("\n") == [
        "input       analytic        numeric     ratio  pattern",
        "    0              2              2         1  ok",
        "    1             -6              3        -2  differs",
        "    2              0            0.5         0  zero: no gradient arrived",
    ]


def test_an_array_is_shown_by_its_worst_element():
    right = np.array([[1.0, 2.0], [3.0, 4.0]])
    wrong = np.array([[1.0, 2.0], [3.75, 4.0]])
    nothing = np.zeros(0)
    rows = [Row(right, right), Row(wrong, right), Row(right / 4, right), Row(nothing, nothing)]
    report = GradCheck(rows, n=4, tolerance=1e-6)
    assert str(report).split("\n") == [
        "  input       analytic        numeric     ratio  pattern",
        "0[0, 0]              1              1         1  ok",
        "1[1, 0]           3.75              3      1.25  differs",
        "2[0, 0]           0.25              1      0.25  1/4: divided by the number of inputs",
        "      3            nan            nan       nan  ok",
    ]
