"""Every optimizer, schedule and clipping of stage 4 against PyTorch.

Known differences, each with its reason:

    clip_grad_norm     ours divides by the norm, PyTorch by the norm plus 1e-6
    non-finite norms   ours raises, PyTorch scales by NaN
    cosine             ours stays at its floor after the end, PyTorch's rises again
    linear_warmup      the same as LinearLR with start_factor 1 / warmup over warmup - 1 steps
    one_cycle          PyTorch raises after the end, ours stays at the last value
"""

import itertools
import math

import numpy as np
import pytest

import stage3_nn as nn
import stage4_optim as ours
from stage2_tensor import Tensor

torch = pytest.importorskip("torch")
F = torch.nn.functional

SHAPES = [(4, 3), (5,), (2, 2, 2), ()]
STEPS = 200


def gradients(seed=0):
    """For 200 steps and several shapes: gradients that change size and sign; one starts late."""
    rng = np.random.default_rng(seed)
    for step in range(STEPS):
        size = 10.0 ** rng.uniform(-4, 1)
        yield [
            None if i == 1 and step < 20 else size * rng.standard_normal(shape)
            for i, shape in enumerate(SHAPES)
        ]


def side_by_side(make_ours, make_theirs, dtype=np.float64):
    """Both optimizers over the same gradients; the learning rate changes in the middle."""
    rng = np.random.default_rng(1)
    starts = [rng.standard_normal(shape).astype(dtype) for shape in SHAPES]
    mine = [nn.Parameter(np.array(a)) for a in starts]
    theirs = [torch.nn.Parameter(torch.tensor(a)) for a in starts]
    a, b = make_ours(mine), make_theirs(theirs)
    for step, gs in enumerate(gradients()):
        if step == STEPS // 2:
            a.lr = a.lr / 5
            for group in b.param_groups:
                group["lr"] /= 5
        for p, q, g in zip(mine, theirs, gs):
            p.grad = None if g is None else np.array(g, dtype)
            q.grad = None if g is None else torch.tensor(np.array(g, dtype))
        a.step()
        b.step()
        for p, q in zip(mine, theirs):
            assert p.dtype == dtype
            tolerance = 1e-9 if dtype == np.float64 else 1e-4
            np.testing.assert_allclose(
                p.data, q.detach().numpy(), rtol=tolerance, atol=tolerance, err_msg=f"step {step}"
            )


def every(**options):
    """Every combination of the options."""
    for values in itertools.product(*options.values()):
        yield dict(zip(options, values))


SGD = [
    o
    for o in every(
        lr=[0.05],
        momentum=[0, 0.9],
        dampening=[0, 0.5],
        weight_decay=[0, 0.1],
        nesterov=[False, True],
    )
    if not (o["nesterov"] and (o["dampening"] or not o["momentum"]))
]
BETAS = [(0.9, 0.999), (0.5, 0.8), (0.0, 0.0)]
CASES = {
    "SGD": SGD,
    "Adagrad": every(
        lr=[0.1], lr_decay=[0, 0.01], weight_decay=[0, 0.1],
        initial_accumulator_value=[0, 0.5], eps=[1e-10, 1e-3],
    ),
    "RMSprop": every(
        lr=[0.01], alpha=[0.9, 0.99], eps=[1e-8, 1e-3], weight_decay=[0, 0.1],
        momentum=[0, 0.9], centered=[False, True],
    ),
    "Adam": every(
        lr=[0.01], betas=BETAS, eps=[1e-8, 1e-3], weight_decay=[0, 0.1]
    ),
    "AdamW": every(
        lr=[0.01], betas=BETAS, eps=[1e-8, 1e-3], weight_decay=[0, 0.1]
    ),
}  # fmt: skip
FLAT = [(name, options) for name, cases in CASES.items() for options in cases]


@pytest.mark.parametrize(("name", "options"), FLAT, ids=str)
def test_optimizers(name, options):
    side_by_side(
        lambda params: getattr(ours, name)(params, **options),
        lambda params: getattr(torch.optim, name)(params, **options),
    )


@pytest.mark.parametrize("name", CASES)
def test_optimizers_with_default_options(name):
    side_by_side(getattr(ours, name), getattr(torch.optim, name))


@pytest.mark.parametrize("name", CASES)
def test_optimizers_in_float32(name):
    side_by_side(getattr(ours, name), getattr(torch.optim, name), np.float32)


@pytest.mark.parametrize("name", CASES)
def test_parameter_groups(name):
    def groups(params):
        return [{"params": params[:2], "lr": 0.001}, {"params": params[2:], "weight_decay": 0.3}]

    def ours_of(params):
        optimizer = getattr(ours, name)(groups(params), lr=0.02)
        return optimizer

    mine = [nn.Parameter(np.ones(3)) for _ in range(4)]
    theirs = [torch.nn.Parameter(torch.ones(3, dtype=torch.float64)) for _ in range(4)]
    a, b = ours_of(mine), getattr(torch.optim, name)(groups(theirs), lr=0.02)
    rng = np.random.default_rng(0)
    for _ in range(10):
        for p, q in zip(mine, theirs):
            p.grad = rng.standard_normal(3)
            q.grad = torch.tensor(p.grad)
        a.step()
        b.step()
    for p, q in zip(mine, theirs):
        np.testing.assert_allclose(p.data, q.detach().numpy(), rtol=1e-10)


