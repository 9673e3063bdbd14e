"""The wider forms in the folders `more` against PyTorch: values and gradients, in float64.

Known differences, each with its reason:

    max_pool2d at a tie    ours shares the gradient, PyTorch gives it to the first
    names of axes          axis and keepdims are NumPy's; repeat is NumPy's too, PyTorch's is tile
    cross_entropy          ours has the classes in the last axis, PyTorch in the second
    softplus               PyTorch's is a straight line beyond 20, ours the formula
    amsgrad, maximize      compared over 200 steps, with learning rates that change
    any, all, isnan        have no gradient; values only
    Lion                   PyTorch has none: the authors' formula is written in its operations
"""

import itertools
import math

import numpy as np
import pytest

import stage3_nn.more as nn
import stage4_optim.more as optim
from stage2_tensor import Tensor
from stage2_tensor import more as m
from stage3_nn import Parameter

torch = pytest.importorskip("torch")
F = torch.nn.functional

RNG = np.random.default_rng(0)
X = RNG.standard_normal((3, 4))
P = RNG.uniform(0.3, 2, (3, 4))
CUBE = RNG.standard_normal((2, 3, 4))
IDS = np.array([[2, 0, 0], [1, 1, 3]])
PICTURE = RNG.standard_normal((2, 4, 7, 6))
LOGITS, SHARES = RNG.standard_normal((5, 6)), RNG.dirichlet(np.ones(6), 5)
WEIGHT = RNG.uniform(0.5, 2, 6)
Q, K, V = (RNG.standard_normal((2, 2, 3, 4)) for _ in range(3))
MASK = RNG.standard_normal((3, 3))


def compare(f, g, arrays, tolerance=1e-10):
    """f on Tensors and g on torch's: values and all gradients, for a random gradient above."""
    xs = [Tensor(a, requires_grad=True) for a in arrays]
    ts = [torch.tensor(a, requires_grad=True) for a in arrays]
    y, z = f(*xs), g(*ts)
    assert y.shape == tuple(z.shape)
    np.testing.assert_allclose(y.data, z.detach().numpy(), rtol=tolerance, atol=tolerance)
    above = np.random.default_rng(1).uniform(-1, 1, y.shape)
    y.backward(above)
    z.backward(torch.tensor(above))
    for x, t in zip(xs, ts):
        np.testing.assert_allclose(x.grad, t.grad.numpy(), rtol=tolerance, atol=tolerance)


def every(**options):
    """Every combination of the options."""
    return [dict(zip(options, values)) for values in itertools.product(*options.values())]


