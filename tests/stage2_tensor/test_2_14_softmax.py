"""Exercise 2.14: softmax, log_softmax and logsumexp, for numbers of any size."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor, log_softmax, softmax

pytestmark = exercise("2.14")


def leaf(data):
    """A float64 Tensor that wants a gradient."""
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def some(shape):
    """A leaf of random numbers."""
    return leaf(np.random.default_rng(0).standard_normal(shape))


FUNCTIONS = {
    "softmax": softmax,
    "log_softmax": log_softmax,
    "logsumexp": lambda x, axis: x.logsumexp(axis),
}


@pytest.mark.parametrize("axis", [-1, 0, 1, -2])
def test_values(axis):
    x = some((2, 3))
    e = np.exp(x.data)
    total = e.sum(axis=axis, keepdims=True)
    last = e / e.sum(axis=-1, keepdims=True)
    fixed = [(last, "use the argument axis"), (np.log(last), "use the argument axis")]
    fixed = fixed if axis in (0, -2) else []
    grade.close(softmax(x, axis), e / total, f"softmax(x, axis={axis})", fixed)
    grade.close(log_softmax(x, axis), np.log(e / total), f"log_softmax(x, axis={axis})", fixed)
    whole = np.log(total).squeeze(axis)
    shifted = whole - x.data.max(axis)
    wrong = [(shifted, "the shift is left out at the end: add the maximum again")]
    grade.close(x.logsumexp(axis), whole, f"x.logsumexp(axis={axis})", wrong)


@pytest.mark.parametrize("axis", [-1, 0, 1])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_vjps(name, axis):
    grade.vjps(lambda x: FUNCTIONS[name](x, axis), some((2, 3, 4)), what=f"{name}(x, axis={axis})")


def test_every_input_moves_every_output():
    x = leaf([1.0, 2.0, 3.0])
    g = np.array([1.0, 0.0, 0.0])
    s = np.exp([1.0, 2.0, 3.0]) / np.exp([1.0, 2.0, 3.0]).sum()
    wrong = {tuple(g * s * (1 - s)): "s (1 - s) is the share of an output from its own input only"}
    want = s * (g - (g * s).sum())
    grade.close(
        grade.vjp(softmax(x), x, g), want, "dL/dx of softmax([1, 2, 3]) for g = [1, 0, 0]", wrong
    )


def test_the_gradient_of_log_softmax():
    x = leaf([1.0, 2.0, 3.0])
    g = np.array([3.0, 0.0, 0.0])
    s = np.exp([1.0, 2.0, 3.0]) / np.exp([1.0, 2.0, 3.0]).sum()
    wrong = {tuple(g - s): "softmax must be multiplied with the sum of g, which is 3 here"}
    found = grade.vjp(log_softmax(x), x, g)
    grade.close(found, g - 3 * s, "dL/dx of log_softmax([1, 2, 3]) for g = [3, 0, 0]", wrong)


def test_large_numbers():
    overflow = "exp overflowed: subtract the maximum along the axis first"
    x = leaf([1000.0, 1000.0])
    grade.close(softmax(x), [0.5, 0.5], "softmax([1000, 1000])", {(math.nan, math.nan): overflow})
    grade.close(
        x.logsumexp(), 1000 + math.log(2), "logsumexp of [1000, 1000]", {math.inf: overflow}
    )
    x = leaf([0.0, 1000.0])
    wrong = {
        (-math.inf, 0.0): "softmax was rounded to 0 before the log: compute it without softmax"
    }
    grade.close(log_softmax(x), [-1000.0, 0.0], "log_softmax([0, 1000])", wrong)


ROWS = "the maximum of the whole array: every row has one of its own, along the axis"


def test_every_row_has_its_own_maximum():
    x = leaf([[0.0, 0.0], [1000.0, 1000.0]])
    wrong = {((0.0, 0.0), (0.5, 0.5)): ROWS, ((math.nan, math.nan), (0.5, 0.5)): ROWS}
    with np.errstate(divide="ignore", invalid="ignore"):
        grade.close(softmax(x), np.full((2, 2), 0.5), "softmax([[0, 0], [1000, 1000]])", wrong)
        wrong = {((math.inf,) * 2, (-math.log(2),) * 2): ROWS}
        want = np.full((2, 2), -math.log(2))
        grade.close(log_softmax(x), want, "log_softmax([[0, 0], [1000, 1000]])", wrong)
        wrong = {(-math.inf, 1000 + math.log(2)): ROWS}
        want = [math.log(2), 1000 + math.log(2)]
        found = x.logsumexp(axis=1)
        grade.close(found, want, "logsumexp of [[0, 0], [1000, 1000]], axis=1", wrong)


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
def test_the_maximum_is_that_along_the_axis(axis):
    columns = np.array([[0.0, 1000.0]] * 3)
    x = leaf(columns if axis in (0, -2) else columns.T)
    third = np.full(x.shape, 1 / 3)
    what = f"{'columns' if axis in (0, -2) else 'rows'} of 0 and of 1000, axis={axis}"
    with np.errstate(all="ignore"):
        grade.close(softmax(x, axis), third, f"softmax of {what}")
        grade.close(log_softmax(x, axis), np.log(third), f"log_softmax of {what}")
        want = [math.log(3), 1000 + math.log(3)]
        grade.close(x.logsumexp(axis), want, f"logsumexp of {what}")


@pytest.mark.parametrize("numbers", [[0.0, 1000.0], [-1000.0, -1000.0]], ids=str)
def test_the_shift_is_the_maximum_itself(numbers):
    x = leaf(numbers)
    tied = numbers[0] == numbers[1]
    why = "shift by the maximum, whatever it is: not by the minimum, nor by 0 below 0"
    want = [0.5, 0.5] if tied else [0.0, 1.0]
    wrong = dict.fromkeys([(0.0, math.nan), (math.nan, math.nan), (0.0, 0.0)], why)
    with np.errstate(all="ignore"):
        grade.close(softmax(x), want, f"softmax({numbers})", wrong)
        want = [-math.log(2)] * 2 if tied else [-1000.0, 0.0]
        wrong = dict.fromkeys([(-math.inf, math.nan), (math.inf, math.inf)], why)
        grade.close(log_softmax(x), want, f"log_softmax({numbers})", wrong)
        want = numbers[1] + (math.log(2) if tied else 0)
        wrong = dict.fromkeys([math.inf, -math.inf], why)
        grade.close(x.logsumexp(), want, f"logsumexp of {numbers}", wrong)


def test_arrays_and_lists():
    why = "the input need not be a Tensor: require_rows makes one of it"
    for name, y in [("softmax", softmax([0.0, 0.0])), ("log_softmax", log_softmax(np.zeros(2)))]:
        grade.true(isinstance(y, Tensor), f"{name} of a list or an array is a Tensor", why)


@pytest.mark.parametrize(("shape", "axis"), [((0, 3), 1), ((3, 0), 0)], ids=str)
def test_no_rows_at_all(shape, axis):
    x = leaf(np.zeros(shape))
    for name, f in FUNCTIONS.items():
        want = shape if name != "logsumexp" else (0,)
        found = np.array(f(x, axis).shape)
        grade.close(found, want, f"the shape of {name}(x, axis={axis}) for shape {shape}")


def test_the_gradient_where_a_softmax_is_rounded_to_zero():
    x = leaf([-600.0, 250.0, 400.0])
    y = log_softmax(x)
    found = grade.vjp(y, x, np.array([-1.0, 0.0, 0.0]))
    wrong = {(math.nan, 0.0, math.nan): "a division by the softmax, which is 0 here"}
    grade.close(found, [-1.0, 0.0, 1.0], "dL/dx of log_softmax for g = [-1, 0, 0]", wrong)


def test_minus_infinity_counts_nothing():
    x = leaf([-math.inf, 0.0])
    grade.close(softmax(x), [0.0, 1.0], "softmax([-inf, 0])")
    grade.close(x.logsumexp(), 0.0, "logsumexp of [-inf, 0]")
    y = softmax(leaf([-math.inf, -math.inf]))
    grade.close(y, [0.0, 0.0], "softmax of -inf only: nothing has any probability")
    grade.close(grade.vjp(x.logsumexp(), x, np.array(1.0)), [0.0, 1.0], "its gradient")
    wrong = {math.nan: "-inf minus -inf is NaN: shift by 0 where the maximum is infinite"}
    grade.close(
        leaf([-math.inf, -math.inf]).logsumexp(), -math.inf, "logsumexp of -inf only", wrong
    )


def test_nan_is_not_hidden():
    x = leaf([2.0, math.nan, 1.0])
    everywhere = np.full(3, math.nan)
    why = "NaN is not greater than 0, so the row was divided by 1: ask for total == 0"
    wrong = {(math.exp(2), math.nan, math.exp(1)): why}
    grade.close(softmax(x), everywhere, "softmax([2, NaN, 1])", wrong)
    grade.close(x.logsumexp(), math.nan, "logsumexp of [2, NaN, 1]")
    grade.close(grade.vjp(x.logsumexp(), x, np.array(1.0)), everywhere, "its gradient", wrong)


def test_logsumexp_over_everything_and_with_keepdims():
    x = some((2, 3))
    grade.close(x.logsumexp(), np.log(np.exp(x.data).sum()), "x.logsumexp()")
    y = x.logsumexp(axis=1, keepdims=True)
    grade.close(np.array(y.shape), [2, 1], "the shape of x.logsumexp(axis=1, keepdims=True)")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_float32_stays_float32(name):
    x = Tensor(np.ones((2, 3), np.float32), requires_grad=True)
    y = FUNCTIONS[name](x, -1)
    grade.true(y.dtype == np.float32, f"{name} is float32; it is {y.dtype}", "keep the dtype")
