"""Exercise 4.9: one step of a training."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage3_nn import Module, Parameter
from stage4_optim import SGD, Trainer
from stage4_optim.averaging import ExponentialMovingAverage

pytestmark = exercise("4.9")


class Point(Module):
    """A model that is one number."""

    def __init__(self, start=1.0):
        self.w = Parameter(np.array(start, dtype=float))

    def forward(self, x):
        return self.w * x


def mean_square(model, x):
    """The mean of (w x)^2 over a batch, and how many it is over."""
    y = model(Tensor(np.array(x, dtype=float)))
    return (y * y).mean(), len(x)


def trainer(data, loss=mean_square, lr=0.1, start=1.0, optimizer=SGD, **options):
    model = Point(start)
    return Trainer(model, optimizer(model.parameters(), lr=lr), loss, data, show=False, **options)


def test_a_step():
    t = trainer([[1.0, 3.0]])
    row = t.train_step(iter([[1.0, 3.0]]))
    grade.close(
        t.model.w,
        0.0,
        "w = 1 after a step down 5 w^2, lr = 0.1",
        {
            1.0: "nothing moved: is optimizer.step() called?",
            2.0: "that is uphill",
            0.5: "the mean was divided by its count, but not multiplied with it",
            -1.0: "divide the gradients by the count",
        },
    )
    grade.close(
        row["loss"],
        5.0,
        "the loss of the step, before it",
        {
            0.0: "the loss is taken before the weights move",
            2.5: "weigh the mean by its count, then divide by the count",
        },
    )
    why = "take mean.item(): a Tensor would keep the whole graph in the history"
    grade.true(not isinstance(row["loss"], Tensor), "the loss is a number, not a Tensor", why)
    grade.close(row["grad_norm"], 10.0, "the norm of the gradient")
    grade.close(row["lr"], 0.1, "the learning rate")
    grade.close(
        row["count"],
        2,
        "how many numbers the mean is over",
        {1: "batches are not alike: weigh each by its count"},
    )
    grade.close([row["step"], t.at.step], [1, 1], "the number of the step")


def test_two_steps_do_not_add_their_gradients():
    t = trainer([[1.0]])
    for _ in range(2):
        t.train_step(iter([[1.0]]))
    grade.close(
        t.model.w,
        0.64,
        "w = 1 after two steps down w^2, lr = 0.1",
        {0.44: "the gradient of the first step was still there: zero_grad at the beginning"},
    )


def test_a_loss_without_a_count():
    t = trainer([[2.0]], loss=lambda model, x: mean_square(model, x)[0])
    row = t.train_step(iter([[2.0]]))
    grade.close(row["count"], 1, "how many a loss without a count is over")
    grade.close(t.model.w, 0.2, "w = 1 after a step down 4 w^2, lr = 0.1")


def test_micro_batches_count_by_their_size():
    t = trainer([[3.0]], accumulate=2, lr=0.01)
    row = t.train_step(iter([[1.0, 1.0, 1.0], [2.0]]))  # means 1 and 4, over 3 and 1
    grade.close(
        row["loss"],
        1.75,
        "the loss of batches with means 1 (of 3) and 4 (of 1)",
        {
            9.0: "use the batches that were handed in",
            1.0: "accumulate is ignored: a step takes that many batches",
            2.5: "the mean of the means: weigh each by its count",
            7.0: "divide by the whole count",
        },
    )
    grade.close(
        t.model.w,
        1 - 0.01 * 3.5,
        "w = 1 after that step, lr = 0.01",
        {
            1 - 0.01 * 5: "the gradients were averaged without their counts",
            1 - 0.01 * 14: "the gradients were added, but not divided by the whole count",
            1 - 0.01 * 2: "zero_grad in between: only the last batch is left",
            1 - 0.01 * 10: "the gradients were added, but not averaged",
        },
    )


def test_accumulation_equals_one_large_batch():
    whole = trainer([[1.0]])
    whole.train_step(iter([[1.0, 2.0, 3.0, 4.0]]))
    parts = trainer([[1.0]], accumulate=2)
    parts.train_step(iter([[1.0, 2.0], [3.0, 4.0]]))
    grade.close(parts.model.w, whole.model.w.data, "two halves against the whole batch")


def test_as_many_batches_as_asked_for():
    batches = iter([[1.0]] * 10)
    trainer([[1.0]], accumulate=3).train_step(batches)
    grade.close(
        len(list(batches)),
        7,
        "batches that are left of 10 after a step of 3",
        {9: "accumulate is ignored", 0: "take `accumulate` batches and no more: islice"},
    )


def test_the_schedule_sets_the_learning_rate_of_the_step():
    t = trainer([[1.0]], schedule=lambda step: [0.1, 0.25, 0.5, 0.9][step])
    found = [t.train_step(iter([[1.0]]))["lr"] for _ in range(3)]
    grade.close(
        found,
        [0.1, 0.25, 0.5],
        "the learning rates of three steps",
        {
            (0.1, 0.1, 0.1): "set optimizer.lr to schedule(self.at.step), and count the steps",
            (0.25, 0.5, 0.9): "step s has schedule(s), and the first is step 0",
            (0.1, 0.1, 0.25): "set the learning rate before the update, not after it",
        },
    )
    grade.close(
        t.model.w,
        0.8 * 0.5 * 0.0,
        "w = 1 after three steps down w^2",
        {0.8 * 0.8 * 0.5: "the learning rate was set after the update"},
    )


def test_the_schedule_is_for_every_group():
    model = Module()
    model.a, model.b = Point(), Point()
    optimizer = SGD([{"params": [model.a.w]}, {"params": [model.b.w]}], lr=0.1)

    def loss(model, x):
        return model.a.w + model.b.w

    t = Trainer(model, optimizer, loss, [[1.0]], schedule=lambda step: 0.5, show=False)
    t.train_step(iter([[1.0]]))
    found = [float(model.a.w.data), float(model.b.w.data)]
    first = {(0.5, 0.9): "optimizer.lr = ... sets every group, param_groups[0] is one of them"}
    grade.close(found, [0.5, 0.5], "two groups after a step with g = 1, lr = 0.5", first)


def test_a_parameter_that_is_not_used():
    t = trainer([[1.0]])
    t.model.unused = Parameter(np.array(1.0))
    t.optimizer = SGD(t.model.parameters(), lr=0.1)
    t.train_step(iter([[1.0]]))
    grade.close([float(t.model.w.data), float(t.model.unused.data)], [0.8, 1.0],
                "w and a Parameter without a gradient after a step")  # fmt: skip


def test_gradients_are_clipped():
    t = trainer([[1.0]], max_norm=0.5)
    row = t.train_step(iter([[1.0]]))
    grade.close(
        t.model.w,
        0.95,
        "w = 1 after a step with g = 2, clipped to 0.5, lr = 0.1",
        {0.8: "the gradient was not clipped before the update"},
        rtol=1e-5,
    )
    clipped = {0.5: "that is the norm afterwards: keep what clip_grad_norm returns"}
    grade.close(row["grad_norm"], 2.0, "the norm before clipping", clipped)


def test_clipping_comes_after_the_average():
    t = trainer([[1.0]], max_norm=3.0, accumulate=2)
    t.train_step(iter([[1.0], [1.0]]))
    grade.close(
        t.model.w,
        0.8,
        "w = 1 after two batches with g = 2 each, clipped to 3",
        {0.85: "the sum of the gradients was clipped: divide by the count first"},
        rtol=1e-5,
    )


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_loss_that_is_not_finite_stops_the_run(bad):
    def loss(model, x):
        return (model.w * Tensor(np.array(bad))).sum()

    t = trainer([[1.0]], loss=loss)
    try:
        t.train_step(iter([[1.0]]))
    except FloatingPointError as error:
        grade.close(t.model.w, 1.0, "w after the error: nothing has moved")
        text = str(error)
        late = "check(loss) raises, before backward: clip_grad_norm sees it too late"
        why = late if "clip_grad_norm" in text else "add what find_break(loss) says"
        grade.true("value of" in text, f"the message says where; it is {text!r}", why)
        g = t.model.w.grad
        early = "check(loss) comes before backward: no gradient has been computed then"
        grade.true(g is None or g == 0, f"there is no gradient after the error; it is {g}", early)
    except ValueError as error:
        grade.true(False, f"it is a FloatingPointError; it is {error!r}", "raise that type")
    else:
        grade.true(False, f"a loss of {bad} is a FloatingPointError", "check it before backward")


def test_the_average_follows():
    model = Point()
    average = ExponentialMovingAverage(model, decay=0.5)
    seen = []
    average.update = lambda: seen.append(float(model.w.data))
    t = Trainer(
        model, SGD(model.parameters(), lr=0.1), mean_square, [[1.0]], show=False, average=average
    )
    t.train_step(iter([[1.0]]))
    grade.close(
        seen,
        [0.8],
        "the weight that the average sees",
        {(1.0,): "bring the average up to date after the update"},
    )


def test_it_learns():
    rng = np.random.default_rng(0)
    x = rng.standard_normal(200)
    data = [x[i : i + 20] for i in range(0, 200, 20)]

    def loss(model, batch):
        y = model(Tensor(batch)) - 3 * batch
        return (y * y).mean(), len(batch)

    t = trainer(data, loss=loss)
    for _ in range(5):
        batches = iter(data)
        for _ in range(10):
            t.train_step(batches)
    grade.close(t.model.w, 3.0, "w after 50 steps towards y = 3 x", rtol=1e-3)
