"""Exercise 2.16: backward and measurement, side by side for every element."""

import numpy as np

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor, gradcheck

pytestmark = exercise("2.16")


def some(shape, seed=0, dtype=float):
    """A Tensor of numbers between 0.5 and 2."""
    return Tensor(np.random.default_rng(seed).uniform(0.5, 2, shape).astype(dtype))


def test_a_right_gradient_passes():
    report = gradcheck(lambda a, b: a * b + b, some((2, 3)), some((3,), seed=1))
    why = "both columns must agree: backward starts with the weights, as the measured sum has them"
    grade.true(report.ok, f"report.ok\n{report}", why)
    grade.close(len(report.rows), 2, "the number of rows")
    grade.close(report.rows[1].numeric, report.rows[1].analytic, "numeric of b", rtol=1e-5)


def test_the_run_is_two_steps_long():
    row = gradcheck(lambda x: x * 3, some((2,))).rows[0]
    wrong = [(2 * row.analytic, "from x - h to x + h it is 2 h: divide the rise by 2 h")]
    grade.close(row.numeric, row.analytic, "numeric of 3 x", wrong, rtol=1e-5)


def test_a_detached_factor_is_found():
    report = gradcheck(lambda x: x * x.detach(), some((4,)))
    why = "the numeric column must not come from backward"
    grade.true(not report.ok, f"not report.ok\n{report}", why)
    analytic, numeric = report.rows[0].analytic, report.rows[0].numeric
    wrong = {tuple(analytic / 2): "the columns are exchanged: it is Row(analytic, numeric)"}
    grade.close(numeric, 2 * analytic, "numeric", wrong, rtol=1e-5)


def test_the_measured_slope_is_central():
    report = gradcheck(lambda x: x * x, Tensor(np.array([0.001, -0.002])))
    why = "this is the slope from x to x + h: put x in the middle, from x - h to x + h"
    grade.true(report.ok, f"report.ok\n{report}", why)


def test_a_sum_would_hide_this():
    def softmax_without_gradient(x):
        e = x.exp()
        return (e / e.sum()).detach() + x * 0  # adds up to 1, so the slope of the sum is 0

    report = gradcheck(softmax_without_gradient, some((3,)))
    why = "weigh the output with random numbers before summing"
    grade.true(not report.ok, f"not report.ok\n{report}", why)


def test_inputs_of_float32_are_checked_in_float64():
    report = gradcheck(lambda x: x.sum() * x, some((3,), dtype=np.float32))
    why = "float32 has 7 digits, and the difference of two near numbers has none left"
    grade.true(report.ok, f"report.ok\n{report}", why)


def test_an_input_that_is_not_used():
    report = gradcheck(lambda a, b: a * 2, some((2,)), some((3,), seed=1))
    found = report.rows[1].analytic
    why = "the grad of an input that is not used is None: write zeros of its shape into the row"
    grade.true(found is not None, f"analytic of b is an array of zeros; it is {found}", why)
    grade.close(found, np.zeros(3), "analytic of b: its grad is None")
    grade.close(report.rows[1].numeric, np.zeros(3), "numeric of b", atol=1e-6)


def test_the_inputs_stay_as_they_were():
    x = some((3,))
    before = x.data.copy()
    gradcheck(lambda x: x * 2, x)
    grade.close(x, before, "x.data afterwards")
    grade.true(x.grad is None, "x.grad is None", "work on copies of the inputs")


def test_a_step_into_the_complex_plane():
    report = gradcheck(lambda x: x * x.exp(), some((2, 2)), complex_step=True)
    grade.true(
        report.rows[0].relative_error < 1e-12,
        f"exact to the last digits\n{report}",
        "hand complex_step on: measure with measure_complex",
    )
