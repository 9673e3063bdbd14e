"""Every layer, initialiser and loss of stage 3 against PyTorch: values and all gradients.

Known differences, each with its reason:

    Linear.weight     ours is (in_features, out_features), so that y = x W reads like the formula;
                      transposed here
    GELU              the tanh form is compared
    cross_entropy     classes stand on our last axis, and on PyTorch's second one; the mean of no
                      targets is 0.0, PyTorch's is NaN
    BatchNorm1d       has no counter of batches
    padding_idx       a negative one counts from the end in both
    Dropout           another generator: the share and the scale are compared
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stage3_nn as nn
from stage2_tensor import Tensor

torch = pytest.importorskip("torch")
F = torch.nn.functional

TOLERANCE = {np.float64: 1e-10, np.float32: 1e-5}
dtypes = pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])
quietly = settings(deadline=None, derandomize=True, max_examples=20)
sizes = st.integers(1, 6)


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


def twins(layer, theirs, dtype, transposed):
    """Random numbers in the Parameters of both; the pairs of ours and theirs."""
    pairs = []
    for seed, (name, ours) in enumerate(layer.named_parameters()):
        ours.data = numbers(*ours.shape, seed=seed + 7).astype(dtype)
        other = theirs.get_parameter(name)
        array = ours.data.T if transposed and ours.ndim == 2 else ours.data
        other.data = torch.tensor(np.array(array))
        pairs.append((ours, other))
    return pairs


def compare(layer, theirs, x, dtype, transposed=False):
    """Both layers on x: values, and the gradients of x and of every Parameter."""
    pairs = twins(layer, theirs, dtype, transposed)
    x = np.asarray(x, dtype)
    a, b = Tensor(x, requires_grad=True), torch.tensor(x, requires_grad=True)
    y, z = layer(a), theirs(b)
    near(y.data, z, dtype)
    assert y.dtype == dtype
    g = numbers(*y.shape, seed=1).astype(dtype)
    y.backward(g)
    z.backward(torch.tensor(g))
    for ours, other in [(a, b), *pairs]:
        grad = other.grad.T if transposed and ours is not a and ours.ndim == 2 else other.grad
        near(ours.grad, grad, dtype)


def near(ours, theirs, dtype):
    theirs = theirs.detach().numpy()
    assert np.shape(ours) == theirs.shape
    tolerance = TOLERANCE[dtype]
    np.testing.assert_allclose(ours, theirs, rtol=10 * tolerance, atol=10 * tolerance)


@dtypes
@quietly
@given(st.lists(sizes, max_size=2), sizes, sizes, st.booleans())
def test_linear(dtype, leading, in_features, out_features, bias):
    theirs = torch.nn.Linear(in_features, out_features, bias)
    compare(
        nn.Linear(in_features, out_features, bias),
        theirs,
        numbers(*leading, in_features),
        dtype,
        transposed=True,
    )


@dtypes
@quietly
@given(st.lists(sizes, max_size=2), st.integers(2, 8))
def test_layer_norm(dtype, leading, D):
    compare(nn.LayerNorm(D), torch.nn.LayerNorm(D), numbers(*leading, D), dtype)


@dtypes
@quietly
@given(st.lists(sizes, max_size=2), st.integers(2, 8))
def test_rms_norm(dtype, leading, D):
    compare(nn.RMSNorm(D), torch.nn.RMSNorm(D, eps=1e-5), numbers(*leading, D), dtype)


@dtypes
@pytest.mark.parametrize("training", [True, False])
def test_batch_norm(dtype, training):
    ours, theirs = nn.BatchNorm1d(3), torch.nn.BatchNorm1d(3)
    if dtype == np.float64:
        theirs = theirs.double()
    for buffer in (ours.running_mean, ours.running_var):
        buffer.data = buffer.data.astype(dtype)
    for seed in (1, 2):  # two batches move the running statistics
        x = numbers(5, 3, seed=seed) * 2 + 1
        compare(ours, theirs, x, dtype)
    near(ours.running_mean.data, theirs.running_mean, dtype)
    near(ours.running_var.data, theirs.running_var, dtype)
    ours.train(training)
    theirs.train(training)
    for ours_p, theirs_p in zip(ours.parameters(), theirs.parameters()):
        ours_p.grad = theirs_p.grad = None
    compare(ours, theirs, numbers(4, 3, seed=3), dtype)


@dtypes
@quietly
@given(
    st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.integers(0, 2)
)
def test_conv2d(dtype, in_channels, out_channels, k, stride, padding):
    theirs = torch.nn.Conv2d(in_channels, out_channels, k, stride, padding)
    ours = nn.Conv2d(in_channels, out_channels, k, stride, padding)
    compare(ours, theirs, numbers(2, in_channels, 5, 6), dtype)


@dtypes
@pytest.mark.parametrize(("k", "stride"), [(2, None), (3, 1), (3, 2), (1, 1)])
def test_max_pool(dtype, k, stride):
    compare(nn.MaxPool2d(k, stride), torch.nn.MaxPool2d(k, stride), numbers(2, 3, 6, 5), dtype)


@dtypes
@pytest.mark.parametrize("padding", [None, 0, 2, -1])
def test_embedding(dtype, padding):
    ours, theirs = nn.Embedding(5, 3, padding), torch.nn.Embedding(5, 3, padding)
    pairs = twins(ours, theirs, dtype, transposed=False)
    ids = np.random.default_rng(0).integers(0, 5, (4, 6))
    y, z = ours(ids), theirs(torch.tensor(ids))
    near(y.data, z, dtype)
    g = numbers(*y.shape).astype(dtype)
    y.backward(g)
    z.backward(torch.tensor(g))
    for a, b in pairs:
        near(a.grad, b.grad, dtype)


ACTIVATIONS = {
    "ReLU": torch.nn.ReLU(),
    "Sigmoid": torch.nn.Sigmoid(),
    "Tanh": torch.nn.Tanh(),
    "GELU": torch.nn.GELU(approximate="tanh"),
    "SiLU": torch.nn.SiLU(),
    "Softmax": torch.nn.Softmax(-1),
}


@dtypes
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name, dtype):
    compare(getattr(nn, name)(), ACTIVATIONS[name], numbers(4, 5) * 3, dtype)


LOSSES = {
    "mse_loss": F.mse_loss,
    "l1_loss": F.l1_loss,
    "huber_loss": F.huber_loss,
    "binary_cross_entropy_with_logits": F.binary_cross_entropy_with_logits,
}
reductions = pytest.mark.parametrize("reduction", ["mean", "sum", "none"])


@dtypes
@reductions
@pytest.mark.parametrize("name", LOSSES)
def test_losses(name, reduction, dtype):
    x, target = numbers(4, 5).astype(dtype) * 3, numbers(4, 5, seed=1).astype(dtype)
    if name.startswith("binary"):
        target = 1 / (1 + np.exp(-target))
    a, b = Tensor(x, requires_grad=True), torch.tensor(x, requires_grad=True)
    y = getattr(nn, name)(a, target, reduction=reduction)
    z = LOSSES[name](b, torch.tensor(target), reduction=reduction)
    near(y.data, z, dtype)
    g = numbers(*y.shape).astype(dtype)
    y.backward(g)
    z.backward(torch.tensor(g))
    near(a.grad, b.grad, dtype)


@dtypes
def test_huber_with_another_delta(dtype):
    x, target = numbers(20).astype(dtype) * 3, numbers(20, seed=1).astype(dtype)
    y = nn.huber_loss(Tensor(x), target, delta=0.3)
    near(y.data, F.huber_loss(torch.tensor(x), torch.tensor(target), delta=0.3), dtype)


@dtypes
@reductions
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("weighted", [False, True])
def test_cross_entropy(reduction, smoothing, weighted, dtype):
    x = numbers(3, 4, 5).astype(dtype) * 3  # (batch, time, classes)
    targets = np.random.default_rng(0).integers(0, 5, (3, 4))
    targets[0, 1] = targets[2, 3] = -100
    weight = np.random.default_rng(1).uniform(0.5, 2, 5).astype(dtype) if weighted else None
    a, b = Tensor(x, requires_grad=True), torch.tensor(x, requires_grad=True)
    options = {"reduction": reduction, "label_smoothing": smoothing}
    y = nn.cross_entropy(a, targets, weight=weight, **options)
    z = F.cross_entropy(
        b.swapaxes(1, 2),
        torch.tensor(targets),
        weight=None if weight is None else torch.tensor(weight),
        **options,
    )
    near(y.data, z, dtype)
    g = numbers(*y.shape).astype(dtype)
    y.backward(g)
    z.backward(torch.tensor(g))
    near(a.grad, b.grad, dtype)


INITIALISERS = {
    "glorot_normal": torch.nn.init.xavier_normal_,
    "glorot_uniform": torch.nn.init.xavier_uniform_,
    "he_normal": torch.nn.init.kaiming_normal_,
    "he_uniform": torch.nn.init.kaiming_uniform_,
}


@pytest.mark.parametrize("name", INITIALISERS)
@pytest.mark.parametrize("shape", [(300, 200), (32, 16, 5, 5)], ids=str)
def test_initialisers_have_the_same_distribution(name, shape):
    ours = getattr(nn.init, name)(shape, rng=np.random.default_rng(0))
    theirs = torch.empty(shape if len(shape) == 4 else shape[::-1])
    torch.manual_seed(0)
    INITIALISERS[name](theirs)
    a, b = np.sort(ours.ravel()), np.sort(theirs.numpy().ravel())
    assert a.std() == pytest.approx(b.std(), rel=0.03)
    largest_gap = np.abs(a - b)[100:-100].max()  # between the two cumulative distributions
    assert largest_gap < 0.1 * b.std()


def test_the_start_of_linear_has_the_same_distribution():
    ours, theirs = nn.Linear(400, 300, rng=np.random.default_rng(0)), torch.nn.Linear(400, 300)
    for a, b in ((ours.weight, theirs.weight), (ours.bias, theirs.bias)):
        assert np.abs(a.data).max() <= 1 / math.sqrt(400)
        assert a.data.std() == pytest.approx(b.detach().numpy().std(), rel=0.1)


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_dropout_keeps_the_same_share_and_scale(p):
    ours = nn.Dropout(p, rng=np.random.default_rng(0))(Tensor(np.ones(100_000, np.float32))).data
    torch.manual_seed(0)
    theirs = torch.nn.Dropout(p)(torch.ones(100_000)).numpy()
    assert ours.max() == pytest.approx(theirs.max(), rel=1e-6)
    assert (ours == 0).mean() == pytest.approx((theirs == 0).mean(), abs=0.01)


def test_a_checkpoint_can_be_loaded_into_pytorch(tmp_path):
    safetensors = pytest.importorskip("safetensors.torch")
    rng = np.random.default_rng(0)
    ours = nn.Sequential(nn.Linear(4, 8, rng=rng), nn.ReLU(), nn.Linear(8, 3, rng=rng))
    nn.save(tmp_path / "model.safetensors", ours.state_dict())
    state = safetensors.load_file(tmp_path / "model.safetensors")
    state = {name: array.T if array.ndim == 2 else array for name, array in state.items()}
    theirs = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
    theirs.load_state_dict(state)
    x = numbers(5, 4).astype(np.float32)
    near(ours(Tensor(x)).data, theirs(torch.tensor(x)), np.float32)
