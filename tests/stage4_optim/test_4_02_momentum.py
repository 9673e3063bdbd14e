"""Exercise 4.2: a ball that rolls."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage3_nn import Parameter
from stage4_optim import SGD

pytestmark = exercise("4.2")


def run(gradients, lr=0.1, dtype=float, **options):
    """Where w = 1 is after each of these gradients; `lr` may be a list, one for each step."""
    w = Parameter(np.array(1.0, dtype))
    rates = lr if isinstance(lr, list) else [lr] * len(gradients)
    optimizer = SGD([w], lr=rates[0], **options)
    path = []
    for g, rate in zip(gradients, rates):
        optimizer.lr = rate
        w.grad = np.array(g, dtype)
        optimizer.step()
        path.append(float(w.data))
    return path


DAMPED = "g is multiplied by 1 - mu: that is the damped form, here v = mu v + g"


def test_momentum():
    grade.close(
        run([1, 2], momentum=0.9),
        [0.9, 0.61],
        "w after g = 1, 2 with mu = 0.9",
        {
            (0.99, 0.961): DAMPED,
            (0.9, 0.79): DAMPED,
            (0.9, 0.7): "there is no momentum: does update call velocity, and is v kept in state?",
            (0.81, 0.349): "that is Nesterov: without it velocity returns v",
            (1.1, 1.39): "v holds gradients: the minus stands in update",
            (1.0, 0.9): "v starts at 0 and is used before g is added",
        },
    )


def test_three_steps_that_change_their_mind():
    path = run([1, -2, 0.5], momentum=0.5)
    damped = (0.9, 0.95, 0.9625)
    wrong = {damped: "g is multiplied by 1 - mu: that is the damped form, here v = mu v + g"}
    grade.close(path, [0.9, 1.05, 1.075], "w after g = 1, -2, 0.5 with mu = 0.5", wrong)


def test_a_new_learning_rate_acts_at_once():
    path = run([1, 1], lr=[0.1, 0.01], momentum=0.9)
    grade.close(
        path[1],
        0.881,
        "w after g = 1, 1 with lr 0.1, then 0.01",
        {0.80: "v contains lr: keep gradients in it, and multiply by lr at the end"},
    )


def test_dampening_spares_the_first_step():
    path = run([1, 1], momentum=0.9, dampening=0.5)
    grade.close(
        path,
        [0.9, 0.76],
        "w after g = 1, 1 with mu = 0.9, dampening = 0.5",
        {
            (0.95, 0.855): "the first v is g itself, not dampened",
            (0.9, 0.71): "dampening is missing: v = mu v + (1 - dampening) g",
        },
    )


def test_nesterov():
    path = run([1, 1], momentum=0.9, nesterov=True)
    grade.close(
        path,
        [0.81, 0.539],
        "w after g = 1, 1 with mu = 0.9 and Nesterov",
        {
            (0.9, 0.71): "that is plain momentum: the step is g + mu v",
            (0.81, 0.62): "g + mu v needs the new v, that of this step",
            (0.9, 0.629): "the first step is g + mu v too",
            (0.9, 0.719): "g + mu v needs the new v",
            (0.81, 0.4661): "g + mu v is used and thrown away: v itself stays",
        },
    )


def test_every_parameter_has_its_own_velocity():
    a, b = Parameter(np.array(1.0)), Parameter(np.array(1.0))
    optimizer = SGD([a, b], lr=0.1, momentum=0.9)
    for ga, gb in ((1.0, -1.0), (1.0, -1.0)):
        a.grad, b.grad = np.array(ga), np.array(gb)
        optimizer.step()
    grade.close(
        [float(a.data), float(b.data)],
        [0.71, 1.29],
        "two Parameters that part",
        {(0.809, 1.0281): "they share one v"},
    )


@pytest.mark.parametrize(
    "options",
    [{"lr": 0.01}, {"momentum": 0.5}, {"dampening": 0.5}, {"nesterov": True}],
    ids=str,
)
def test_each_group_has_options_of_its_own(options):
    a, b = Parameter(np.array(1.0)), Parameter(np.array(1.0))
    optimizer = SGD([{"params": [a]}, {"params": [b], **options}], lr=0.1, momentum=0.9)
    for g in (1.0, 1.0):
        a.grad, b.grad = np.array(g), np.array(g)
        optimizer.step()
    want = run([1, 1], **{"lr": 0.1, "momentum": 0.9, **options})[1]
    first = {0.71: "these are the options of the first group: update is given those of its own"}
    grade.close(b, want, f"w = 1 in a second group with {options}, after g = 1, 1", first)


def test_momentum_in_one_group_of_two():
    a, b = Parameter(np.array(1.0)), Parameter(np.array(1.0))
    optimizer = SGD([{"params": [a]}, {"params": [b], "momentum": 0.9}], lr=0.1)
    for g in (1.0, 1.0):
        a.grad, b.grad = np.array(g), np.array(g)
        optimizer.step()
    first = {(0.8, 0.8): "whether there is momentum was read from the first group"}
    grade.close([float(a.data), float(b.data)], [0.8, 0.71], "a without, b with momentum", first)


def test_nesterov_looks_ahead_from_a_gradient_that_changes():
    found = run([1, -2, 0.5], momentum=0.5, nesterov=True)
    grade.close(
        found,
        [0.85, 1.125, 1.0875],
        "w after g = 1, -2, 0.5 with mu = 0.5 and Nesterov",
        {(0.85, 1.075, 1.1125): "the step is g + mu v, not v + mu v"},
    )


def test_the_gradient_is_copied():
    w = Parameter(np.array([1.0]))
    optimizer = SGD([w], lr=0.1, momentum=0.9)
    g = np.array([1.0])
    w.grad = g
    optimizer.step()
    g[:] = 100.0  # whoever owns this array may use it again
    w.grad = np.array([1.0])
    optimizer.step()
    grade.close(
        w,
        [0.71],
        "w, if the first gradient's array is used again",
        {
            (-8.2,): "v is the gradient's own array: copy it",
            (-8.3,): "v is the gradient's own array: copy it",
        },
    )
    grade.close(w.grad, [1.0], "the gradient after the step")


def test_no_momentum_remembers_nothing():
    grade.close(run([1, 1]), [0.9, 0.8], "w after g = 1, 1 without momentum")


@pytest.mark.parametrize("nesterov", [False, True])
def test_float32_stays_float32(nesterov):
    w = Parameter(np.array([1.0], np.float32))
    optimizer = SGD([w], lr=np.float64(0.1), momentum=np.float64(0.9), nesterov=nesterov)
    for _ in range(2):
        w.grad = np.array([1.0], np.float32)
        optimizer.step()
    grade.true(w.dtype == np.float32, f"the weight is float32; it is {w.dtype}", "write into it")
