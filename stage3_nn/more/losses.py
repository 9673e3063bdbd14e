"""Cross-entropy against shares instead of one class, and yes or no with a weight for the yes."""

from __future__ import annotations

import numpy as np

from stage2_tensor import Tensor, log_softmax, where
from stage2_tensor.more import softplus
from stage3_nn import losses
from stage3_nn.argument_kinds import check_tensor
from stage3_nn.array_checks import read_array
from stage3_nn.inputs import check_class_weight, check_reduction, check_share
from stage3_nn.losses import Loss, check_loss, reduce
from stage3_nn.more.checks import check_pos_weight

Array = np.ndarray


def cross_entropy(
    logits: Tensor,
    targets: Tensor | Array,
    weight: Array | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """-sum of p log softmax(logits) per row, where floats in the shape of the logits are the p.

    Class ids go to the `cross_entropy` of stage 3. For probabilities `ignore_index` means nothing,
    and the mean is over all rows, weighted or not, as in PyTorch. A p of 0 adds 0, also where its
    logit is -inf.

    Shapes:    logits: (..., K), targets: (..., K) or (...), weight: (K,) -> (), or (...)
    Gradient:  dL/dlogits = g (softmax(logits) sum(w p) - w p); the targets receive one too
    Raises:    ValueError: if the shapes do not go together, the reduction is unknown, or the
               smoothing not from 0 to 1.
    """
    check_tensor("cross_entropy", logits)
    p = targets if isinstance(targets, Tensor) else read_array("cross_entropy", targets)
    if p.dtype.kind != "f" or p.shape != logits.shape:
        return losses.cross_entropy(
            logits, targets, weight, ignore_index, reduction, label_smoothing
        )
    check_reduction("cross_entropy", reduction)
    check_share("cross_entropy", label_smoothing=label_smoothing)
    class_weight = None if weight is None else read_array("cross_entropy", weight)
    check_class_weight("cross_entropy", class_weight, logits.shape[-1:])
    p = logits.operand(p)
    if label_smoothing:
        p = (1 - label_smoothing) * p + label_smoothing / logits.shape[-1]
    log_q = log_softmax(logits)
    impossible = (p.data == 0) & np.isneginf(log_q.data)
    terms = p * where(impossible, 0, log_q)  # 0 times -inf would be NaN
    if class_weight is not None:
        terms = terms * class_weight.astype(logits.dtype)
    rows = -terms.sum(-1)
    return rows.sum() / max(rows.size, 1) if reduction == "mean" else reduce(rows, reduction)


def binary_cross_entropy_with_logits(
    x: Tensor,
    target: Tensor | Array,
    reduction: str = "mean",
    pos_weight: Tensor | Array | None = None,
) -> Tensor:
    """-w target log p - (1 - target) log(1 - p), with p = sigmoid(x) and w = pos_weight.

    A w of 3 counts every yes three times, which helps where they are rare. -log p is softplus(-x),
    and -log(1 - p) is softplus(x): safe for every x.

    Shapes:    x and target (from 0 to 1): the same, pos_weight: broadcasts to theirs -> (), or
               theirs with reduction="none"
    Gradient:  dL/dx = g ((1 - target) sigmoid(x) - w target sigmoid(-x))
    Raises:    ValueError: if the shapes differ, or the reduction is unknown.
    """
    if pos_weight is None:
        return losses.binary_cross_entropy_with_logits(x, target, reduction)
    check_loss("binary_cross_entropy_with_logits", x, target, reduction)
    target, w = x.operand(target), x.operand(pos_weight)
    check_pos_weight(x.shape, w)
    return reduce(w * target * softplus(-x) + (1 - target) * softplus(x), reduction)


class CrossEntropyLoss(Loss):
    """`cross_entropy` as a Module."""

    function = staticmethod(cross_entropy)


class BCEWithLogitsLoss(Loss):
    """`binary_cross_entropy_with_logits` as a Module."""

    function = staticmethod(binary_cross_entropy_with_logits)
