"""Weight decay: a pull of every weight towards 0, in two ways that are only equal for plain SGD.

L2 adds the pull to the gradient, so that momentum and Adam's scaling work on it too. Decoupled
decay shrinks the weight by itself, beside the update.

Source:    Loshchilov and Hutter (2017), Decoupled Weight Decay Regularization, algorithms 1 and 2.
"""

from __future__ import annotations

import numpy as np

from stage2_tensor import Tensor
from stage3_nn import Module, check_model, check_not_negative

Array = np.ndarray


def l2_gradient(p: Tensor, g: Array, weight_decay: float, out: Array) -> Array:
    """g + weight_decay p: the gradient of the loss plus weight_decay / 2 |p|^2.

    The sum is written to `out`; g is not changed.
    """
    np.multiply(p.data, weight_decay, out=out)
    out += g
    return out


def shrink(p: Tensor, lr: float, weight_decay: float) -> None:
    """p = p (1 - lr weight_decay): decay that no moment and no scaling sees."""
    p.data *= 1 - lr * weight_decay


def decay_groups(model: Module, weight_decay: float) -> list[dict]:
    """Two groups for an optimizer: what has more than one axis decays, the rest does not.

    Biases and the weights of normalisations have one axis. They are few, and have no reason to be
    small.
    """
    check_model("decay_groups", model)
    check_not_negative("decay_groups", weight_decay=weight_decay)
    parameters = list(model.parameters())
    return [
        {"params": [p for p in parameters if p.ndim > 1], "weight_decay": weight_decay},
        {"params": [p for p in parameters if p.ndim <= 1], "weight_decay": 0.0},
    ]
