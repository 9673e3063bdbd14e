"""Exercise 4.3: a pull to 0, in two ways."""

import numpy as np

from course import grade
from course.grade import exercise
from stage3_nn import Parameter
from stage4_optim import SGD
from stage4_optim.decay import l2_gradient, shrink

pytestmark = exercise("4.3")


def parameter(*numbers, dtype=float):
    return Parameter(np.array(numbers, dtype))


def test_l2_is_a_part_of_the_gradient():
    p, g = parameter(1.0, -2.0), np.array([10.0, 10.0])
    found = l2_gradient(p, g, 0.1, np.empty(2))
    grade.close(
        found,
        [10.1, 9.8],
        "g = [10, 10] with decay 0.1 of w = [1, -2]",
        {
            (10.05, 9.9): "the gradient of wd / 2 w^2 is wd w, without the half",
            (10.2, 9.6): "the gradient of wd / 2 w^2 is wd w, without a 2",
            (10.1, 10.4): "the gradient of wd / 2 w^2 is wd w, not its square",
            (10.1, 9.9): "that is the gradient of |w|, L1",
            (9.9, 10.2): "decay pulls to 0: add it, since the step subtracts",
        },
    )
    grade.close(g, [10.0, 10.0], "g afterwards: it belongs to the Parameter")
    grade.close(p, [1.0, -2.0], "w afterwards: the step comes later")


def test_shrink():
    p = parameter(1.0, -2.0)
    shrink(p, 0.1, 0.5)
    grade.close(
        p,
        [0.95, -1.9],
        "w = [1, -2] after shrink with lr = 0.1, decay = 0.5",
        {
            (0.5, -1.0): "lr is missing: p (1 - lr wd)",
            (0.95, -2.05): "a share of p is taken off, not a number",
            (1.05, -2.1): "that is away from 0",
            (0.9, -1.8): "the decay is missing: p (1 - lr wd)",
            (0.05, -0.1): "p (1 - lr wd), not p lr wd",
            (1.0, -2.0): "the Parameter did not move: write into p.data",
        },
    )


def test_float32_stays_float32():
    p = parameter(1.0, dtype=np.float32)
    g = l2_gradient(p, np.ones(1, np.float32), np.float64(0.1), np.empty(1, np.float32))
    grade.true(g.dtype == np.float32, f"the gradient is float32; it is {g.dtype}", "keep it")
    shrink(p, np.float64(0.1), np.float64(0.1))
    grade.true(p.dtype == np.float32, f"the weight is float32; it is {p.dtype}", "write into it")


def run(gradients, **options):
    p = parameter(1.0)
    optimizer = SGD([p], lr=0.1, **options)
    for g in gradients:
        p.grad = np.array([g], float)
        optimizer.step()
    return float(p.data[0])


def test_decay_without_momentum():
    grade.close(
        run([0], weight_decay=0.1),
        0.99,
        "SGD: w = 1 after g = 0, decay 0.1, lr 0.1",
        {1.0: "decay was left out: update must call l2_gradient without momentum too"},
    )


def test_decay_in_one_group_of_two():
    a, b = parameter(1.0), parameter(1.0)
    optimizer = SGD([{"params": [a]}, {"params": [b], "weight_decay": 0.5}], lr=0.1)
    a.grad, b.grad = np.array([1.0]), np.array([1.0])
    optimizer.step()
    first = {(0.9, 0.9): "the decay was read from the first group: update is given its own group's"}
    found = [float(a.data[0]), float(b.data[0])]
    grade.close(found, [0.9, 0.85], "w = 1 after g = 1, without and with decay 0.5", first)


def test_two_groups_decay_by_their_own_amount():
    a, b = parameter(1.0), parameter(1.0)
    groups = [{"params": [a], "weight_decay": 0.1}, {"params": [b], "weight_decay": 0.5}]
    optimizer = SGD(groups, lr=0.1)
    a.grad, b.grad = np.array([1.0]), np.array([1.0])
    optimizer.step()
    first = {(0.89, 0.89): "the decay was read from the first group: update is given its own"}
    found = [float(a.data[0]), float(b.data[0])]
    grade.close(found, [0.89, 0.85], "w = 1 after g = 1 with decay 0.1 and 0.5", first)


def test_a_parameter_without_a_gradient_does_not_decay():
    p = parameter(1.0)
    SGD([p], lr=0.1, weight_decay=0.5).step()
    decayed = {(0.95,): "no gradient is not a gradient of 0: step leaves such a Parameter alone"}
    grade.close(p, [1.0], "w = 1 after a step without a gradient, decay 0.5", decayed)


def test_decay_comes_before_momentum():
    found = run([1, 1], weight_decay=0.1, momentum=0.9)
    grade.close(
        found,
        0.6821,
        "SGD: w = 1 after g = 1, 1, decay 0.1, mu 0.9, lr 0.1",
        {
            0.6911: "decay was added after momentum: it is a part of the gradient",
            0.71: "decay was left out",
        },
    )


def test_decay_acts_on_the_weight_as_it_is_now():
    found = run([0, 0, 0], weight_decay=1.0)
    grade.close(found, 0.9**3, "SGD: w = 1 after three steps with g = 0, decay 1, lr 0.1")


def test_decay_with_momentum_and_dampening():
    p = parameter(1.0)
    optimizer = SGD([p], lr=0.1, momentum=0.5, dampening=0.2, weight_decay=0.1)
    w, v, found, want = 1.0, None, [], []
    for g in (1.0, -2.0, 0.5):
        p.grad = np.array([g])
        optimizer.step()
        found.append(float(p.data[0]))
        g += 0.1 * w
        v = g if v is None else 0.5 * v + 0.8 * g
        w -= 0.1 * v
        want.append(w)
    grade.close(found, want, "w after g = 1, -2, 0.5; mu 0.5, dampening 0.2, decay 0.1")
