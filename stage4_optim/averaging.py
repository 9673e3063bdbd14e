"""An average of the weights of the last steps, which is often better than the last weights."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from stage3_nn import Module
from stage4_optim.inputs import check_decay
from stage4_optim.training_inputs import check_model

Array = np.ndarray


class ExponentialMovingAverage:
    """average = decay average + (1 - decay) weights, after every step.

    It starts as the weights are, so that no correction is needed.

    Source:    Polyak and Juditsky (1992) for the mean. Differs: recent steps count more.
    Raises:    ValueError: if decay is not from 0 to below 1.
    """

    def __init__(self, model: Module, decay: float = 0.999) -> None:
        check_model("ExponentialMovingAverage", model)
        check_decay("ExponentialMovingAverage", decay=decay)
        self.model = model
        self.decay = decay
        self.average = {name: p.data.copy() for name, p in model.named_parameters()}

    def update(self) -> None:
        """Bring the average up to date; call it after `optimizer.step()`."""
        for name, p in self.model.named_parameters():
            average = self.average[name]
            average += (1 - self.decay) * (p.data - average)

    @contextmanager
    def applied(self) -> Iterator[Module]:
        """Inside `with`, the model has the average as its weights, to be evaluated or saved."""
        own = {name: p.data for name, p in self.model.named_parameters()}
        try:
            for name, p in self.model.named_parameters():
                p.data = self.average[name].copy()
            yield self.model
        finally:
            for name, p in self.model.named_parameters():
                p.data = own[name]
