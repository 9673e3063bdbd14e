"""Exercise 1.10: a loss, and gradient descent written by hand."""

import numpy as np

from course import grade
from course.grade import exercise
from stage1_autodiff import MLP, Module, Value, accuracy, hinge_loss, train, two_moons

pytestmark = exercise("1.10")


class Line(Module):
    """score(x) = w x, the smallest model there is."""

    def __init__(self, w):
        self.w = Value(w)

    def __call__(self, x):
        return self.w * x[0]

    def parameters(self):
        return [self.w]

    def zero_grad(self):
        self.w.grad = 0.0


def test_the_hinge_loss_without_a_penalty():
    model = Line(1.0)
    points, labels = [[2.0], [0.5], [0.5]], [1.0, 1.0, -1.0]
    loss = hinge_loss(model, points, labels, alpha=0.0)
    wrong = {
        2.0: "this is the sum over the points; the mean is asked for",
        1 / 3: "without the relu a point beyond the margin earns a negative cost",
        5 / 3: "the sign is wrong: the cost is relu(1 - label * score)",
    }
    grade.close(loss, 2 / 3, "hinge_loss of scores 2, 0.5, 0.5", wrong)


def test_the_penalty_counts_every_parameter():
    model = Line(3.0)
    loss = hinge_loss(model, [[2.0]], [1.0], alpha=0.1)
    wrong = {
        0.0: "the penalty is missing",
        0.3: "the penalty adds up squares: p * p",
        0.45: "alpha times the sum of squares, without one half",
    }
    grade.close(loss, 0.9, "hinge_loss with alpha = 0.1 and w = 3", wrong)


def test_the_gradient_of_the_hinge_loss():
    model = Line(0.2)
    hinge_loss(model, [[2.0], [-1.0]], [1.0, 1.0], alpha=0.5).backward()
    wrong = {-0.5: "the penalty has a gradient too", 0.2: "the costs have a gradient too"}
    grade.close(model.w.grad, -0.3, "the gradient of w", wrong)


def test_three_steps_down_a_parabola():
    model = Line(0.0)
    history = train(model, lambda: (model.w - 3) ** 2, steps=3, learning_rate=0.1)
    wrong = {
        -2.184: "it went uphill: subtract the gradient",
        6.0: "the learning rate is missing: w goes to 6, to 0 and to 6 again",
        3.024: "the gradients of earlier steps were still there: zero_grad comes before backward",
        1.8: "the loss was computed once: call loss() in every step",
        0.6: "only one step was taken",
        1.08: "one step too few was taken",
        1.7712: "one step too many was taken",
        0.0: "nothing moved: change p.data itself; zero the gradients before backward, not after",
        0.504: "=- assigns the negative: write -=",
    }
    grade.close(model.w, 1.464, "w after three steps from 0", wrong)
    before = {
        (5.76, 3.6864, 2.359296): "these are the losses after each step",
        (3.6864,): "keep every loss, not the last one only",
    }
    grade.close(history, [9.0, 5.76, 3.6864], "the losses before each step", before)


def test_no_step_changes_nothing():
    model = Line(1.0)
    history = train(model, lambda: model.w * 2, steps=0, learning_rate=0.1)
    grade.close(len(history), 0, "the number of losses")
    grade.close(model.w, 1.0, "w")


def test_the_parameters_stay_the_same_objects():
    model = Line(1.0)
    w = model.w
    train(model, lambda: model.w * model.w, steps=3, learning_rate=0.1)
    why = "p = p - ... makes a new node: change p.data in place"
    grade.true(model.w is w, "model.w is the Value it was", why)
    grade.close(w, 0.512, "w after three steps down w * w")


def test_a_small_network_learns_two_moons():
    rng = np.random.default_rng(0)
    points, labels = two_moons(30, 0.05, rng)
    points, labels = points.tolist(), labels.tolist()
    model = MLP(2, [8, 1], rng=rng)
    history = train(model, lambda: hinge_loss(model, points, labels), 60, learning_rate=0.5)
    why = "append the number, loss.data, not the Value"
    grade.true(isinstance(history[-1], float), "the losses are floats", why)
    stuck = "does every parameter move, in every step, and downhill?"
    grade.true(history[-1] < 0.5, f"the last loss, {history[-1]:.3f}, is below 0.5", stuck)
    reached = accuracy(model, points, labels)
    grade.true(reached >= 0.8, f"the accuracy, {reached:.0%}, is at least 80 %", stuck)
