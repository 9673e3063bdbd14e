"""Losses and activations that are one node agree with the same thing composed of simple ones."""

import numpy as np
import pytest

import stage3_nn as nn
from stage2_tensor import Tensor, log_softmax, stack, where, zeros_like
from tests.library.samples import leaf, rng

IDS = np.array([[0, 2, -100], [3, 3, 0]])
WEIGHT = np.array([0.5, 2.0, 1.0, 0.25])


def composed_huber(x, target):
    distance = (x - target).abs()
    return where(distance <= 0.8, 0.5 * distance * distance, 0.8 * (distance - 0.4)).mean()


def composed_yes_or_no(x, target):
    return (stack([zeros_like(x), x]).logsumexp(0) - x * target).mean()


PAIRS = {
    "mse": (nn.mse_loss, lambda x, target: ((x - target) * (x - target)).mean()),
    "huber": (lambda x, target: nn.huber_loss(x, target, delta=0.8), composed_huber),
    "yes or no": (nn.binary_cross_entropy_with_logits, composed_yes_or_no),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_loss_of_x_and_target_has_its_composed_twin(name):
    results = []
    for loss in PAIRS[name]:
        x, target = leaf(4, 5), leaf(4, 5, seed=1)
        y = loss(x, target)
        y.backward()
        results.append((y.data, x.grad, target.grad))
    for fused, composed in zip(*results):
        np.testing.assert_allclose(fused, composed, rtol=1e-12, atol=1e-15)


def composed_cross_entropy(logits, weight, smoothing):
    counts = IDS != -100
    w = np.ones(4) if weight is None else weight
    mix = ((1 - smoothing) * np.eye(4)[np.where(counts, IDS, 0)] + smoothing / 4) * w
    losses = where(counts, -(log_softmax(logits) * mix).sum(-1), 0)
    return losses.sum() / (counts * w[np.where(counts, IDS, 0)]).sum()


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_cross_entropy_has_its_composed_twin(weight, smoothing):
    fused, composed = leaf(2, 3, 4), leaf(2, 3, 4)
    a = nn.cross_entropy(fused, IDS, weight, label_smoothing=smoothing)
    b = composed_cross_entropy(composed, weight, smoothing)
    a.backward()
    b.backward()
    np.testing.assert_allclose(a.data, b.data, rtol=1e-12)
    np.testing.assert_allclose(fused.grad, composed.grad, rtol=1e-12, atol=1e-15)


def test_silu_has_its_composed_twin():
    fused, composed = leaf(4, 5), leaf(4, 5)
    y = nn.SiLU()(fused)
    z = composed * composed.sigmoid()
    g = rng(1).standard_normal((4, 5))
    y.backward(g)
    z.backward(g)
    np.testing.assert_allclose(y.data, z.data, rtol=1e-14)
    np.testing.assert_allclose(fused.grad, composed.grad, rtol=1e-12)


@pytest.mark.parametrize("loss", [nn.mse_loss, nn.huber_loss, nn.binary_cross_entropy_with_logits])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_loss_keeps_the_dtype_of_its_input(loss, dtype):
    x = Tensor(np.zeros(3, dtype), requires_grad=True)
    y = loss(x, np.array([0, 1, 1]))
    y.backward()
    assert x.grad is not None and y.dtype == x.grad.dtype == dtype


def test_one_node_for_a_loss_and_one_for_its_mean():
    for loss in (nn.mse_loss, nn.huber_loss, nn.binary_cross_entropy_with_logits):
        x = leaf(3)
        assert loss(x, np.zeros(3)).parents[0].parents == (x,)
