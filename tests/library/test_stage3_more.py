"""The wider layers and losses of stage 3: their gradients, their edges, and what they refuse."""

import re
from pathlib import Path

import numpy as np
import pytest

import stage3_nn as stage3
from stage2_tensor import Tensor, gradcheck, zeros
from stage3_nn import more as m
from tests.library.samples import leaf, rng

X = rng(1).permutation(np.linspace(-2, 2, 2 * 4 * 5 * 6)).reshape(2, 4, 5, 6)  # no ties
SEQUENCE = X[:, :, 0, :]
WEIGHT = rng(2).standard_normal((6, 2, 3, 2))
BIAS = rng(3).standard_normal(6)
LOGITS = rng(4).standard_normal((3, 5))
SHARES = rng(5).dirichlet(np.ones(5), 3)
YES = rng(6).random((3, 5))

SMOOTH = {
    "max_pool2d": (lambda x: m.max_pool2d(x, (3, 2), (2, 1), (1, 0)), [X]),
    "max_pool2d, ceil": (lambda x: m.max_pool2d(x, 2, 3, 1, ceil_mode=True), [X]),
    "max_pool2d, gaps": (lambda x: m.max_pool2d(x, 2, 1, 1, dilation=(2, 3)), [X]),
    "avg_pool2d": (lambda x: m.avg_pool2d(x, (3, 2), padding=(1, 1)), [X]),
    "avg_pool2d, ceil": (lambda x: m.avg_pool2d(x, 3, 2, 1, True, False), [X]),
    "conv2d": (
        lambda x, w, b: m.conv2d(x, w, b, (2, 1), (1, 2), dilation=(1, 2), groups=2),
        [X, WEIGHT, BIAS],
    ),
    "conv2d, same": (lambda x, w: m.conv2d(x, w, padding="same", groups=2), [X, WEIGHT]),
    "cross_entropy": (m.cross_entropy, [LOGITS, SHARES]),
    "cross_entropy, weighted": (
        lambda x, p: m.cross_entropy(x, p, np.arange(1.0, 6), label_smoothing=0.2),
        [LOGITS, SHARES],
    ),
    "binary_cross_entropy_with_logits": (
        lambda x, w: m.binary_cross_entropy_with_logits(x, YES, pos_weight=w),
        [LOGITS, np.arange(1.0, 6)],
    ),
    "BatchNorm1d": (lambda x: m.BatchNorm1d(4)(x), [SEQUENCE]),
    "BatchNorm2d": (lambda x: m.BatchNorm2d(4, affine=False)(x), [X]),
    "LayerNorm": (lambda x: m.LayerNorm((5, 6))(x), [X]),
    "RMSNorm": (lambda x: m.RMSNorm((5, 6), elementwise_affine=False)(x), [X[:1, :1]]),
    "LeakyReLU": (lambda x: m.LeakyReLU(0.3)(x), [LOGITS]),
    "ELU": (lambda x: m.ELU(0.5)(x), [LOGITS]),
    "Softplus": (lambda x: m.Softplus(3.0)(x), [LOGITS]),
    "GELU": (lambda x: m.GELU()(x), [LOGITS]),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_the_gradient_is_the_measured_slope(name):
    f, inputs = SMOOTH[name]
    assert gradcheck(f, *inputs, rng=rng()).ok


@pytest.mark.parametrize("name", SMOOTH)
def test_float32_stays_float32(name):
    f, inputs = SMOOTH[name]
    xs = [Tensor(x.astype(np.float32), requires_grad=True) for x in inputs]
    assert f(*xs).dtype == np.float32


# Pooling and convolution.


def test_square_windows_are_those_of_the_exercise():
    np.testing.assert_array_equal(
        m.MaxPool2d(2)(Tensor(X)).data, stage3.MaxPool2d(2)(Tensor(X)).data
    )
    ours, theirs = m.Conv2d(4, 3, 2, 2, 1, rng=rng()), stage3.Conv2d(4, 3, 2, 2, 1, rng=rng())
    np.testing.assert_array_equal(ours(Tensor(X)).data, theirs(Tensor(X)).data)


def test_padding_never_is_the_largest():
    x = Tensor(-np.ones((1, 1, 2, 2)), requires_grad=True)
    y = m.max_pool2d(x, 2, padding=1)
    assert (y.data == -1).all()
    y.sum().backward()
    assert (x.grad == 1).all()


def test_what_hangs_over_does_not_count_in_a_mean():
    x = Tensor(np.ones((1, 1, 3, 3)))
    assert (m.avg_pool2d(x, 2, ceil_mode=True).data == 1).all()
    assert m.avg_pool2d(x, 2, padding=1).data[0, 0, 0, 0] == 0.25
    assert m.avg_pool2d(x, 2, padding=1, count_include_pad=False).data[0, 0, 0, 0] == 1


@pytest.mark.parametrize("kernel", [1, 2, 3, (4, 5)])
@pytest.mark.parametrize("dilation", [1, 2, (1, 3)])
def test_same_keeps_the_size(kernel, dilation):
    layer = m.Conv2d(4, 2, kernel, padding="same", dilation=dilation)
    assert layer(Tensor(X)).shape == (2, 2, 5, 6)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: m.max_pool2d(x, 2),
        lambda x: m.avg_pool2d(x, (3, 2), padding=1, ceil_mode=True),
        lambda x: m.Conv2d(4, 2, (2, 3), groups=2)(x),
    ],
)
def test_no_pictures_give_no_pictures(f):
    x = leaf(0, 4, 5, 6)
    f(x).sum().backward()
    assert x.grad.shape == x.shape


