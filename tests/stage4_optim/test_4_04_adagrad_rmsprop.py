"""Exercise 4.4: a learning rate for every weight."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage3_nn import Parameter
from stage4_optim import Adagrad, RMSprop

pytestmark = exercise("4.4")

GRADIENTS = [1.0, -2.0, 0.5, 100.0, -0.001]


def run(kind, gradients, **options):
    """Where w = 1 is after each of these gradients."""
    w = Parameter(np.array([1.0]))
    optimizer = kind([w], **options)
    path = []
    for g in gradients:
        w.grad = np.array([g])
        optimizer.step()
        path.append(float(w.data[0]))
    return path


def adagrad(gradients, lr, eps=1e-10, lr_decay=0.0, weight_decay=0.0, start=0.0, first=0):
    w, s, path = 1.0, start, []
    for step, g in enumerate(gradients, first):
        g = g + weight_decay * w
        s += g * g
        w -= lr / (1 + step * lr_decay) * g / (math.sqrt(s) + eps)
        path.append(w)
    return path


def rmsprop(gradients, lr, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0, centered=False):
    w, s, m, v, path = 1.0, 0.0, 0.0, 0.0, []
    for g in gradients:
        g = g + weight_decay * w
        s = alpha * s + (1 - alpha) * g * g
        m = alpha * m + (1 - alpha) * g
        v = momentum * v + g / (math.sqrt(s - m * m if centered else s) + eps)
        w -= lr * v
        path.append(w)
    return path


def test_adagrad_s_first_steps():
    found = run(Adagrad, [2.0, 2.0], lr=0.1)
    grade.close(
        found,
        [0.9, 0.9 - 0.1 / math.sqrt(2)],
        "Adagrad after g = 2, 2, lr = 0.1",
        {
            (0.9, 0.8): "the sum of squares is not kept from step to step",
            (0.95, 0.925): "divide by the root of the sum",
            (1 - 2e9, 1 - 2e9): "s is brought up to date before the step",
            (1.1, 1.1 + 0.1 / math.sqrt(2)): "that is uphill",
        },
    )


def test_adagrad_over_several_steps():
    found = run(Adagrad, GRADIENTS, lr=0.1)
    grade.close(found, adagrad(GRADIENTS, 0.1), "Adagrad after g = 1, -2, 0.5, 100, -0.001")


@pytest.mark.parametrize(
    ("name", "value"), [("lr_decay", 0.5), ("weight_decay", 0.3), ("eps", 0.1)]
)
def test_adagrad_s_options(name, value):
    found = run(Adagrad, GRADIENTS, lr=0.1, **{name: value})
    want = adagrad(GRADIENTS, 0.1, **{name: value})
    ignored = {tuple(adagrad(GRADIENTS, 0.1)): f"{name} is ignored"}
    if name == "lr_decay":
        ignored[tuple(adagrad(GRADIENTS, 0.1, lr_decay=value, first=1))] = (
            "the first step has the whole lr: state counts the steps before this one"
        )
    grade.close(found, want, f"Adagrad with {name} = {value}", ignored)


def test_adagrad_with_all_options_together():
    options = {"lr_decay": 0.5, "weight_decay": 0.3, "eps": 0.1}
    found = run(Adagrad, GRADIENTS, lr=0.1, **options)
    grade.close(found, adagrad(GRADIENTS, 0.1, **options), f"Adagrad with {options}")


def test_adagrad_that_starts_with_a_sum():
    found = run(Adagrad, GRADIENTS, lr=0.1, initial_accumulator_value=4.0)
    grade.close(found, adagrad(GRADIENTS, 0.1, start=4.0), "Adagrad with a first sum of 4")


def test_rmsprop_s_first_steps():
    found = run(RMSprop, [2.0, 2.0], lr=0.1, alpha=0.75)
    second = 0.8 - 0.1 * 2 / math.sqrt(0.75 + 1)
    grade.close(
        found,
        [0.8, second],
        "RMSprop after g = 2, 2, lr = 0.1, alpha = 0.75",
        {
            (
                0.9,
                0.9 - 0.1 / math.sqrt(2),
            ): "that is a sum; here it is a running mean, which forgets",
            (0.88453, 0.78125): "alpha is the share of the old mean: s = alpha s + (1 - alpha) g^2",
            (0.8, 0.6): "the running mean is not kept from step to step",
            (0.9, 0.8): "there is no correction for the start at 0 in RMSprop",
        },
    )


def test_rmsprop_over_several_steps():
    found = run(RMSprop, GRADIENTS, lr=0.01)
    grade.close(found, rmsprop(GRADIENTS, 0.01), "RMSprop after g = 1, -2, 0.5, 100, -0.001")


OPTIONS = [
    {"alpha": 0.5},
    {"weight_decay": 0.3},
    {"eps": 0.1},
    {"momentum": 0.9},
    {"centered": True},
    {"centered": True, "momentum": 0.5, "weight_decay": 0.1, "eps": 0.01},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_rmsprop_s_options(options):
    found = run(RMSprop, GRADIENTS, lr=0.01, **options)
    ignored = {
        tuple(rmsprop(GRADIENTS, 0.01, **{k: v for k, v in options.items() if k != name})): (
            f"{name} is ignored"
        )
        for name in options
    }
    once = "lr counts twice: multiply with it once, at the end, and leave it out of the velocity"
    twice = {tuple(rmsprop(GRADIENTS, 0.01**2, **options)): once}
    want, what = rmsprop(GRADIENTS, 0.01, **options), f"RMSprop with {options}"
    grade.close(found, want, what, ignored | twice)


FIRST = "these are the options of the first group: update is given those of its own"

OF_ADAGRAD = [{"lr": 0.01}, {"lr_decay": 0.5}, {"weight_decay": 0.3}, {"eps": 0.1}]
GROUPS = [(Adagrad, adagrad, options) for options in OF_ADAGRAD]
GROUPS += [(RMSprop, rmsprop, options) for options in [{"lr": 0.01}, *OPTIONS]]


def in_a_second_group(kind, first, second):
    """Where w = 1 is after each of GRADIENTS, in the second of two groups with these options."""
    a, w = Parameter(np.array([1.0])), Parameter(np.array([1.0]))
    optimizer = kind([{"params": [a], **first}, {"params": [w], **second}], lr=0.1)
    path = []
    for g in GRADIENTS:
        a.grad, w.grad = np.array([g]), np.array([g])
        optimizer.step()
        path.append(float(w.data[0]))
    return path


@pytest.mark.parametrize(("kind", "by_hand", "options"), GROUPS, ids=str)
def test_each_group_has_options_of_its_own(kind, by_hand, options):
    path = in_a_second_group(kind, {}, options)
    want = by_hand(GRADIENTS, **{"lr": 0.1, **options})
    first = {tuple(by_hand(GRADIENTS, 0.1)): FIRST}
    grade.close(path, want, f"{kind.__name__}: w in a second group with {options}", first)


BOTH = [
    (Adagrad, adagrad, "weight_decay", 0.1, 0.5),
    (RMSprop, rmsprop, "weight_decay", 0.1, 0.5),
    (RMSprop, rmsprop, "momentum", 0.9, 0.5),
]


@pytest.mark.parametrize(("kind", "by_hand", "name", "other", "own"), BOTH)
def test_an_option_comes_from_the_own_group_if_both_have_it(kind, by_hand, name, other, own):
    path = in_a_second_group(kind, {name: other}, {name: own})
    want = by_hand(GRADIENTS, 0.1, **{name: own})
    first = {tuple(by_hand(GRADIENTS, 0.1, **{name: other})): FIRST}
    grade.close(path, want, f"{kind.__name__}: w in a group with {name} {own}", first)


def test_eps_is_added_to_the_root():
    found = run(RMSprop, [1e-4], lr=0.1, alpha=0.0, eps=1e-4)[0]
    grade.close(
        found,
        0.95,
        "RMSprop after g = 1e-4 with eps = 1e-4, alpha = 0",
        {1 - 1e-5 / math.sqrt(1e-8 + 1e-4): "eps was added under the root"},
    )


@pytest.mark.parametrize("kind", [Adagrad, RMSprop])
def test_every_weight_by_itself_and_in_float32(kind):
    w = Parameter(np.ones(2, np.float32))
    optimizer = kind([w], lr=np.float64(0.1))
    for _ in range(2):
        w.grad = np.array([1.0, 1000.0], np.float32)
        optimizer.step()
    grade.true(w.dtype == np.float32, f"the weight is float32; it is {w.dtype}", "write into it")
    a, b = map(float, w.data)
    grade.close(a, b, "weights with gradients 1 and 1000 move alike", rtol=1e-4)
    grade.close(w.grad, [1, 1000], "the gradient after the step")
