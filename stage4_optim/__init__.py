"""Stage 4: optimizers, schedules, and a training loop that survives."""

from stage4_optim import schedules
from stage4_optim.adam import Adam, AdamW
from stage4_optim.adaptive import Adagrad, RMSprop
from stage4_optim.averaging import ExponentialMovingAverage
from stage4_optim.clipping import clip_grad_norm, clip_grad_value
from stage4_optim.curves import plot_curves
from stage4_optim.decay import decay_groups
from stage4_optim.loop import LossFunction
from stage4_optim.lr_finder import find_lr
from stage4_optim.optimizer import Optimizer
from stage4_optim.sgd import SGD
from stage4_optim.trainer import Trainer

__all__ = [
    "SGD",
    "Adagrad",
    "Adam",
    "AdamW",
    "ExponentialMovingAverage",
    "LossFunction",
    "Optimizer",
    "RMSprop",
    "Trainer",
    "clip_grad_norm",
    "clip_grad_value",
    "decay_groups",
    "find_lr",
    "plot_curves",
    "schedules",
]
