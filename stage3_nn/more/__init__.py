"""Wider forms of the layers and losses of stage 3, for programs that come from elsewhere.

No exercise needs them. Each has the name and the options that PyTorch gives it, and calls what the
exercise wrote for all that this can do.
"""

from stage3_nn.more.activations import ELU, GELU, LeakyReLU, Softplus
from stage3_nn.more.convolution import Conv2d, conv2d
from stage3_nn.more.losses import (
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    binary_cross_entropy_with_logits,
    cross_entropy,
)
from stage3_nn.more.normalization import BatchNorm1d, BatchNorm2d, LayerNorm, RMSNorm
from stage3_nn.more.pooling import AvgPool2d, MaxPool2d, avg_pool2d, max_pool2d

__all__ = [
    "ELU",
    "GELU",
    "AvgPool2d",
    "BCEWithLogitsLoss",
    "BatchNorm1d",
    "BatchNorm2d",
    "Conv2d",
    "CrossEntropyLoss",
    "LayerNorm",
    "LeakyReLU",
    "MaxPool2d",
    "RMSNorm",
    "Softplus",
    "avg_pool2d",
    "binary_cross_entropy_with_logits",
    "conv2d",
    "cross_entropy",
    "max_pool2d",
]
