"""The wider optimizers of stage 4, and the one that is not in the course."""

import re
import tracemalloc

import numpy as np
import pytest

import stage3_nn as nn
import stage4_optim as stage4
from stage4_optim import more as m
from stage4_optim import schedules
from tests.library.samples import rng

WIDER = {
    "SGD": lambda p, **o: m.SGD(p, 0.01, momentum=0.9, weight_decay=0.1, **o),
    "Adam": lambda p, **o: m.Adam(p, 0.01, weight_decay=0.1, **o),
    "Adam, amsgrad": lambda p, **o: m.Adam(p, 0.01, amsgrad=True, **o),
    "AdamW": lambda p, **o: m.AdamW(p, 0.01, **o),
    "AdamW, amsgrad": lambda p, **o: m.AdamW(p, 0.01, amsgrad=True, **o),
}
ALL = {**WIDER, "Lion": lambda p: m.Lion(p, 0.01, weight_decay=0.1)}
SAME = {
    "SGD": (m.SGD, stage4.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    "Adam": (m.Adam, stage4.Adam, {"weight_decay": 0.1}),
    "AdamW": (m.AdamW, stage4.AdamW, {"betas": (0.8, 0.9)}),
}


def parameters(*shapes):
    return [nn.Parameter(rng(i).standard_normal(shape)) for i, shape in enumerate(shapes)]


def walk(optimizer, params, steps=20, sign=1):
    """The parameters after so many steps on gradients that are the same in every run."""
    for step in range(steps):
        for i, p in enumerate(params):
            p.grad = sign * rng(100 * step + i).standard_normal(p.shape) / (step + 1)
        optimizer.step()
    return np.concatenate([p.data.reshape(-1) for p in params])


@pytest.mark.parametrize("name", SAME)
def test_with_the_defaults_they_are_those_of_the_exercises(name):
    wider, exercise, options = SAME[name]
    mine, theirs = parameters((3, 2), ()), parameters((3, 2), ())
    ours = walk(wider(mine, **options), mine)
    np.testing.assert_array_equal(ours, walk(exercise(theirs, **options), theirs))


@pytest.mark.parametrize("name", WIDER)
def test_maximize_is_a_step_on_the_gradient_turned_round(name):
    up, down = parameters((3, 2), (4,)), parameters((3, 2), (4,))
    ours = walk(WIDER[name](up, maximize=True), up)
    np.testing.assert_array_equal(ours, walk(WIDER[name](down), down, sign=-1))


def test_maximize_leaves_the_gradient_as_it_was():
    (p,) = parameters((2,))
    p.grad = np.array([1.0, -2.0])
    m.SGD([p], maximize=True).step()
    assert p.grad.tolist() == [1, -2]


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_allocated_after_the_first_step(name):
    params = parameters((200, 100), (300,))
    for p in params:
        p.grad = np.ones_like(p.data)
    optimizer = ALL[name](params)
    optimizer.step()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        optimizer.step()
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert peak < 4000


@pytest.mark.parametrize("name", ALL)
def test_a_saved_state_goes_on_to_the_same_numbers(name):
    params, copies = parameters((3, 2), (4,)), parameters((3, 2), (4,))
    first, second = ALL[name](params), ALL[name](copies)
    walk(first, params)
    for p, copy in zip(params, copies):
        copy.data[...] = p.data
    second.load_state_dict(first.state_dict())
    np.testing.assert_array_equal(walk(first, params), walk(second, copies))


def test_amsgrad_remembers_the_largest_v():
    (p,) = parameters(())
    optimizer = m.Adam([p], lr=1.0, betas=(0.0, 0.5), eps=0.0, amsgrad=True)
    for g, v_max in ((4.0, 8.0), (0.0, 8.0), (1.0, 8.0)):
        p.grad = np.array(g)
        optimizer.step()
        assert optimizer.state[p]["v_max"] == v_max


# Learning rates per group.


def two_groups(make=m.SGD, rates=(0.1, 0.01)):
    a, b = parameters((2,), (3,))
    return make([{"params": [a], "lr": rates[0]}, {"params": [b], "lr": rates[1]}])


def rates(optimizer):
    return [group["lr"] for group in optimizer.param_groups]


@pytest.mark.parametrize("make", [m.SGD, m.Adam, m.AdamW])
def test_groups_keep_their_proportion_under_a_schedule(make):
    optimizer, schedule = two_groups(make), schedules.cosine(0.1, 10)
    for step in range(11):
        optimizer.lr = schedule(step)
        assert rates(optimizer) == pytest.approx([schedule(step), schedule(step) / 10])
    optimizer.lr = 0.2  # back from 0
    assert rates(optimizer) == pytest.approx([0.2, 0.02])


def test_a_group_that_does_not_move_stays_where_it_is():
    optimizer = two_groups(rates=(0.1, 0.0))
    optimizer.lr = 0.5
    assert rates(optimizer) == [0.5, 0.0]


def test_a_trainer_sets_the_rates_of_all_groups():
    model = nn.Linear(2, 1, rng=rng())
    groups = [{"params": [model.weight]}, {"params": [model.bias], "lr": 0.05}]
    optimizer = m.Adam(groups, lr=0.1)
    trainer = stage4.Trainer(
        model,
        optimizer,
        lambda model, x: (model(nn.Buffer(x)) ** 2).mean(),
        [np.ones((4, 2), np.float32)],
        schedule=schedules.linear_warmup(0.2, 4),
        show=False,
    )
    trainer.fit(steps=3)
    assert rates(optimizer) == pytest.approx([0.15, 0.075])


def test_any_optimizer_takes_the_classes_before_it():
    class RMSprop(m.GroupRates, m.Maximize, stage4.RMSprop):
        pass

    optimizer = RMSprop(parameters((2,)), lr=0.1, maximize=True)
    (p,) = optimizer.parameters()
    before = p.data.copy()
    p.grad = np.ones(2)
    optimizer.step()
    assert (p.data > before).all()


# Lion.


def test_lion_s_first_two_steps_by_hand():
    p = nn.Parameter(np.array([1.0, -1.0, 0.5]))
    optimizer = m.Lion([p], lr=0.1, betas=(0.5, 0.75), weight_decay=0.2)
    p.grad = np.array([4.0, -0.001, 0.0])
    optimizer.step()  # c = g / 2: signs 1, -1, 0; the decay is a factor of 0.98
    np.testing.assert_allclose(p.data, [0.88, -0.88, 0.49])
    np.testing.assert_allclose(optimizer.state[p]["m"], [1.0, -0.00025, 0.0])
    p.grad = np.array([-2.0, -0.001, 1.0])
    optimizer.step()  # c = (m + g) / 2: signs -1, -1, 1
    np.testing.assert_allclose(p.data, [0.88 * 0.98 + 0.1, -0.88 * 0.98 + 0.1, 0.49 * 0.98 - 0.1])


def test_lion_goes_downhill():
    p = nn.Parameter(np.array([3.0, -2.0]))
    optimizer, schedule = m.Lion([p]), schedules.cosine(0.05, 400)
    for step in range(400):
        optimizer.lr = schedule(step)
        optimizer.zero_grad()
        (p * p).sum().backward()
        optimizer.step()
    assert np.abs(p.data).max() < 0.1


# Errors.

ERRORS = {
    "expected a learning rate above 0 in the first group, got [0.0, 0.1]": lambda: two_groups(
        rates=(0.0, 0.1)
    ),
    "optimizer: expected lr of at least 0, got -1": lambda: setattr(two_groups(), "lr", -1),
    "SGD: expected momentum, and no dampening, for nesterov=True": lambda: m.SGD(
        parameters(()), nesterov=True
    ),
    "optimizer: expected the options lr, betas, weight_decay, got momentum": lambda: m.Lion(
        [{"params": parameters(()), "momentum": 0.9}]
    ),
    "optimizer: expected betas from 0 to below 1, got (0.9, 1)": lambda: m.Lion(
        parameters(()), betas=(0.9, 1)
    ),
}


@pytest.mark.parametrize("message", ERRORS)
def test_a_refusal_says_the_rule_and_what_came(message):
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        ERRORS[message]()
