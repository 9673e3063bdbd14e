"""Exercise 4.8: the learning rate as a function of the step."""

import math

import pytest

from course import grade
from course.grade import exercise
from stage4_optim import schedules

pytestmark = exercise("4.8")


def rates(schedule, steps):
    return [schedule(step) for step in range(steps)]


def test_step_decay():
    found = rates(schedules.step_decay(1.0, every=2, gamma=0.1), 5)
    grade.close(
        found,
        [1, 1, 0.1, 0.1, 0.01],
        "step_decay(1, every=2, gamma=0.1)",
        {
            tuple(0.1 ** (s / 2) for s in range(5)): "count whole steps down: step // every",
            (1, 0.1, 1, 0.1, 1): "% gives what is left over: step // every counts the steps down",
            (1, 0.1, 0.1, 0.01, 0.01): "the first step is 0, and it counts",
            (1, 1, 0.1, 0.01, 0.001): "it was multiplied again in every step",
        },
    )


def test_a_decay_in_every_step():
    found = rates(schedules.step_decay(1.0, every=1, gamma=0.5), 3)
    grade.close(found, [1, 0.5, 0.25], "step_decay(1, every=1, gamma=0.5)")


def test_steps_of_no_length_are_refused():
    why = "check `every` when the schedule is made: step // 0 fails in the middle of a run"
    grade.raises(lambda: schedules.step_decay(1.0, every=0), "step_decay(1, every=0)", why)
    grade.raises(lambda: schedules.step_decay(1.0, every=2.5), "step_decay(1, every=2.5)", why)


def test_exponential():
    found = rates(schedules.exponential(2.0, 0.5), 4)
    grade.close(
        found,
        [2, 1, 0.5, 0.25],
        "exponential(2, 0.5)",
        {(1, 0.5, 0.25, 0.125): "step 0 has the full learning rate"},
    )


def test_warmup():
    found = rates(schedules.linear_warmup(1.0, 4), 6)
    grade.close(
        found,
        [0.25, 0.5, 0.75, 1, 1, 1],
        "linear_warmup(1, 4)",
        {
            (0, 0.25, 0.5, 0.75, 1, 1): "the first step would not move: peak (step + 1) / warmup",
            (0.25, 0.5, 0.75, 1, 1.25, 1.5): "it stays at the peak",
        },
    )


def test_no_warmup():
    grade.close(rates(schedules.linear_warmup(0.5, 0), 2), [0.5, 0.5], "linear_warmup(0.5, 0)")


COSINES = {  # what the formula gives if this is the mistake
    lambda s: 0.1 + (1 + math.cos(math.pi * s / 4)) / 2: "peak - floor is what falls",
    lambda s: 0.1 + 0.9 * (1 + math.cos(math.pi * s / 4)): "half of 1 + cos",
    lambda s: 0.1 + 0.9 * (1 + math.cos(math.pi * s / 3)) / 2: "it is at the floor at step `steps`",
    lambda s: (
        0.1 + 0.9 * math.cos(math.pi / 2 * s / 4)
    ): "that is a quarter of a wave: half a cosine",
    lambda s: 0.1 + 0.9 * (1 + math.cos(s / 4)) / 2: "pi is missing",
}


def test_cosine():
    found = rates(schedules.cosine(1.0, 4, floor=0.1), 4)
    want = [1, 0.1 + 0.9 * (1 + math.cos(math.pi / 4)) / 2, 0.55, 0.231802]
    bounded = [max(0.1, (1 + math.cos(math.pi * s / 4)) / 2) for s in range(4)]
    grade.close(
        found,
        want,
        "cosine(1, 4, floor=0.1)",
        {
            tuple(bounded): "the floor is where the curve ends, not a bound that cuts it",
            **{tuple(map(wrong, range(4))): why for wrong, why in COSINES.items()},
        },
        rtol=1e-5,
    )


