"""Exercise 4.5: Adam, algorithm 1 of Kingma and Ba."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage3_nn import Parameter
from stage4_optim import Adam

pytestmark = exercise("4.5")

GRADIENTS = [1.0, -2.0, 0.5, 100.0, -0.001, 3.0]


def run(gradients, lr=0.1, dtype=float, **options):
    """Where w = 1 is after each of these gradients; `lr` may be a list; None is no gradient."""
    w = Parameter(np.array([1.0], dtype))
    rates = lr if isinstance(lr, list) else [lr] * len(gradients)
    optimizer = Adam([w], lr=rates[0], **options)
    path = []
    for g, rate in zip(gradients, rates):
        optimizer.lr = rate
        w.grad = None if g is None else np.array([g], dtype)
        optimizer.step()
        path.append(float(w.data[0]))
    return path


def by_hand(gradients, lr=0.1, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, early=False):
    """The same in plain numbers; `early` adds eps before v is corrected, which is a mistake."""
    w, m, v, path = 1.0, 0.0, 0.0, []
    rates = lr if isinstance(lr, list) else [lr] * len(gradients)
    for t, (g, rate) in enumerate(zip(gradients, rates), 1):
        g = g + weight_decay * w
        m = betas[0] * m + (1 - betas[0]) * g
        v = betas[1] * v + (1 - betas[1]) * g * g
        root = math.sqrt(1 - betas[1] ** t)
        size = (math.sqrt(v) + eps) / root if early else math.sqrt(v) / root + eps
        w -= rate * m / (1 - betas[0] ** t) / size
        path.append(w)
    return path


def test_the_first_step_is_as_long_as_lr():
    grade.close(
        run([0.5])[0],
        0.9,
        "w = 1 after g = 0.5, lr = 0.1",
        {
            0.683772: "no correction for the start at 0: divide m by 1 - beta1^t, v by 1 - beta2^t",
            -2.162276: "v is not corrected: divide it by 1 - beta2^t",
            0.929289: "v is a running mean of g^2, not of |g|",
            0.800000008: "divide by the root of v_hat",
            0.99: "m is corrected and v is not, or the other way round",
            1.1: "that is uphill",
        },
    )


def test_two_equal_steps():
    grade.close(
        run([1, 1]),
        [0.9, 0.8],
        "w = 1 after g = 1, 1",
        {
            (0.9, 0.876468): "the corrected m and v were stored back: keep them uncorrected",
            (0.9, 0.92375): "the correction is 1 - beta ** t, not 1 - beta * t",
            (0.9, 0.765616): "t is 1 in every step: count it in state",
            (0.9, 0.9): "the second step did nothing",
        },
    )


def test_moments_are_kept():
    want = by_hand([1.0, 2.0, -1.0])
    grade.close(
        run([1.0, 2.0, -1.0]),
        want,
        "w = 1 after g = 1, 2, -1",
        {
            (0.9, 0.8256, 0.8895): "m and v start at 0 in every step: keep them in state",
            (0.9, 0.8, 0.9): "m and v start at 0 in every step: keep them in state",
            tuple(by_hand([1.0, 2.0, -1.0], betas=(0.999, 0.9))): "the betas are exchanged",
        },
        rtol=1e-5,
    )


def test_gradients_that_change_size_and_sign():
    grade.close(run(GRADIENTS), by_hand(GRADIENTS), "w after g = 1, -2, 0.5, 100, -0.001, 3")


OPTIONS = [
    {"betas": (0.5, 0.9)},
    {"betas": (0.0, 0.0)},
    {"eps": 0.1},
    {"weight_decay": 0.5},
    {"betas": (0.8, 0.9), "eps": 0.01, "weight_decay": 0.1},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options(options):
    ignored = {
        tuple(by_hand(GRADIENTS, **{k: v for k, v in options.items() if k != name})): (
            f"{name} is ignored"
        )
        for name in options
    }
    want = by_hand(GRADIENTS, **options)
    if "eps" in options:
        ignored[tuple(by_hand(GRADIENTS, **options, early=True))] = (
            "eps is added to the root of the corrected v"
        )
    grade.close(run(GRADIENTS, **options), want, f"Adam with {options}", ignored)


FIRST = "these are the options of the first group: update is given those of its own"


def test_two_groups_with_learning_rates_of_their_own():
    a, b = Parameter(np.array([1.0])), Parameter(np.array([1.0]))
    optimizer = Adam([{"params": [a]}, {"params": [b], "lr": 0.01}], lr=0.1)
    a.grad, b.grad = np.array([1.0]), np.array([1.0])
    optimizer.step()
    found = [float(a.data[0]), float(b.data[0])]
    grade.close(found, [0.9, 0.99], "lr 0.1 and 0.01: w = 1 after g = 1", {(0.9, 0.9): FIRST})


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("decay", [0.0, 0.2])
def test_each_group_has_options_of_its_own(options, decay):
    a, w = Parameter(np.array([1.0])), Parameter(np.array([1.0]))
    groups = [{"params": [a]}, {"params": [w], **options}]
    optimizer = Adam(groups, lr=0.1, weight_decay=decay)
    path = []
    for g in GRADIENTS:
        a.grad, w.grad = np.array([g]), np.array([g])
        optimizer.step()
        path.append(float(w.data[0]))
    want = by_hand(GRADIENTS, **{"weight_decay": decay, **options})
    first = {tuple(by_hand(GRADIENTS, weight_decay=decay)): FIRST}
    grade.close(path, want, f"Adam: w in a second group with {options}", first)


def test_a_new_learning_rate_in_the_middle():
    rates = [0.1, 0.1, 0.001, 0.001, 1.0, 1.0]
    grade.close(run(GRADIENTS, rates), by_hand(GRADIENTS, rates), "Adam with lr that changes")


def test_eps_is_added_to_the_root():
    grade.close(
        run([1e-4])[0],
        0.90001,
        "w = 1 after g = 1e-4, eps = 1e-8",
        {0.929289: "eps was added under the root"},
        rtol=1e-6,
    )


def test_a_parameter_that_starts_late_counts_its_own_steps():
    early, late = Parameter(np.array([1.0])), Parameter(np.array([1.0]))
    optimizer = Adam([early, late], lr=0.1)
    for step in range(3):
        early.grad = np.array([1.0])
        late.grad = np.array([2.0]) if step == 2 else None
        optimizer.step()
    grade.close(
        late,
        [0.9],
        "a Parameter whose first gradient comes in step 3",
        {
            (0.936119,): "t is counted per Parameter, from its first gradient",
            (1.0,): "it did not move",
        },
        rtol=1e-5,
    )


def test_decay_is_a_part_of_the_gradient():
    found = run([0.0], weight_decay=0.1)[0]
    grade.close(
        found,
        0.9,
        "Adam: w = 1 after g = 0, weight_decay = 0.1",
        {
            1.0: "decay was left out: add it to the gradient",
            0.99: "that is AdamW: in Adam the decay is a part of the gradient",
        },
        rtol=1e-5,
    )


def test_several_parameters_of_different_shapes():
    shapes = [(2, 3), (3,), ()]
    parameters = [Parameter(np.ones(shape)) for shape in shapes]
    optimizer = Adam(parameters, lr=0.1)
    rng = np.random.default_rng(0)
    history = [[] for _ in shapes]
    for _ in range(3):
        for p, past in zip(parameters, history):
            p.grad = rng.standard_normal(p.shape)
            past.append(p.grad.copy() if p.shape else np.array(p.grad))
            p.grad = np.array(p.grad)
        optimizer.step()
    for p, past in zip(parameters, history):
        want = np.array([by_hand([g[i] for g in past])[-1] for i in np.ndindex(p.shape)])
        grade.close(p, want.reshape(p.shape), f"a Parameter of shape {p.shape} after three steps")


def test_float32_stays_float32_and_gradients_stay():
    w = Parameter(np.array([1.0, 2.0], np.float32))
    optimizer = Adam([w], lr=np.float64(0.1))
    w.grad = np.array([3.0, -4.0], np.float32)
    optimizer.step()
    grade.true(
        w.dtype == np.float32,
        f"the weight is float32; it is {w.dtype}",
        "a float64 learning rate must not widen it: write into p.data",
    )
    grade.close(w.grad, [3, -4], "the gradient after the step: it belongs to the Parameter")
