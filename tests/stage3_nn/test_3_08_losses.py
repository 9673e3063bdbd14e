"""Exercise 3.8: squared, absolute, Huber, and yes or no."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage3_nn import binary_cross_entropy_with_logits, huber_loss, l1_loss, mse_loss

pytestmark = exercise("3.8")

LOSSES = {
    "mse_loss": (mse_loss, lambda x, t: (x - t) ** 2),
    "l1_loss": (l1_loss, lambda x, t: np.abs(x - t)),
    "huber_loss": (
        huber_loss,
        lambda x, t: np.where(np.abs(x - t) <= 1, (x - t) ** 2 / 2, np.abs(x - t) - 0.5),
    ),
    "binary_cross_entropy_with_logits": (
        binary_cross_entropy_with_logits,
        lambda x, t: np.logaddexp(0, x) - x * t,
    ),
}
WRONG = {  # what the formula gives if this is the mistake
    "mse_loss": {lambda x, t: (x - t) ** 2 / 2: "the square, not half of it"},
    "l1_loss": {lambda x, t: x - t: "absolute values are missing"},
    "huber_loss": {
        lambda x, t: np.where(np.abs(x - t) > 1, (x - t) ** 2 / 2, np.abs(x - t) - 0.5): (
            "exchanged: the bowl is near 0, the line beyond delta"
        ),
    },
    "binary_cross_entropy_with_logits": {
        lambda x, t: np.logaddexp(0, x) + x * t: "x times the target is subtracted",
        lambda x, t: t * np.logaddexp(0, -x): "what belongs to 1 - target is missing",
    },
}
names = pytest.mark.parametrize("name", LOSSES)
X = np.array([[1.5, -2.0, 0.3], [0.2, 3.0, -1.0]])
TARGET = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.5]])


def leaf(data):
    return Tensor(np.array(data, dtype=float), requires_grad=True)


@names
def test_values_and_reductions(name):
    loss, expected = LOSSES[name]
    each = expected(X, TARGET)
    wrong = {tuple(map(tuple, f(X, TARGET))): why for f, why in WRONG.get(name, {}).items()}
    what = f'{name}(..., reduction="none")'
    grade.close(loss(leaf(X), TARGET, reduction="none"), each, what, wrong)
    grade.close(loss(leaf(X), TARGET, reduction="sum"), each.sum(), f'{name}(..., reduction="sum")')
    grade.close(
        loss(leaf(X), TARGET),
        each.mean(),
        f"{name}(...), which is the mean",
        {
            each.sum() / 2: "the sum was divided by the batch only: the mean is over all elements",
            each.sum(): "that is the sum; the default is the mean",
        },
    )


@names
def test_vjps(name):
    loss, _ = LOSSES[name]
    grade.vjps(lambda x: loss(x, TARGET), leaf(X), what=f"{name}(x, target)")


@names
def test_the_target_may_be_a_tensor(name):
    loss, expected = LOSSES[name]
    found = loss(leaf(X), Tensor(TARGET), reduction="none")
    grade.close(found, expected(X, TARGET), f"{name} of a target in a Tensor")


@names
def test_the_gradient_of_one_loss_at_a_time(name):
    loss, _ = LOSSES[name]
    x = leaf(X)
    loss(x, TARGET, reduction="none").backward(np.array([[0.0, 5.0, 0.0], [0.0, 0.0, 0.0]]))
    slope = {
        "mse_loss": -4.0,
        "l1_loss": -1.0,
        "huber_loss": -1.0,
        "binary_cross_entropy_with_logits": 1 / (1 + math.exp(2.0)),
    }[name]
    want = [[0, 5 * slope, 0], [0, 0, 0]]
    lost = {((0, slope, 0), (0, 0, 0)): "the gradient of the loss itself, g = 5, is missing"}
    grade.close(x.grad, want, f"dL/dx of {name}, if only x[0, 1] counts, 5 times", lost)


@names
@pytest.mark.parametrize("shapes", [((3, 1), (3,)), ((3, 2), (2,)), ((3,), (3, 1)), ((2,), ())])
def test_unequal_shapes_are_refused(name, shapes):
    loss, _ = LOSSES[name]
    x, target = np.ones(shapes[0]), np.ones(shapes[1])
    grade.raises(
        lambda: loss(leaf(x), target),
        f"{name} of shapes {shapes[0]} and {shapes[1]}",
        "broadcasting would compare every prediction with every target",
    )


@names
def test_an_unknown_reduction_is_refused(name):
    loss, _ = LOSSES[name]
    grade.raises(
        lambda: loss(leaf(X), TARGET, reduction="avg"),
        f'{name}(..., reduction="avg")',
        'it is "mean", "sum" or "none"',
    )


def test_the_knee_of_huber():
    x = leaf([0.5, 1.5, 3.0, -3.0])
    loss = huber_loss(x, np.zeros(4), reduction="none", delta=2.0)
    apart = (0.125, 1.125, 5.0, 5.0)
    divided = tuple(np.array([0.125, 1.125, 4.0, 4.0]) / 2)
    wrong = {
        apart: "the line must meet the bowl: delta (|d| - delta / 2)",
        divided: "it is not divided by delta",
        (0.125, 1.0, 4.0, 4.0): "the bowl ends at delta, not at 1",
        (0.125, 1.0, 2.5, 2.5): "delta is ignored",
    }
    grade.close(loss, [0.125, 1.125, 4.0, 4.0], "huber_loss, delta=2, at 0.5, 1.5, 3, -3", wrong)
    loss.backward(np.ones(4))
    grade.close(x.grad, [0.5, 1.5, 2.0, -2.0], "its gradient, which ends at delta")


@pytest.mark.parametrize("delta", [0.0, -1.0])
def test_a_delta_that_is_none_is_refused(delta):
    why = "with delta below 0 the loss is negative, and falls with the distance"
    x, target = leaf([0.5]), np.zeros(1)
    grade.raises(lambda: huber_loss(x, target, delta=delta), f"huber_loss, delta={delta}", why)


TINY = (1e-12, 1e-8, 1e-7, 1e-10, 1e-15, 1e-16)
CAPPED = "a small number inside of the log caps the loss: use log(e^0 + e^x) - x t, by logsumexp"


@pytest.mark.parametrize("sign", [1, -1])
def test_yes_or_no_far_out(sign):
    x = leaf([1000.0 * sign])
    target = np.array([0.0 if sign > 0 else 1.0])
    loss = binary_cross_entropy_with_logits(x, target)
    overflow = (
        "sigmoid was rounded to 0 or 1 before the log: use log(e^0 + e^x) - x t, by logsumexp"
    )
    grade.close(
        loss,
        1000.0,
        f"the loss at x = {1000 * sign} for target {target[0]:g}",
        {math.inf: overflow, math.nan: overflow} | {-math.log(eps): CAPPED for eps in TINY},
    )
    loss.backward()
    grade.close(x.grad, [sign], "its gradient, sigmoid(x) - target")


def test_yes_or_no_where_the_answer_is_certain():
    x = leaf([1000.0, -1000.0])
    loss = binary_cross_entropy_with_logits(x, np.array([1.0, 0.0]))
    grade.close(
        loss, 0.0, "the loss of two certain and right answers", {math.nan: "0 times log 0 is NaN"}
    )


def test_yes_or_no_at_zero_where_training_starts():
    x = leaf([0.0, 0.0])
    loss = binary_cross_entropy_with_logits(x, np.array([0.0, 1.0]), reduction="sum")
    grade.close(loss, 2 * math.log(2), "the loss at x = 0")
    loss.backward()
    kinks = "relu, maximum and abs have kinks at 0, and the loss has none: use logsumexp of 0 and x"
    wrong = {(0.0, -1.0): kinks, (1.0, 0.0): kinks, (-0.5, -1.5): kinks, (1.5, 0.5): kinks}
    grade.close(x.grad, [0.5, -0.5], "its gradient at x = 0, sigmoid(0) - target", wrong)


@names
def test_float32_stays_float32(name):
    loss, _ = LOSSES[name]
    x = Tensor(X.astype(np.float32), requires_grad=True)
    y = loss(x, TARGET)
    grade.true(y.dtype == np.float32, f"{name} is float32; it is {y.dtype}", "constants adapt")
    y.backward()
    grade.true(x.grad.dtype == np.float32, f"the gradient of {name} is float32", "keep the dtype")
