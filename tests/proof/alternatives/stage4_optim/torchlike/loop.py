"""A loop that scales every loss before it walks backward, and lists its batches."""

import math
from dataclasses import dataclass, field

from stage1_autodiff import find_break
from stage4_optim.clipping import clip_grad_norm
from stage4_optim.snapshot import find_generators, generator_states, set_generator_states

LossFunction = object


@dataclass
class Position:
    step: int = 0
    epoch: int = 0
    batch: int = 0
    epoch_start: dict = field(default_factory=dict)
    best: float = math.inf
    worse: int = 0


class Loop:
    def __init__(
        self,
        model,
        optimizer,
        loss,
        data,
        *,
        schedule=None,
        max_norm=math.inf,
        accumulate=1,
        average=None,
    ):
        if len(data) == 0:
            raise ValueError("no data")
        self.model, self.optimizer, self.loss, self.data = model, optimizer, loss, data
        self.schedule, self.max_norm, self.accumulate = schedule, max_norm, accumulate
        self.average = average
        self.generators = find_generators(model, data=data)
        self.at = Position()

    def train_step(self, batches):
        if self.schedule is not None:
            self.optimizer.lr = self.schedule(self.at.step)
        losses = []
        for _ in range(self.accumulate):
            found = self.loss(self.model, next(batches))
            mean, n = found if isinstance(found, tuple) else (found, 1)
            self.check(mean)
            losses.append((mean, n))
        count = sum(n for _, n in losses)
        self.optimizer.zero_grad()
        for mean, n in losses:
            (mean * (n / count)).backward()
        norm = clip_grad_norm(self.optimizer.parameters(), self.max_norm)
        self.optimizer.step()
        if self.average is not None:
            self.average.update()
        self.at.step += 1
        loss = sum(mean.item() * n / count for mean, n in losses)
        row = {"step": self.at.step, "loss": loss, "lr": self.optimizer.lr, "grad_norm": norm}
        return row | {"count": count}

    def check(self, loss):
        value = loss.item()
        if math.isnan(value) or math.isinf(value):
            raise FloatingPointError(f"the loss is {value}. {find_break(loss)}")

    def batches(self):
        while True:
            now, used = generator_states(self.generators), self.at.batch
            if used > 0:
                set_generator_states(self.generators, self.at.epoch_start)
            self.at.epoch_start = generator_states(self.generators)
            epoch = list(self.data)
            if used > 0:
                set_generator_states(self.generators, now)
            for i in range(used, len(epoch)):
                self.at.batch = (i + 1) % len(epoch)
                self.at.epoch += i + 1 == len(epoch)
                yield epoch[i]
