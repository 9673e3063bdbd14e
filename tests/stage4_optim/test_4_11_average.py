"""Exercise 4.11, bonus: an average of the weights."""

import numpy as np

from course import grade
from course.grade import exercise
from stage3_nn import Module, Parameter
from stage4_optim import ExponentialMovingAverage

pytestmark = exercise("4.11")

BACK = "put the weights back at the end, after an error too: try ... finally"


def model(start=1.0):
    made = Module()
    made.w = Parameter(np.array([start]))
    return made


def test_the_average():
    m = model()
    average = ExponentialMovingAverage(m, decay=0.9)
    found = []
    for w in (2.0, 2.0, 0.0):
        m.w.data = np.array([w])
        average.update()
        found.append(float(average.average["w"][0]))
    grade.close(
        found,
        [1.1, 1.19, 1.071],
        "the average of 1, then 2, 2, 0 with decay 0.9",
        {
            (1.9, 1.99, 0.199): "decay is the share that is kept",
            (
                1.0,
                1.0,
                1.0,
            ): "it did not move: `average = ...` gives a name to something new, use +=",
            (2.0, 2.0, 0.0): "that is the weight itself: a share of the old average is kept",
            (2.9, 4.61, 4.149): "the weight counts by the share 1 - decay",
            (0.2, 0.2, 0.0): "brackets: (1 - decay) * (weight - average)",
        },
    )


def test_the_weights_are_not_moved():
    m = model()
    average = ExponentialMovingAverage(m, decay=0.5)
    m.w.data = np.array([3.0])
    average.update()
    grade.close(m.w, [3.0], "the weight after an update of the average")


def test_applied_for_a_while():
    m = model()
    average = ExponentialMovingAverage(m, decay=0.5)
    m.w.data = np.array([3.0])
    average.update()
    held = m.w
    with average.applied() as inside:
        grade.close(m.w, [2.0], "the weight inside `with average.applied()`")
        grade.true(inside is m, "it gives the model", "yield self.model")
        m.w.data += 100
    grade.close(
        m.w,
        [3.0],
        "the weight afterwards",
        {(2.0,): BACK, (102.0,): BACK},
    )
    grade.true(m.w is held, "the Parameter is the same object", "change its data")
    grade.close(
        average.average["w"],
        [2.0],
        "the average afterwards",
        {(102.0,): "the model got the average's own array: copy it"},
    )


def test_the_weights_come_back_after_an_error():
    m = model()
    average = ExponentialMovingAverage(m, decay=0.5)
    m.w.data = np.array([3.0])
    average.update()
    try:
        with average.applied():
            raise ValueError
    except ValueError:
        grade.close(m.w, [3.0], "the weight after an error inside", {(2.0,): "use finally"})
