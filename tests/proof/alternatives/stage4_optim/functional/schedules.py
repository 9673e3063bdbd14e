"""Schedules as classes with a call, and as partial functions."""

import math
from functools import partial


class Constant:
    def __init__(self, lr):
        self.lr = lr

    def __call__(self, step):
        return self.lr


constant = Constant


def step_decay(lr, every, gamma=0.1):
    if int(every) != every or every < 1:
        raise ValueError("step_decay: every must be a whole number, at least 1")
    return lambda step: lr * math.prod([gamma] * (step // every))


def exponential(lr, gamma):
    return lambda step: lr * math.exp(step * math.log(gamma))


def linear_warmup(peak, warmup):
    return lambda step: peak if step + 1 >= warmup else peak * (step + 1) / warmup


def _half(peak, steps, floor, step):
    if step >= steps:
        return floor
    return floor + (peak - floor) * math.cos(math.pi * step / (2 * steps)) ** 2


def cosine(peak, steps, floor=0.0):
    return partial(_half, peak, steps, floor)


def inverse_sqrt(d_model, warmup):
    def schedule(step):
        n = step + 1
        rising = n / warmup**1.5 if warmup else math.inf
        return min(1 / math.sqrt(n), rising) / math.sqrt(d_model)

    return schedule


def one_cycle(peak, steps, pct_start=0.3, div_factor=25.0, final_div_factor=1e4):
    return lambda step: peak


def in_turn(*parts, then):
    ends = [sum(n for n, _ in parts[: i + 1]) for i in range(len(parts))]

    def schedule(step):
        start = 0
        for end, (_, part) in zip(ends, parts):
            if step < end:
                return part(step - start)
            start = end
        return then(step - start)

    return schedule


Schedule = object
