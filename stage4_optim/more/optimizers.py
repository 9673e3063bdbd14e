"""SGD, Adam and AdamW with the options of PyTorch that the exercises leave out.

Each is the optimizer of the exercise with some of the classes here before it, and every class adds
one thing: learning rates per group, `maximize`, `amsgrad`. With the defaults they do what the
exercise does.
"""

from __future__ import annotations

from collections.abc import Iterable

from stage2_tensor import Tensor
from stage4_optim import adam, sgd
from stage4_optim.more.amsgrad import AMSGrad
from stage4_optim.more.maximize import Maximize
from stage4_optim.more.rates import GroupRates
from stage4_optim.optimizer import Group


class SGD(GroupRates, Maximize, sgd.SGD):
    """The SGD of stage 4, with `maximize` and learning rates per group.

    Raises:    ValueError: for Nesterov without momentum, or with dampening.
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[Group],
        lr: float = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        maximize: bool = False,
    ) -> None:
        super().__init__(
            params,
            lr=lr,
            momentum=momentum,
            dampening=dampening,
            weight_decay=weight_decay,
            nesterov=nesterov,
            maximize=maximize,
        )


class Adam(GroupRates, Maximize, AMSGrad, adam.Adam):
    """The Adam of stage 4, with `amsgrad`, `maximize` and learning rates per group."""

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[Group],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        maximize: bool = False,
    ) -> None:
        super().__init__(
            params,
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            amsgrad=amsgrad,
            maximize=maximize,
        )


class AdamW(GroupRates, Maximize, AMSGrad, adam.AdamW):
    """The AdamW of stage 4, with `amsgrad`, `maximize` and learning rates per group."""

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[Group],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        maximize: bool = False,
    ) -> None:
        super().__init__(
            params,
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            amsgrad=amsgrad,
            maximize=maximize,
        )