def test_layers_say_how_they_were_made():
    assert "groups=2" in repr(m.Conv2d(4, 2, (2, 3), groups=2))
    assert "(3, 2), stride=(3, 2), padding=(1, 1)" in repr(m.AvgPool2d((3, 2), padding=1))
    assert "(2, 2), stride=(1, 1)" in repr(m.MaxPool2d(2, 1))


# Losses.


def test_class_ids_go_to_the_exercise():
    ids = np.array([0, 4, 2])
    ours = m.cross_entropy(Tensor(LOGITS), ids, label_smoothing=0.1)
    assert ours.item() == stage3.cross_entropy(Tensor(LOGITS), ids, label_smoothing=0.1).item()


def test_shares_of_one_class_are_that_class():
    ids = np.array([0, 4, 2])
    ours = m.CrossEntropyLoss(label_smoothing=0.1)(Tensor(LOGITS), np.eye(5)[ids])
    theirs = stage3.cross_entropy(Tensor(LOGITS), ids, label_smoothing=0.1)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-12)


def test_an_impossible_class_that_never_comes_costs_nothing():
    x = Tensor(np.array([[0.0, 0.0, -np.inf]]), requires_grad=True)
    loss = m.cross_entropy(x, np.array([[1.0, 0.0, 0.0]]))
    loss.backward()
    assert loss.item() == pytest.approx(np.log(2))
    np.testing.assert_allclose(x.grad, [[-0.5, 0.5, 0.0]])


def test_no_rows_cost_nothing():
    assert m.cross_entropy(zeros(0, 3), np.zeros((0, 3))).item() == 0


def test_a_weight_of_one_changes_nothing_and_no_logit_is_too_large():
    x, yes = np.array([-1e4, -2.0, 3.0, 1e4]), np.array([1.0, 0.0, 1.0, 0.0])
    ours = m.BCEWithLogitsLoss(pos_weight=np.ones(4), reduction="none")(Tensor(x), yes)
    theirs = stage3.binary_cross_entropy_with_logits(Tensor(x), yes, "none")
    np.testing.assert_allclose(ours.data, theirs.data)
    assert m.binary_cross_entropy_with_logits(Tensor(x), yes).item() == theirs.mean().item()


# Norms.


def test_a_norm_over_one_axis_is_that_of_the_exercise():
    x = Tensor(LOGITS)
    np.testing.assert_array_equal(m.LayerNorm(5)(x).data, stage3.LayerNorm(5)(x).data)
    np.testing.assert_allclose(m.RMSNorm(5)(x).data, stage3.RMSNorm(5)(x).data)
    np.testing.assert_array_equal(m.BatchNorm1d(5)(x).data, stage3.BatchNorm1d(5)(x).data)


def test_batch_norm_remembers_pictures_as_rows():
    ours, rows = m.BatchNorm2d(4), stage3.BatchNorm1d(4)
    ours(Tensor(X))
    rows(Tensor(X.transpose(0, 2, 3, 1).reshape(-1, 4)))
    np.testing.assert_allclose(ours.running_mean.data, rows.running_mean.data, rtol=1e-6)
    np.testing.assert_allclose(ours.running_var.data, rows.running_var.data, rtol=1e-6)
    assert ours.eval()(Tensor(X[:1])).shape == (1, 4, 5, 6)


def test_without_affine_there_is_nothing_to_train():
    for norm in (m.BatchNorm2d(4, affine=False), m.LayerNorm(4, elementwise_affine=False)):
        assert norm.parameters() == []
    assert list(m.BatchNorm1d(4, affine=False).state_dict()) == ["running_mean", "running_var"]
    assert [name for name, _ in m.LayerNorm((2, 2), bias=False).named_parameters()] == ["weight"]


