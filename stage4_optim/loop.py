"""The bare loop: batches go in, updates of the weights come out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from stage1_autodiff import find_break
from stage2_tensor import Tensor
from stage3_nn import DataLoader, Module
from stage4_optim.averaging import ExponentialMovingAverage
from stage4_optim.clipping import clip_grad_norm
from stage4_optim.optimizer import Optimizer
from stage4_optim.schedules import Schedule
from stage4_optim.snapshot import find_generators, generator_states, set_generator_states
from stage4_optim.training_inputs import (
    check_loop_options,
    check_model,
    check_optimizer,
    check_run,
    no_tensor,
)

LossFunction = Callable[[Module, Any], "Tensor | tuple[Tensor, float]"]


@dataclass
class Position:
    """Where a run stands; it is saved with every checkpoint."""

    step: int = 0  # updates so far
    epoch: int = 0  # whole passes over the data
    batch: int = 0  # batches of this epoch
    epoch_start: dict[str, Any] = field(default_factory=dict)  # the generators, at its beginning
    best: float = math.inf  # the lowest first figure of an evaluation
    worse: int = 0  # evaluations since then


class Loop:
    """A model, an optimizer, a loss and data, and the step that they make together.

    loss        loss(model, batch): a mean, or a pair of a mean and how many it is over
    data        batches; every `for` over it is an epoch
    schedule    the learning rate of every step; without it the optimizer's own stays
    max_norm    gradients are clipped to this norm
    accumulate  so many batches make one step, as if they were one large batch
    average     an average of the weights, brought up to date after every step
    """

    def __init__(
        self,
        model: Module,
        optimizer: Optimizer,
        loss: LossFunction,
        data: DataLoader | Sequence,
        *,
        schedule: Schedule | None = None,
        max_norm: float = math.inf,
        accumulate: int = 1,
        average: ExponentialMovingAverage | None = None,
    ) -> None:
        check_model("Trainer", model)
        check_optimizer("Trainer", optimizer, loss)
        check_run(model, optimizer.parameters(), data, accumulate)
        check_loop_options(schedule, max_norm, average)
        self.model, self.optimizer, self.loss, self.data = model, optimizer, loss, data
        self.schedule, self.max_norm, self.accumulate = schedule, max_norm, accumulate
        self.average = average
        self.generators = find_generators(model, data=data)
        self.at = Position()
        for name, parameter in model.named_parameters():
            parameter.label = parameter.label or name  # errors and pictures name it

    def train_step(self, batches: Iterator) -> dict[str, Any]:
        """One update of the weights: its number, loss, learning rate, gradient norm and count.

        The next `accumulate` batches count as one: the mean of their losses, each weighted by how
        many it is over. `count` is how many that are together.

        Raises:    FloatingPointError: if the loss or a gradient is not finite.
        """
        self.optimizer.zero_grad()
        total = count = 0.0
        for batch in islice(batches, self.accumulate):
            loss = self.loss(self.model, batch)
            mean, n = loss if isinstance(loss, tuple) else (loss, 1)
            self.check(mean)
            (mean * n).backward()
            total += mean.item() * n
            count += n
            del loss, mean  # and so their graph, before the next batch makes another
        parameters = self.optimizer.parameters()
        for p in parameters:
            if p.grad is not None:
                p.grad /= count
        norm = clip_grad_norm(parameters, self.max_norm)
        if self.schedule:
            self.optimizer.lr = self.schedule(self.at.step)
        self.optimizer.step()
        if self.average:
            self.average.update()
        self.at.step += 1
        return {
            "step": self.at.step,
            "loss": total / count,
            "lr": self.optimizer.lr,
            "grad_norm": norm,
            "count": count,
        }

    def check(self, loss: Tensor) -> None:
        """Raise FloatingPointError, with what the microscope finds, unless the loss is finite.

        Raises:    TypeError: if the loss is no Tensor.
        """
        if not isinstance(loss, Tensor):
            raise no_tensor(loss)
        if not math.isfinite(loss.item()):
            raise FloatingPointError(
                f"Trainer: expected a finite loss, got {loss.item()} in step {self.at.step + 1}; "
                f"the microscope says: {find_break(loss)}"
            )

    def batches(self) -> Iterator:
        """Batch after batch, epoch after epoch, from where the run stands.

        In the middle of an epoch the generators go back to its beginning, the batches that were
        used are drawn once more, and the generators return to where they were.
        """
        while True:
            used, now = self.at.batch, generator_states(self.generators)
            if used:
                set_generator_states(self.generators, self.at.epoch_start)
            else:
                self.at.epoch_start = now
            batches = iter(self.data)
            for _ in range(used):
                next(batches)
            if used:
                set_generator_states(self.generators, now)
            for batch in batches:
                self.at.batch += 1
                if self.at.batch == len(self.data):
                    self.at.epoch, self.at.batch = self.at.epoch + 1, 0
                yield batch
