"""Exercise 4.6: decay beside the gradient, and groups that differ."""

import numpy as np

from course import grade
from course.grade import exercise
from stage3_nn import Conv2d, LayerNorm, Linear, Parameter, Sequential
from stage4_optim import AdamW, decay_groups

pytestmark = exercise("4.6")


def run(gradients, lr=0.1, weight_decay=0.1):
    w = Parameter(np.array([1.0]))
    optimizer = AdamW([w], lr=lr, weight_decay=weight_decay)
    for g in gradients:
        w.grad = None if g is None else np.array([g])
        optimizer.step()
    return float(w.data[0])


def test_decay_is_not_scaled_by_the_gradient():
    grade.close(
        run([0.0], weight_decay=0.2),
        0.98,
        "w = 1 after g = 0, lr = 0.1, decay = 0.2",
        {
            0.8: "decay is multiplied by lr: p (1 - lr wd)",
            0.88: "decay came twice, as L2 too: make Adam's step on the bare gradient",
            0.9: "decay went through Adam's division, as L2: shrink the weight by itself",
            1.0: "decay was left out",
        },
        rtol=1e-6,
    )


def test_decay_is_scaled_by_lr():
    grade.close(
        run([0.0], lr=0.01),
        0.999,
        "w = 1 after g = 0, lr = 0.01, decay = 0.1",
        {0.9: "decay is multiplied by lr: p (1 - lr wd)"},
        rtol=1e-6,
    )


def test_decay_comes_first():
    grade.close(
        run([1.0]),
        0.89,
        "w = 1 after g = 1, lr = 0.1, decay = 0.1",
        {0.891: "decay came after the step: it shrinks the old weight", 0.9: "decay was left out"},
        rtol=1e-6,
    )


def test_without_decay_it_is_adam():
    grade.close(run([1.0, 1.0], weight_decay=0.0), 0.8, "w = 1 after g = 1, 1 without decay")


def test_moments_know_nothing_of_the_decay():
    found = run([0.5, -0.5, 0.5], lr=0.01, weight_decay=10.0)
    w, m, v = 1.0, 0.0, 0.0
    for t, g in enumerate([0.5, -0.5, 0.5], 1):
        w *= 0.9
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        w -= 0.01 * m / (1 - 0.9**t) / ((v / (1 - 0.999**t)) ** 0.5 + 1e-8)
    grade.close(found, w, "w = 1 after g = 0.5, -0.5, 0.5 with a strong decay")


def test_a_parameter_without_a_gradient_does_not_decay():
    grade.close(
        run([None]),
        1.0,
        "w = 1 without a gradient",
        {0.99: "a Parameter without a gradient is left alone"},
    )


def test_each_group_has_its_own_rate_and_decay():
    w = [Parameter(np.array([1.0])) for _ in range(4)]
    optimizer = AdamW(
        [
            {"params": [w[0]]},
            {"params": [w[1]], "lr": 0.01},
            {"params": [w[2]], "weight_decay": 0.5},
            {"params": [w[3]], "betas": (0.0, 0.0), "eps": 1.0},
        ],
        lr=0.1,
        weight_decay=0.1,
    )
    for p in w:
        p.grad = np.array([1.0])
    optimizer.step()
    found = [float(p.data[0]) for p in w]
    alike = "these are the options of the first group: update is given those of its own"
    grade.close(
        found,
        [0.89, 0.989, 0.85, 0.94],
        "w = 1 after g = 1 in groups with lr 0.1 and 0.01, decay 0.1 and 0.5, eps 1",
        {
            (0.89, 0.89, 0.89, 0.89): alike,
            (0.89, 0.98, 0.85, 0.94): f"of the decay: {alike}",
            (0.89, 0.989, 0.89, 0.94): f"of the decay: {alike}",
            (0.89, 0.899, 0.85, 0.94): f"of Adam's step: {alike}",
        },
        rtol=1e-6,
    )


def test_the_default_decay():
    grade.close(run([0.0], weight_decay=0.01), 0.999, "the default weight_decay is 0.01")
    model = Linear(1, 1, rng=np.random.default_rng(0))
    found = AdamW(model.parameters()).param_groups[0]["weight_decay"]
    grade.close(found, 0.01, "AdamW's weight_decay if none is given")


def test_matrices_decay_and_the_rest_does_not():
    model = Sequential(Linear(4, 3, rng=np.random.default_rng(0)), LayerNorm(3))
    groups = decay_groups(model, 0.1)
    decay = {id(p): g.get("weight_decay", -1) for g in groups for p in g["params"]}
    found = [decay.get(id(p), -1) for p in (model[0].weight, model[0].bias, model[1].weight)]
    grade.close(
        found,
        [0.1, 0, 0],
        "the decay of a matrix, a bias, a LayerNorm's weight",
        {
            (0.1, 0, 0.1): "what has one axis does not decay, whatever its name",
            (-1, 0, 0): "the matrices are in no group: they would not be trained",
            (0.1, -1, -1): "a generator is empty after one walk: make a list first",
            (0.1, 0.1, 0.1): "what has one axis does not decay",
            (0, 0.1, 0.1): "exchanged: it is the matrices that decay",
        },
    )
    grade.close(len(decay), 4, "the number of Parameters in the groups: each once")


def test_filters_decay():
    model = Conv2d(2, 3, 3, rng=np.random.default_rng(0))
    decay = {id(p): g["weight_decay"] for g in decay_groups(model, 0.1) for p in g["params"]}
    grade.close(
        [decay.get(id(model.weight), -1), decay.get(id(model.bias), -1)],
        [0.1, 0],
        "the decay of a filter, a bias",
        {
            (0, 0): "all that has more than one axis decays: ndim > 1",
            (-1, 0): "filters are in no group: all that has more than one axis decays, ndim > 1",
        },
    )


def test_the_groups_go_into_an_optimizer():
    model = Linear(2, 1, rng=np.random.default_rng(0))
    before = {name: p.data.copy() for name, p in model.named_parameters()}
    optimizer = AdamW(decay_groups(model, 0.5), lr=0.1)
    for p in model.parameters():
        p.grad = np.zeros(p.shape, np.float32)
    optimizer.step()
    grade.close(model.weight, before["weight"] * 0.95, "the weight shrinks", rtol=1e-5)
    grade.close(model.bias, before["bias"], "the bias does not")
