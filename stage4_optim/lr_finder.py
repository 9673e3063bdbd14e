"""Which learning rate? Try all of them, from far too small to far too large, in a hundred steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from stage2_tensor import Tensor
from stage3_nn import check_list, check_positive, check_sizes
from stage4_optim.optimizer import Optimizer
from stage4_optim.training_inputs import check_optimizer, no_tensor

EXPLODED = 4.0  # times the first loss


@dataclass
class LearningRates:
    """The losses at growing learning rates."""

    lrs: list[float] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)

    @property
    def suggestion(self) -> float:
        """A tenth of the learning rate at which the average loss was lowest."""
        return self.lrs[int(np.argmin(exponential_average(self.losses)))] / 10

    def plot(self, ax=None):
        """The loss over the learning rate on a logarithmic scale; returns the axes."""
        import matplotlib.pyplot as plt

        ax = ax or plt.subplots(figsize=(6, 3))[1]
        ax.plot(self.lrs, self.losses, alpha=0.3)
        ax.plot(self.lrs, exponential_average(self.losses))
        ax.axvline(self.suggestion, linestyle=":")
        ax.set(xscale="log", xlabel="learning rate", ylabel="loss")
        return ax


def find_lr(
    optimizer: Optimizer,
    loss_of: Callable[[object], Tensor],
    batches: Iterable,
    low: float = 1e-6,
    high: float = 1.0,
    steps: int = 100,
) -> LearningRates:
    """One step at each of `steps` learning rates from low to high, until the loss explodes.

    Afterwards the weights and the optimizer are as they were. Few batches are used in turn.

    Source:    Smith (2015), Cyclical Learning Rates, section 3.3. Differs: geometric steps.
    Raises:    ValueError: if there is no batch.
    """
    check_optimizer("find_lr", optimizer, loss_of)
    check_list("find_lr", batches)
    check_sizes("find_lr", 1, steps=steps)
    check_positive("find_lr", low=low, high=high)
    batches = list(batches)
    if not batches:
        raise ValueError(
            "find_lr: expected at least one batch, got none; a generator is empty after one use"
        )
    parameters = optimizer.parameters()
    weights, state = [p.data.copy() for p in parameters], optimizer.state_dict()
    found = LearningRates()
    try:
        for i, lr in enumerate(np.geomspace(low, high, steps)):
            optimizer.zero_grad()
            loss = loss_of(batches[i % len(batches)])
            if not isinstance(loss, Tensor):
                raise no_tensor(loss, "find_lr")
            if not loss.item() < EXPLODED * (found.losses[0] if found.losses else math.inf):
                break  # NaN is not less than anything
            found.lrs.append(float(lr))
            found.losses.append(loss.item())
            loss.backward()
            optimizer.lr = lr
            optimizer.step()
    finally:
        for p, data in zip(parameters, weights):
            p.data = data
        optimizer.state = {p: {} for p in parameters}
        optimizer.load_state_dict(state)
        optimizer.zero_grad()
    return found


def exponential_average(losses: list[float], share: float = 0.2) -> list[float]:
    """A running mean that follows a new number by this share."""
    means, mean = [], losses[0] if losses else 0.0
    for loss in losses:
        mean += share * (loss - mean)
        means.append(mean)
    return means