FUNCTIONS = {
    "tan": (m.tan, torch.tan, [X]),
    "log1p": (m.log1p, torch.log1p, [P]),
    "expm1": (m.expm1, torch.expm1, [X]),
    "log2": (m.log2, torch.log2, [P]),
    "floor": (m.floor, torch.floor, [3 * X]),
    "ceil": (m.ceil, torch.ceil, [3 * X]),
    "sign": (m.sign, torch.sign, [X]),
    "erf": (m.erf, torch.erf, [3 * X]),
    "leaky_relu": (lambda x: m.leaky_relu(x, 0.2), lambda x: F.leaky_relu(x, 0.2), [X]),
    "elu": (lambda x: m.elu(x, 0.7), lambda x: F.elu(x, 0.7), [X]),
    "softplus": (lambda x: m.softplus(x, 2.0), lambda x: F.softplus(x, 2.0), [X]),
    "gelu": (m.gelu, F.gelu, [3 * X]),
    "cumsum": (lambda x: m.cumsum(x, 1), lambda x: x.cumsum(1), [CUBE]),
    "cumprod": (lambda x: m.cumprod(x, 1), lambda x: x.cumprod(1), [CUBE]),
    "cumprod of zeros": (lambda x: m.cumprod(x, 0), lambda x: x.cumprod(0), [np.round(X)]),
    "prod": (m.prod, torch.prod, [X]),
    "prod along an axis": (lambda x: m.prod(x, 1), lambda x: x.prod(1), [np.round(CUBE)]),
    "repeat": (lambda x: m.repeat(x, 2, 1), lambda x: x.repeat_interleave(2, 1), [X]),
    "repeat each": (
        lambda x: m.repeat(x, [2, 0, 1], 0),
        lambda x: x.repeat_interleave(torch.tensor([2, 0, 1]), 0),
        [X],
    ),
    "tile": (lambda x: m.tile(x, (2, 1, 3)), lambda x: x.repeat(2, 1, 3), [X]),
    "roll": (lambda x: m.roll(x, (1, -2), (0, 1)), lambda x: x.roll((1, -2), (0, 1)), [X]),
    "roll in reading order": (lambda x: m.roll(x, 3), lambda x: x.roll(3), [X]),
    "tril": (lambda x: m.tril(x, 1), lambda x: x.tril(1), [CUBE]),
    "triu": (lambda x: m.triu(x, -1), lambda x: x.triu(-1), [CUBE]),
    "outer": (m.outer, torch.outer, [X[0], X[:, 0]]),
    "sort": (lambda x: m.sort(x, 0)[0], lambda x: x.sort(0)[0], [X]),
    "sort downwards": (
        lambda x: m.sort(x, descending=True)[0], lambda x: x.sort(descending=True)[0], [X]
    ),
    "topk": (lambda x: m.topk(x, 2)[0], lambda x: x.topk(2)[0], [X]),
    "topk of the smallest": (
        lambda x: m.topk(x, 2, 0, False)[0], lambda x: x.topk(2, 0, False)[0], [X]
    ),
    "gather": (
        lambda x: m.gather(x, 1, IDS), lambda x: x.gather(1, torch.tensor(IDS)), [X]
    ),
    "layer_norm": (
        lambda x, w, b: m.layer_norm(x, (3, 4), w, b),
        lambda x, w, b: F.layer_norm(x, (3, 4), w, b),
        [CUBE, X, P],
    ),
    "rms_norm": (
        lambda x, w: m.rms_norm(x, (3, 4), w),
        lambda x, w: F.rms_norm(x, (3, 4), w, 1e-5),
        [CUBE, X],
    ),
    "attention with a learned mask": (
        m.scaled_dot_product_attention, F.scaled_dot_product_attention, [Q, K, V, MASK]
    ),
    "attention that hides": (
        lambda q, k, v: m.scaled_dot_product_attention(q, k, v, np.where(MASK > 0, -np.inf, MASK)),
        lambda q, k, v: F.scaled_dot_product_attention(
            q, k, v, torch.tensor(np.where(MASK > 0, -np.inf, MASK))
        ),
        [Q, K, V],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    compare(*FUNCTIONS[name])


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("...ij,...jk", [(2, 1, 3, 4), (5, 4, 2)]), ("ij,jk", [(2, 3), (3, 4)]),
        ("...i,...i->...", [(2, 1, 3), (4, 3)]), ("i...->...", [(2, 3, 4)]), ("ba", [(2, 3)]),
        ("...i->i", [(2, 3, 4)]), ("b...,b...->b", [(2, 3, 4), (2, 3, 4)]),
    ],
)  # fmt: skip
def test_einsum(subscripts, shapes):
    arrays = [RNG.standard_normal(shape) for shape in shapes]
    compare(
        lambda *xs: m.einsum(subscripts, *xs), lambda *xs: torch.einsum(subscripts, *xs), arrays
    )