def test_the_cosine_stays_at_its_floor():
    found = [schedules.cosine(1.0, 4, floor=0.1)(step) for step in (4, 5, 6, 100)]
    grade.close(
        found,
        [0.1] * 4,
        "cosine(1, 4, floor=0.1) at steps 4, 5, 6, 100",
        {(0.1, 0.231802, 0.55, 0.1): "it rises again: the share of the way ends at 1"},
    )


def test_a_cosine_of_no_steps():
    grade.close(schedules.cosine(1.0, 0, floor=0.1)(0), 0.1, "cosine(1, 0, floor=0.1) at step 0")


def test_inverse_sqrt():
    schedule = schedules.inverse_sqrt(512, 4000)
    found = [schedule(0), schedule(3999), schedule(15999)]
    grade.close(
        found,
        [1.74693e-7, 6.98771e-4, 3.49386e-4],
        "inverse_sqrt(512, 4000) at steps 0, 3999 and 15999",
        {
            (0.0, 6.98596e-4, 3.49375e-4): "step 0 is the first one: n = step + 1",
            (3.952847e-06, 1.581139e-02, 7.905694e-03): "d_model ** -0.5 is missing",
        },
        rtol=1e-4,
    )
    top = max(range(8000), key=schedule)
    grade.close(top, 3999, "the step of its peak")


def test_inverse_sqrt_with_a_warmup_of_one_step():
    found = rates(schedules.inverse_sqrt(1, 1), 4)
    two = {(8**-0.5, 2**-0.5, 3**-0.5, 0.5): "a warm-up may have one step: max(warmup, 1)"}
    grade.close(found, [1, 2**-0.5, 3**-0.5, 0.5], "inverse_sqrt(1, 1)", two)


def test_inverse_sqrt_without_warmup():
    found = schedules.inverse_sqrt(4, 0)(0)
    grade.true(math.isfinite(found), f"inverse_sqrt(4, 0) is finite; it is {found}", "warmup is 0")


def test_in_turn():
    schedule = schedules.in_turn(
        (2, lambda step: 10 + step), (3, lambda step: 20 + step), then=lambda step: 30 + step
    )
    grade.close(
        rates(schedule, 7),
        [10, 11, 20, 21, 22, 30, 31],
        "three schedules in turn",
        {
            (10, 11, 22, 33, 34, 35, 36): "each part counts its steps from 0",
            (10, 11, 20, 21, 22, 35, 36): "the last one counts its steps from 0 too",
            (10, 11, 12, 21, 22, 23, 31): "a part of n steps has the steps 0 to n - 1: <, not <=",
            (15, 16, 17, 18, 19, 30, 31): "a lambda in a loop sees the last values of its names",
            (10, 11, 20, 21, 22, 33, 34): "each part counts its steps from 0",
        },
    )


def test_warmup_that_fills_the_whole_run():
    warmup, cosine = schedules.linear_warmup(1.0, 4), schedules.cosine(1.0, 0)
    found = rates(schedules.in_turn((4, warmup), then=cosine), 5)
    grade.close(found, [0.25, 0.5, 0.75, 1, 0], "a warm-up of 4 steps, then a cosine of none")


SOME = {
    "step_decay": schedules.step_decay,
    "exponential": lambda lr, n: schedules.exponential(lr, 0.9),
    "linear_warmup": schedules.linear_warmup,
    "cosine": schedules.cosine,
    "inverse_sqrt": lambda lr, n: schedules.inverse_sqrt(16, n),
}


@pytest.mark.parametrize("name", SOME)
def test_a_schedule_remembers_nothing(name):
    schedule = SOME[name](1.0, 5)
    forward = rates(schedule, 8)
    backward = [schedule(step) for step in reversed(range(8))][::-1]
    why = "a schedule depends on the step alone: compute from lr, and leave lr as it is"
    same = all(map(math.isclose, backward, forward))
    grade.true(same, f"{name}, asked backward, is {forward}; it is {backward}", why)
