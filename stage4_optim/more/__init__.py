"""Wider forms of the optimizers of stage 4, for programs that come from elsewhere, and a new one.

No exercise needs them. Each has the name and the options that PyTorch gives it, and calls what the
exercise wrote for all that this can do.
"""

from stage4_optim.more.amsgrad import AMSGrad
from stage4_optim.more.lion import Lion
from stage4_optim.more.maximize import Maximize
from stage4_optim.more.optimizers import SGD, Adam, AdamW
from stage4_optim.more.rates import GroupRates

__all__ = ["SGD", "AMSGrad", "Adam", "AdamW", "GroupRates", "Lion", "Maximize"]