# Errors.

P = zeros(1, 2, 4, 4)
ERRORS = {
    "MaxPool2d: expected kernel_size of at least 1, got 0": lambda: m.MaxPool2d(0),
    "AvgPool2d: expected stride to be a whole number, got 0.5": lambda: m.AvgPool2d(2, (0.5, 1)),
    "max_pool2d: expected kernel_size as one number, or a pair, got (1, 2, 3)": lambda: (
        m.max_pool2d(P, (1, 2, 3))
    ),
    "max_pool2d: expected padding of at most half the window (2, 2), got (2, 2)": lambda: (
        m.max_pool2d(P, 2, padding=2)
    ),
    "avg_pool2d: expected x of shape (N, C, H, W) with H at least 5 and W at least 1": lambda: (
        m.avg_pool2d(P, (5, 1))
    ),
    "avg_pool2d: expected x of shape (N, C, H, W)": lambda: m.avg_pool2d(zeros(2, 2), 1),
    "conv2d: expected x (N, groups C, H, W), weight (C_out, C, kh, kw) and bias (C_out,)": lambda: (
        m.conv2d(P, zeros(3, 3, 1, 1))
    ),
    "conv2d: expected x of shape (N, C, H, W) with H at least 5 and W at least 1": lambda: m.conv2d(
        P, zeros(3, 2, 3, 1), dilation=2
    ),
    'conv2d: expected padding as numbers, "same" or "valid", got \'full\'': lambda: m.conv2d(
        P, zeros(3, 2, 1, 1), padding="full"
    ),
    'conv2d: expected a stride of 1 for padding="same", got (2, 2)': lambda: m.conv2d(
        P, zeros(3, 2, 1, 1), padding="same", stride=2
    ),
    "Conv2d: expected groups that divide 3 and 4 channels, got 2": lambda: m.Conv2d(
        3, 4, 1, groups=2
    ),
    "cross_entropy: expected weight of shape (5,), got (4,)": lambda: m.cross_entropy(
        Tensor(LOGITS), SHARES, np.ones(4)
    ),
    "cross_entropy: expected label_smoothing from 0 to 1, got 2": lambda: m.cross_entropy(
        Tensor(LOGITS), SHARES, label_smoothing=2
    ),
    "integer targets (...), got (3, 5) and float64 (3, 4)": lambda: m.cross_entropy(
        Tensor(LOGITS), SHARES[:, :4]
    ),
    "expected a pos_weight that broadcasts to x (3, 5), got (4,)": (
        lambda: m.binary_cross_entropy_with_logits(Tensor(LOGITS), YES, pos_weight=np.ones(4))
    ),
    "binary_cross_entropy_with_logits: expected a target of the shape of x": lambda: (
        m.binary_cross_entropy_with_logits(Tensor(LOGITS), YES[:1], pos_weight=np.ones(5))
    ),
    "expected x of shape (N, 3, ...) of 4 axes, with at least 2": lambda: m.BatchNorm2d(3)(P),
    "expected x of shape (N, 3, ...) of 2 axes or (N, 3, ...) of 3 axes, with": lambda: (
        m.BatchNorm1d(3)(zeros(1, 3))
    ),
    "conv2d: expected a Tensor, got a list": lambda: m.conv2d([1.0], zeros(3, 2, 1, 1)),
    "conv2d: expected a Tensor, got a ndarray": lambda: m.conv2d(P, np.zeros((3, 3, 1, 1))),
    "max_pool2d: expected a Tensor, got a list": lambda: m.max_pool2d([1.0], 2),
    "BatchNorm2d(3, affine=True): expected a Tensor, got a list": lambda: m.BatchNorm2d(3)([1.0]),
    "cross_entropy: expected a Tensor, got a list": lambda: m.cross_entropy([[1.0]], SHARES),
    "cross_entropy: expected arrays of numbers": lambda: m.cross_entropy(Tensor(LOGITS), "no"),
    "LayerNorm: expected eps of at least 0, got -1": lambda: m.LayerNorm(3, -1),
    "RMSNorm: expected elementwise_affine True or False, got 2": lambda: m.RMSNorm(3, 0.1, 2),
    "LayerNorm: expected normalized_shape of at least 1, got 0": lambda: m.LayerNorm((2, 0)),
    "layer_norm: expected x of shape (..., 3, 4), none of them 0, got": lambda: m.LayerNorm((3, 4))(
        P
    ),
}


@pytest.mark.parametrize("message", ERRORS)
def test_a_refusal_says_the_rule_and_what_came(message):
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        ERRORS[message]()


def test_everything_that_is_exported_is_tried_here():
    source = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in m.__all__ if f"m.{name}" not in source] == []
