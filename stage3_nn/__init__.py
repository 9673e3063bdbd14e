"""Stage 3: neural network primitives."""

from stage3_nn import init
from stage3_nn.activations import GELU, ReLU, Sigmoid, SiLU, Softmax, Tanh
from stage3_nn.argument_kinds import (
    check_callable,
    check_flag,
    check_items,
    check_list,
    check_model,
    check_path,
    check_real,
    check_tensor,
)
from stage3_nn.checkpoint import load, save, write_atomically
from stage3_nn.checksum import load_checked, save_checked
from stage3_nn.containers import ModuleList, Sequential
from stage3_nn.convolution import Conv2d, MaxPool2d
from stage3_nn.data import ArrayDataset, DataLoader, Dataset, train_test_split
from stage3_nn.dropout import Dropout
from stage3_nn.embedding import Embedding
from stage3_nn.health import GradientReport, gradient_report, norm
from stage3_nn.inputs import (
    check_last_axis,
    check_not_negative,
    check_positive,
    check_share,
    check_sizes,
)
from stage3_nn.linear import Linear
from stage3_nn.losses import (
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    HuberLoss,
    L1Loss,
    MSELoss,
    binary_cross_entropy_with_logits,
    cross_entropy,
    huber_loss,
    l1_loss,
    mse_loss,
)
from stage3_nn.modes import evaluating
from stage3_nn.module import Buffer, Module, Parameter, observing
from stage3_nn.normalization import BatchNorm1d, LayerNorm, RMSNorm
from stage3_nn.summary import summary, table

__all__ = [
    "GELU",
    "ArrayDataset",
    "BCEWithLogitsLoss",
    "BatchNorm1d",
    "Buffer",
    "Conv2d",
    "CrossEntropyLoss",
    "DataLoader",
    "Dataset",
    "Dropout",
    "Embedding",
    "GradientReport",
    "HuberLoss",
    "L1Loss",
    "LayerNorm",
    "Linear",
    "MSELoss",
    "MaxPool2d",
    "Module",
    "ModuleList",
    "Parameter",
    "RMSNorm",
    "ReLU",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Tanh",
    "binary_cross_entropy_with_logits",
    "check_callable",
    "check_flag",
    "check_items",
    "check_last_axis",
    "check_list",
    "check_model",
    "check_not_negative",
    "check_path",
    "check_positive",
    "check_real",
    "check_share",
    "check_sizes",
    "check_tensor",
    "cross_entropy",
    "evaluating",
    "gradient_report",
    "huber_loss",
    "init",
    "l1_loss",
    "load",
    "load_checked",
    "mse_loss",
    "norm",
    "observing",
    "save",
    "save_checked",
    "summary",
    "table",
    "train_test_split",
    "write_atomically",
]
