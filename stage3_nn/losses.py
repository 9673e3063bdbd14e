"""How wrong is the model? One number to walk downhill on.

Every loss has a `reduction`: "mean" (the default), "sum", or "none" for one number per element.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np

from stage2_tensor import Tensor, cross_entropy_with_logits, where
from stage3_nn.argument_kinds import check_real, check_tensor
from stage3_nn.array_checks import read_array
from stage3_nn.inputs import check_class_weight, check_positive, check_reduction, check_share
from stage3_nn.module import Module

Array = np.ndarray


def mse_loss(x: Tensor, target: Tensor | Array, reduction: str = "mean") -> Tensor:
    """(x - target)^2.

    Shapes:    x and target: the same -> (), or theirs with reduction="none"
    Gradient:  dL/dx = 2 g d, where d = x - target
    Raises:    ValueError: if the shapes differ: broadcasting would compare all with all.
    """
    check_loss("mse_loss", x, target, reduction)
    target = x.operand(target)
    d = x.data - target.data
    return reduce(of_distance("mse", x, target, d * d, 2 * d), reduction)


def l1_loss(x: Tensor, target: Tensor | Array, reduction: str = "mean") -> Tensor:
    """|x - target|: less moved by outliers.

    Raises:    ValueError: if the shapes differ.
    """
    check_loss("l1_loss", x, target, reduction)
    return reduce((x - target).abs(), reduction)


def huber_loss(
    x: Tensor, target: Tensor | Array, reduction: str = "mean", delta: float = 1.0
) -> Tensor:
    """d^2 / 2 up to |d| = delta, then the straight line delta (|d| - delta / 2), d = x - target.

    In one line: (d - slope / 2) slope, where the slope is d, but at most delta to either side.

    Gradient:  dL/dx = g slope
    Source:    Huber (1964), Robust Estimation of a Location Parameter.
    Raises:    ValueError: if the shapes differ, or delta is not above 0.
    """
    check_loss("huber_loss", x, target, reduction)
    check_positive("huber_loss", delta=delta)
    target = x.operand(target)
    d = x.data - target.data
    slope = np.clip(d, -delta, delta)
    losses = (-0.5 * slope + d) * slope
    return reduce(of_distance("huber", x, target, losses, slope), reduction)


def binary_cross_entropy_with_logits(
    x: Tensor, target: Tensor | Array, reduction: str = "mean"
) -> Tensor:
    """-target log p - (1 - target) log(1 - p), with p = sigmoid(x), safe for every x.

    This is the cross-entropy of two classes with the logits 0 and x: log(e^0 + e^x) - x target.
    The larger of the two logits leaves the log, where e to it is its share, the larger of p and
    1 - p: max(0, x) - log(max(p, 1 - p)) - x target.

    Shapes:    x and target (from 0 to 1): the same -> (), or theirs with reduction="none"
    Gradient:  dL/dx = g (p - target),  dL/dtarget = -g x
    Raises:    ValueError: if the shapes differ.
    """
    check_loss("binary_cross_entropy_with_logits", x, target, reduction)
    target = x.operand(target)
    z, t, p = x.data, target.data, x.sigmoid().data
    losses = np.maximum(z, 0) - z * t - np.log(np.maximum(p, 1 - p))
    edges = (x, lambda g: g * (p - t)), (target, lambda g: -g * z)
    return reduce(x.from_op(losses, *edges, op="binary_cross_entropy"), reduction)


def cross_entropy(
    logits: Tensor,
    targets: Tensor | Array,
    weight: Tensor | Array | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """-log softmax(logits)[target], one number per row, reduced over the rows that count.

    A row whose target is `ignore_index` counts nothing; the mean is over the others, and 0.0 if
    there are none. `weight` gives each class its own; the mean is then divided by the sum of the
    weights of the targets. Label smoothing mixes the target with the uniform distribution over all
    K classes, (1 - s) one_hot + s / K; every class keeps its weight in the mix. The mean over all
    classes of -log softmax(logits) is log sum e^logits - mean(logits), and the log is at hand: it
    is the loss plus the logit of the target.

    Shapes:    logits: (..., K), targets: (...) of class ids, weight: (K,) -> (), or (...)
    Gradient:  dL/dlogits = g (softmax(logits) - smoothed one_hot), divided by n in a mean
    Source:    Szegedy et al. (2015), Rethinking the Inception Architecture, section 7.
    Raises:    ValueError: if the shapes do not go together, the ids are not integers, the
               reduction is unknown, the smoothing not from 0 to 1, or a weight negative, infinite
               or NaN. IndexError: if an id is not a class.
    """
    check_reduction("cross_entropy", reduction)
    check_share("cross_entropy", label_smoothing=label_smoothing)
    check_tensor("cross_entropy", logits)
    check_real("cross_entropy", ignore_index=ignore_index)
    ids = read_array("cross_entropy", targets)
    counts = ids != ignore_index
    ids = np.where(counts, ids, 0)
    class_weight = np.ones(logits.shape[-1:], logits.dtype)
    if weight is not None:
        class_weight = read_array("cross_entropy", weight).astype(logits.dtype)
    check_class_weight("cross_entropy", class_weight, logits.shape[-1:])
    unweighted = cross_entropy_with_logits(logits, ids)
    losses = unweighted * class_weight[ids]
    shares = counts * class_weight[ids]
    if label_smoothing:
        log_total = unweighted + logits[(*np.indices(ids.shape), ids)]
        weighted = logits if weight is None else logits * class_weight
        smooth = log_total * class_weight.mean() - weighted.mean(-1)
        losses = (1 - label_smoothing) * losses + label_smoothing * smooth
    losses = where(counts, losses, 0)
    if reduction == "mean":
        return losses.sum() / max(shares.sum(), np.finfo(logits.dtype).tiny)
    return reduce(losses, reduction)


def check_loss(op: str, x: Tensor, target: Tensor | Array, reduction: str) -> None:
    """Raise ValueError unless the target has the shape of x, and the reduction is known."""
    check_tensor(op, x)
    shape = read_array(op, target).shape
    if shape != x.shape:
        raise ValueError(f"{op}: expected a target of the shape of x, {x.shape}, got {shape}")
    check_reduction(op, reduction)


def of_distance(op: str, x: Tensor, target: Tensor, losses: Array, slope: Array) -> Tensor:
    """The losses as one node, from the distance of x and target, with their slope by it."""
    return x.from_op(losses, (x, lambda g: g * slope), (target, lambda g: -g * slope), op=op)


def reduce(losses: Tensor, reduction: str) -> Tensor:
    """The mean of the losses, their sum, or the losses themselves."""
    if reduction == "mean":
        return losses.mean()
    return losses.sum() if reduction == "sum" else losses


class Loss(Module):
    """A loss as a Module: it keeps the options, and is called with x and target.

    Raises:    TypeError: if the loss has no option of that name.
    """

    function: Callable[..., Tensor]

    def __init__(self, **options) -> None:
        inspect.signature(self.function).bind(None, None, **options)
        self.options = options

    def forward(self, x: Tensor, target: Tensor | Array) -> Tensor:
        """The loss."""
        return self.function(x, target, **self.options)

    def extra_repr(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in self.options.items())


class MSELoss(Loss):
    """`mse_loss` as a Module."""

    function = staticmethod(mse_loss)


class L1Loss(Loss):
    """`l1_loss` as a Module."""

    function = staticmethod(l1_loss)


class HuberLoss(Loss):
    """`huber_loss` as a Module."""

    function = staticmethod(huber_loss)


class BCEWithLogitsLoss(Loss):
    """`binary_cross_entropy_with_logits` as a Module."""

    function = staticmethod(binary_cross_entropy_with_logits)


class CrossEntropyLoss(Loss):
    """`cross_entropy` as a Module."""

    function = staticmethod(cross_entropy)