def rates(make, steps, lr=1.0):
    """The learning rates of a scheduler of PyTorch."""
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=lr)
    scheduler = make(optimizer)
    found = []
    for _ in range(steps):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return found


S, L = ours.schedules, torch.optim.lr_scheduler
SCHEDULES = {
    "constant": (S.constant(1.0), lambda o: L.ConstantLR(o, factor=1.0), 50),
    "step_decay": (S.step_decay(1.0, 7, 0.3), lambda o: L.StepLR(o, 7, 0.3), 50),
    "exponential": (S.exponential(1.0, 0.9), lambda o: L.ExponentialLR(o, 0.9), 50),
    "linear_warmup": (S.linear_warmup(1.0, 8), lambda o: L.LinearLR(o, 1 / 8, 1, 7), 50),
    "cosine": (S.cosine(1.0, 40, 0.1), lambda o: L.CosineAnnealingLR(o, 40, 0.1), 41),
    "one_cycle": (S.one_cycle(1.0, 50), lambda o: L.OneCycleLR(o, 1.0, 50), 50),
    "one_cycle, other options": (
        S.one_cycle(1.0, 37, 0.5, 10, 100),
        lambda o: L.OneCycleLR(o, 1.0, 37, pct_start=0.5, div_factor=10, final_div_factor=100),
        37,
    ),
    "inverse_sqrt": (
        S.inverse_sqrt(512, 10),
        lambda o: L.LambdaLR(o, lambda s: 512**-0.5 * min((s + 1) ** -0.5, (s + 1) * 10**-1.5)),
        50,
    ),
    "in_turn": (
        S.in_turn((8, S.linear_warmup(1.0, 8)), then=S.cosine(1.0, 30, 0.1)),
        lambda o: L.SequentialLR(
            o, [L.LinearLR(o, 1 / 8, 1, 7), L.CosineAnnealingLR(o, 30, 0.1)], [8]
        ),
        38,
    ),
}


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.filterwarnings("ignore:The epoch parameter in")  # SequentialLR warns about itself
def test_schedules(name):
    mine, make, steps = SCHEDULES[name]
    np.testing.assert_allclose([mine(s) for s in range(steps)], rates(make, steps), rtol=1e-6)


@pytest.mark.parametrize("norm_type", [2.0, 1.0, 3.0, math.inf])
@pytest.mark.parametrize("max_norm", [0.5, 1e6])
def test_clip_grad_norm(norm_type, max_norm):
    rng = np.random.default_rng(0)
    mine = [nn.Parameter(np.zeros(shape)) for shape in SHAPES]
    theirs = [torch.nn.Parameter(torch.zeros(shape, dtype=torch.float64)) for shape in SHAPES]
    for p, q in zip(mine, theirs):
        p.grad = np.array(rng.standard_normal(p.shape))
        q.grad = torch.tensor(p.grad.copy())
    a = ours.clip_grad_norm(mine, max_norm, norm_type)
    b = torch.nn.utils.clip_grad_norm_(theirs, max_norm, norm_type)
    assert a == pytest.approx(float(b), rel=1e-10)
    for p, q in zip(mine, theirs):
        np.testing.assert_allclose(p.grad, q.grad.numpy(), rtol=1e-5)


def test_clip_grad_value():
    mine, theirs = nn.Parameter(np.zeros(5)), torch.nn.Parameter(torch.zeros(5))
    mine.grad = np.array([-3.0, -0.2, 0.0, 0.5, 9.0])
    theirs.grad = torch.tensor([-3.0, -0.2, 0.0, 0.5, 9.0])
    ours.clip_grad_value([mine], 0.4)
    torch.nn.utils.clip_grad_value_([theirs], 0.4)
    np.testing.assert_allclose(mine.grad, theirs.grad.numpy(), rtol=1e-6)


def test_an_mlp_trained_side_by_side():
    rng = np.random.default_rng(0)
    sizes = [(8, 16), (16, 16), (16, 3)]
    mine = nn.Sequential(*[m for s in sizes for m in (nn.Linear(*s, rng=rng), nn.Tanh())][:-1])
    theirs = torch.nn.Sequential(
        *[m for s in sizes for m in (torch.nn.Linear(*s), torch.nn.Tanh())][:-1]
    )
    theirs.load_state_dict(
        {
            name: torch.tensor(a.T.copy() if a.ndim == 2 else a)
            for name, a in mine.state_dict().items()
        }
    )
    a = ours.AdamW(mine.parameters(), lr=3e-3)
    b = torch.optim.AdamW(theirs.parameters(), lr=3e-3)
    for step in range(100):
        x = rng.standard_normal((32, 8)).astype(np.float32)
        y = (np.abs(x).sum(1) > 6) + (x[:, 0] > 0.5).astype(int)
        loss = nn.cross_entropy(mine(Tensor(x)), y)
        a.zero_grad()
        loss.backward()
        ours.clip_grad_norm(mine.parameters(), 1.0)
        a.step()
        other = F.cross_entropy(theirs(torch.tensor(x)), torch.tensor(y))
        b.zero_grad()
        other.backward()
        torch.nn.utils.clip_grad_norm_(theirs.parameters(), 1.0)
        b.step()
        assert loss.item() == pytest.approx(other.item(), abs=1e-5), step
