"""Exercise 4.1: downhill, in place."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage3_nn import Parameter
from stage4_optim import SGD

pytestmark = exercise("4.1")


def weights(*numbers, dtype=float):
    """A Parameter for each of the lists."""
    return [Parameter(np.array(n, dtype)) for n in numbers]


def test_one_step():
    w, b = weights([1.0, 2.0], 3.0)
    (w * np.array([10.0, 20.0])).sum().backward()
    (b * 5).backward()
    SGD([w, b], lr=0.1).step()
    unchanged = "the Parameter did not move: `p = ...` gives a name to something new, write p.data"
    uphill = "that is uphill: subtract the gradient"
    causes = {(1.0, 2.0): unchanged, (2.0, 4.0): uphill, (-9.0, -18.0): "lr is missing"}
    grade.close(w, [0.0, 0.0], "w = [1, 2] after a step with g = [10, 20], lr = 0.1", causes)
    grade.close(b, 2.5, "b = 3 after a step with g = 5, lr = 0.1")


def test_the_parameter_stays_a_leaf():
    (w,) = weights([1.0, 2.0])
    optimizer = SGD([w], lr=0.1)
    before = w
    for _ in range(3):
        optimizer.zero_grad()
        (w * w).sum().backward()
        optimizer.step()
    grade.true(w is before and w.requires_grad, "w is the same Parameter", "change its data only")
    grade.true(not getattr(w, "parents", ()), "w has no history", "the update is no operation")
    optimizer.zero_grad()
    (w * 3).sum().backward()
    grade.close(w.grad, [3, 3], "gradients still arrive after three steps")


def test_a_valley():
    (w,) = weights([5.0, -3.0])
    optimizer = SGD([w], lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        (w * w).sum().backward()
        optimizer.step()
    kept = "the gradients of earlier steps are still there: zero_grad must forget them"
    found = w.data
    grade.close(
        found,
        np.array([5.0, -3.0]) * 0.8**3,
        "three steps down w^2, lr = 0.1",
        {
            (0, 0): "zero_grad forgets the gradients, not the weights",
            (5 * 0.8 * 0.44, -3 * 0.8 * 0.44): kept,
            tuple(np.array([5.0, -3.0]) * 0.016): kept,
        },
    )


def test_old_gradients_are_forgotten():
    (w,) = weights(1.0)
    optimizer = SGD([w], lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        (w * w).backward()
        optimizer.step()
    grade.close(
        w,
        0.64,
        "w = 1 after two steps down w^2, lr = 0.1",
        {0.44: "the gradient of the first step was still there: zero_grad must forget it"},
    )


def test_after_zero_grad_no_two_gradients_are_one_array():
    a, b = weights([0.0, 0.0], [0.0, 0.0])
    SGD([a, b], lr=0.1).zero_grad()
    (a + b * 10).sum().backward()
    grade.close(
        a.grad,
        [1, 1],
        "dL/da of a + 10 b after zero_grad",
        {(11, 11): "a and b share one array of zeros: give each its own, or None"},
    )
    grade.close(
        b.grad,
        [10, 10],
        "dL/db of a + 10 b after zero_grad",
        {(11, 11): "a and b share one array of zeros: give each its own, or None"},
    )


def test_a_parameter_without_a_gradient_stays():
    used, unused = weights([1.0], [1.0])
    (used * 2).sum().backward()
    SGD([used, unused], lr=0.1, weight_decay=0.0).step()
    grade.close(unused, [1.0], "a Parameter without a gradient")
    grade.close(used, [0.8], "the Parameter beside it")


def test_a_missing_gradient_in_front_stops_nobody():
    first, last = weights([1.0], [1.0])
    (last * 2).sum().backward()
    SGD([first, last], lr=0.1).step()
    skipped = {(1.0,): "leave out the Parameter without a gradient, not all that come behind it"}
    grade.close(last, [0.8], "the Parameter behind one without a gradient", skipped)


@pytest.mark.parametrize("groups", [1, 2])
def test_zero_grad_reaches_every_group_before_and_after_a_backward(groups):
    a, b = weights([1.0], [1.0])
    optimizer = SGD([a, b] if groups == 1 else [{"params": [a]}, {"params": [b]}], lr=0.1)
    optimizer.zero_grad()
    (a + b).sum().backward()
    optimizer.zero_grad()
    found = [0.0 if p.grad is None else float(p.grad[0]) for p in (a, b)]
    kept = {(0, 1): "go through every group: self.parameters()"}
    grade.close(found, [0, 0], f"the gradients after zero_grad, in {groups} group(s)", kept)


@pytest.mark.parametrize("lr", [0.1, np.float64(0.1), np.array(0.1)], ids=["float", "np", "array"])
def test_float32_stays_float32(lr):
    (w,) = weights([1.0, 2.0], dtype=np.float32)
    (w * w).sum().backward()
    SGD([w], lr=lr).step()
    grade.true(
        w.dtype == np.float32,
        f"the weight is float32; it is {w.dtype}",
        "a float64 learning rate must not widen it: write into p.data",
    )
    grade.close(w, [0.8, 1.6], "the weight after the step", rtol=1e-6)


def test_the_gradient_stays_as_it_was():
    (w,) = weights([1.0, 2.0])
    (w * w).sum().backward()
    SGD([w], lr=0.1).step()
    why = "step leaves the gradients alone: clipping and logs may read them"
    grade.true(w.grad is not None, "the gradient is there after the step", why)
    scaled = {(0.2, 0.4): "the step was computed in the gradient's own array: g *= lr changes it"}
    grade.close(w.grad, [2, 4], "the gradient after the step", scaled)


def test_groups_have_options_of_their_own():
    a, b = weights([1.0], [1.0])
    (a + b).sum().backward()
    SGD([{"params": [a]}, {"params": [b], "lr": 0.5}], lr=0.1).step()
    found = [float(a.data[0]), float(b.data[0])]
    grade.close(
        found,
        [0.9, 0.5],
        "two groups with lr 0.1 and 0.5",
        {
            (0.9, 0.9): "each group has its own lr: pass the group to update",
            (0.9, 1.0): "only the first group moved",
        },
    )


def test_a_new_learning_rate_acts_at_once():
    (w,) = weights(1.0)
    optimizer = SGD([w], lr=0.1)
    for lr in (0.1, 0.01):
        optimizer.lr = lr
        optimizer.zero_grad()
        (w * 1.0).backward()
        optimizer.step()
    grade.close(w, 0.89, "w = 1 after steps of lr 0.1 and 0.01 with g = 1")


def test_any_tensor_that_wants_a_gradient_may_be_trained():
    x = Tensor(np.array([1.0]), requires_grad=True)
    (x * 2).sum().backward()
    SGD([x], lr=0.1).step()
    grade.close(x, [0.8], "a plain Tensor after a step")