@pytest.mark.parametrize("name", ["any", "all"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_questions(name, axis):
    x = X > 0.5
    theirs = getattr(torch.tensor(x), name)(*([] if axis is None else [axis]))
    np.testing.assert_array_equal(getattr(m, name)(x, axis).data, theirs.numpy())


def test_places():
    x = np.array([[1.0, np.nan, 0.0, 1.0], [2.0, 2.0, -np.inf, 0.0]])
    t = torch.tensor(x)
    for down in (False, True):
        theirs = t.sort(dim=1, descending=down, stable=True)[1]
        np.testing.assert_array_equal(m.sort(x, 1, down)[1], theirs.numpy())
    np.testing.assert_array_equal(m.isnan(x).data, t.isnan().numpy())
    np.testing.assert_array_equal(m.argmax(X, 1, True), torch.tensor(X).argmax(1, True).numpy())
    np.testing.assert_array_equal(m.argmin(X, 0, True), torch.tensor(X).argmin(0, True).numpy())
    np.testing.assert_array_equal(m.one_hot(IDS).data, F.one_hot(torch.tensor(IDS)).numpy())


# Layers and losses.

MAX_POOL = every(
    kernel_size=[2, 3, (3, 2)],
    stride=[None, 1, (2, 3)],
    padding=[0, 1, (1, 0)],
    dilation=[1, (2, 1)],
    ceil_mode=[False, True],
)
AVG_POOL = every(
    kernel_size=[2, 3, (3, 2)],
    stride=[None, 1, (2, 3)],
    padding=[0, 1, (1, 0)],
    ceil_mode=[False, True],
    count_include_pad=[False, True],
)
KERNELS = {"kernel": [(1, 1), (2, 2), (3, 2)], "dilation": [1, (1, 2)], "groups": [1, 2]}
CONV = [
    *every(**KERNELS, stride=[1, 2, (2, 1)], padding=[0, 2, (1, 0), "valid"]),
    *every(**KERNELS, padding=["same"]),  # both refuse a stride here
]


@pytest.mark.parametrize("options", MAX_POOL, ids=str)
def test_max_pool2d(options):
    compare(lambda x: nn.MaxPool2d(**options)(x), lambda x: F.max_pool2d(x, **options), [PICTURE])


@pytest.mark.parametrize("options", AVG_POOL, ids=str)
def test_avg_pool2d(options):
    compare(lambda x: nn.AvgPool2d(**options)(x), lambda x: F.avg_pool2d(x, **options), [PICTURE])


@pytest.mark.filterwarnings("ignore:Using padding='same' with even kernel lengths:UserWarning")
@pytest.mark.parametrize("options", CONV, ids=str)
def test_conv2d(options):
    weight = RNG.standard_normal((6, 4 // options["groups"], *options["kernel"]))
    rest = {name: option for name, option in options.items() if name != "kernel"}
    arrays = [PICTURE, weight, RNG.standard_normal(6)]
    compare(lambda *a: nn.conv2d(*a, **rest), lambda *a: F.conv2d(*a, **rest), arrays)


@pytest.mark.parametrize(
    "options",
    every(
        reduction=["mean", "sum", "none"], label_smoothing=[0.0, 0.3], weight=[None, WEIGHT]
    ),
    ids=str,
)  # fmt: skip
def test_cross_entropy_of_shares(options):
    theirs = dict(options)
    if options["weight"] is not None:
        theirs["weight"] = torch.tensor(options["weight"])
    compare(
        lambda x, p: nn.cross_entropy(x, p, **options),
        lambda x, p: F.cross_entropy(x, p, **theirs),
        [LOGITS, SHARES],
    )


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_bce_with_pos_weight(reduction):
    compare(
        lambda x, t: nn.binary_cross_entropy_with_logits(x, t, reduction, pos_weight=WEIGHT),
        lambda x, t: F.binary_cross_entropy_with_logits(
            x, t, reduction=reduction, pos_weight=torch.tensor(WEIGHT)
        ),
        [20 * LOGITS, SHARES],
    )


NORMS = {
    "rows": (nn.BatchNorm1d, torch.nn.BatchNorm1d, (5, 4)),
    "sequences": (nn.BatchNorm1d, torch.nn.BatchNorm1d, (3, 4, 5)),
    "pictures": (nn.BatchNorm2d, torch.nn.BatchNorm2d, (2, 4, 3, 5)),
}


@pytest.mark.parametrize("affine", [False, True])
@pytest.mark.parametrize("name", NORMS)
def test_batch_norm_in_training_and_after(name, affine):
    make, make_theirs, shape = NORMS[name]
    ours, theirs = make(4, affine=affine), make_theirs(4, affine=affine).double()
    for seed in range(3):
        compare(ours, theirs, [np.random.default_rng(seed).standard_normal(shape)], 1e-5)
    for kept in ("running_mean", "running_var"):
        mine, other = getattr(ours, kept).data, getattr(theirs, kept).numpy()
        np.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-6)
    ours.eval(), theirs.eval()
    compare(ours, theirs, [np.random.default_rng(9).standard_normal(shape)], 1e-5)


@pytest.mark.parametrize("affine", [False, True])
def test_norms_over_several_axes(affine):
    compare(
        nn.LayerNorm((3, 4), elementwise_affine=affine),
        torch.nn.LayerNorm((3, 4), elementwise_affine=affine).double(),
        [CUBE],
    )
    compare(
        nn.RMSNorm((3, 4), elementwise_affine=affine),
        torch.nn.RMSNorm((3, 4), 1e-5, elementwise_affine=affine).double(),
        [CUBE],
    )


ACTIVATIONS = {
    "LeakyReLU": (nn.LeakyReLU(), torch.nn.LeakyReLU()),
    "ELU": (nn.ELU(), torch.nn.ELU()),
    "Softplus": (nn.Softplus(), torch.nn.Softplus()),
    "GELU": (nn.GELU(), torch.nn.GELU()),
    "GELU, tanh": (nn.GELU("tanh"), torch.nn.GELU("tanh")),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name):
    compare(*ACTIVATIONS[name], [3 * X])


# Optimizers.

SHAPES = [(4, 3), (5,), ()]
STEPS = 200


def side_by_side(make, make_theirs):
    """Both over the same gradients: two groups with learning rates of their own, and a schedule."""
    rng = np.random.default_rng(1)
    starts = [rng.standard_normal(shape) for shape in SHAPES]
    mine = [Parameter(a) for a in starts]
    theirs = [torch.nn.Parameter(torch.tensor(a)) for a in starts]
    ours, other = (
        f([{"params": ps[:1]}, {"params": ps[1:], "lr": 0.003}])
        for f, ps in ((make, mine), (make_theirs, theirs))
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(other, lambda n: math.cos(n / 2 / STEPS))
    for step in range(STEPS):
        ours.lr = 0.01 * math.cos(step / 2 / STEPS)
        for p, q in zip(mine, theirs):
            p.grad = 10.0 ** rng.uniform(-4, 1) * rng.standard_normal(p.shape)
            q.grad = torch.tensor(p.grad)
        ours.step()
        other.step()
        schedule.step()
        for p, q in zip(mine, theirs):
            np.testing.assert_allclose(p.data, q.detach().numpy(), rtol=1e-9, atol=1e-9)


OPTIMIZERS = {
    "SGD": every(momentum=[0.0, 0.9], weight_decay=[0.0, 0.1], maximize=[False, True]),
    "Adam": every(weight_decay=[0.0, 0.1], amsgrad=[False, True], maximize=[False, True]),
    "AdamW": every(weight_decay=[0.0, 0.1], amsgrad=[False, True], maximize=[False, True]),
}
FLAT = [(name, options) for name, cases in OPTIMIZERS.items() for options in cases]


@pytest.mark.parametrize(("name", "options"), FLAT, ids=str)
def test_optimizers(name, options):
    side_by_side(
        lambda params: getattr(optim, name)(params, lr=0.01, **options),
        lambda params: getattr(torch.optim, name)(params, lr=0.01, **options),
    )


def test_lion():
    p = Parameter(X)
    q, moment = torch.tensor(X), torch.zeros(3, 4, dtype=torch.float64)
    ours = optim.Lion([p], lr=0.01, weight_decay=0.1)
    for step in range(STEPS):
        p.grad = np.random.default_rng(step).standard_normal(p.shape)
        g = torch.tensor(p.grad)
        ours.step()
        q = q - 0.01 * (torch.sign(0.9 * moment + 0.1 * g) + 0.1 * q)
        moment = 0.99 * moment + 0.01 * g
        np.testing.assert_allclose(p.data, q.numpy(), rtol=1e-9, atol=1e-9)
