"""Losses composed of simple operations: one-hot sums, logsumexp, the branches of softplus."""

import inspect

import numpy as np

from stage2_tensor import log_softmax, stack, where
from stage3_nn.module import Module


def check_loss(op, x, target, reduction):
    if tuple(np.shape(getattr(target, "data", target))) != tuple(x.shape):
        raise ValueError(f"{op}: expected equal shapes")
    if reduction not in {"mean", "sum", "none"}:
        raise ValueError(f"{op}: expected a reduction, got {reduction}")


def reduce(losses, reduction):
    return {
        "mean": lambda: losses.sum() / max(losses.size, 1),
        "sum": losses.sum,
        "none": lambda: losses,
    }[reduction]()


def mse_loss(x, target, reduction="mean"):
    check_loss("mse_loss", x, target, reduction)
    return reduce((x - target) ** 2, reduction)


def l1_loss(x, target, reduction="mean"):
    check_loss("l1_loss", x, target, reduction)
    d = x - target
    return reduce(where(d.data > 0, d, -d), reduction)


def huber_loss(x, target, reduction="mean", delta=1.0):
    check_loss("huber_loss", x, target, reduction)
    if delta <= 0:
        raise ValueError("huber_loss: delta must be above 0")
    d = x - target
    inner = d.clip(-delta, delta)
    return reduce(inner * d - inner * inner * 0.5, reduction)


def binary_cross_entropy_with_logits(x, target, reduction="mean"):
    check_loss("bce", x, target, reduction)
    softplus = stack([x, x * 0], axis=-1).logsumexp(-1)  # log(e^x + e^0)
    return reduce(softplus - x * target, reduction)


def cross_entropy(
    logits, targets, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
):
    if not 0 <= label_smoothing <= 1:
        raise ValueError("cross_entropy: label_smoothing must be from 0 to 1")
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"cross_entropy: expected a reduction, got {reduction}")
    K = logits.shape[-1]
    ids = np.asarray(getattr(targets, "data", targets))
    if ids.shape != logits.shape[:-1]:
        raise ValueError("cross_entropy: expected a target per row")
    counts = ids != ignore_index
    if not np.isin(ids[counts], np.arange(K)).all():
        raise ValueError(f"cross_entropy: expected classes below {K}")
    wanted = np.zeros(logits.shape, logits.dtype)
    for place in np.argwhere(counts):
        wanted[(*place, ids[tuple(place)])] = 1
    smooth = (1 - label_smoothing) * wanted + label_smoothing / K * counts[..., None]
    w = np.ones(K) if weight is None else np.asarray(weight)
    if not np.isfinite(w).all() or w.min(initial=0) < 0:
        raise ValueError(f"cross_entropy: expected weights from 0 to below infinity, got {w}")
    smooth = (smooth * w).astype(logits.dtype)
    each = -(log_softmax(logits) * smooth).sum(-1)
    if reduction == "none":
        return each
    total = each.sum()
    if reduction == "sum":
        return total
    n = float((wanted * w).sum())
    return total * (1 / n) if n else total


class Loss(Module):
    function = staticmethod(mse_loss)

    def __init__(self, **options):
        inspect.signature(self.function).bind(None, None, **options)
        self.options = options

    def forward(self, x, target):
        return self.function(x, target, **self.options)


class MSELoss(Loss):
    pass


class L1Loss(Loss):
    function = staticmethod(l1_loss)


class HuberLoss(Loss):
    function = staticmethod(huber_loss)


class BCEWithLogitsLoss(Loss):
    function = staticmethod(binary_cross_entropy_with_logits)


class CrossEntropyLoss(Loss):
    function = staticmethod(cross_entropy)
