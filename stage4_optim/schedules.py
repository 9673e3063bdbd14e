"""The learning rate as a function of the step.

A schedule is a pure function: it remembers nothing, so it resumes by itself, and any two can be
drawn or joined. The first step is 0. `optimizer.lr = schedule(step)` before every step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from stage3_nn import check_positive, check_share, check_sizes
from stage4_optim.inputs import check_finite, check_turns

Schedule: TypeAlias = Callable[[int], float]


def constant(lr: float) -> Schedule:
    """lr, always."""
    check_finite("constant", lr=lr)

    def schedule(step: int) -> float:
        return lr

    return schedule


def step_decay(lr: float, every: int, gamma: float = 0.1) -> Schedule:
    """lr times gamma, once more after every `every` steps.

    Raises:    TypeError or ValueError: if `every` is no whole number of at least 1.
    """
    check_sizes("step_decay", 1, every=every)
    check_finite("step_decay", lr=lr, gamma=gamma)

    def schedule(step: int) -> float:
        return lr * gamma ** (step // every)

    return schedule


def exponential(lr: float, gamma: float) -> Schedule:
    """lr gamma^step."""
    check_finite("exponential", lr=lr, gamma=gamma)

    def schedule(step: int) -> float:
        return lr * gamma**step

    return schedule


def linear_warmup(peak: float, warmup: int) -> Schedule:
    """peak (step + 1) / warmup, and peak from then on: the first step already moves."""
    check_finite("linear_warmup", peak=peak, warmup=warmup)

    def schedule(step: int) -> float:
        return peak * min(1.0, (step + 1) / max(warmup, 1))

    return schedule


def cosine(peak: float, steps: int, floor: float = 0.0) -> Schedule:
    """Half a cosine from peak at step 0 down to floor at `steps`, where it stays.

    Source:    Loshchilov and Hutter (2016), SGDR, equation 5, without restarts.
    """
    check_finite("cosine", peak=peak, steps=steps, floor=floor)

    def schedule(step: int) -> float:
        done = min(1.0, step / steps) if steps else 1.0
        return floor + (peak - floor) * (1 + math.cos(math.pi * done)) / 2

    return schedule


def inverse_sqrt(d_model: int, warmup: int) -> Schedule:
    """d_model^-0.5 min(n^-0.5, n warmup^-1.5) for the n-th step, n = step + 1.

    It rises in a line for `warmup` steps, then falls with the root.

    Source:    Vaswani et al. (2017), Attention Is All You Need, equation 3.
    """
    check_sizes("inverse_sqrt", 1, d_model=d_model)
    check_finite("inverse_sqrt", warmup=warmup)

    def schedule(step: int) -> float:
        n = step + 1
        return d_model**-0.5 * min(n**-0.5, n * max(warmup, 1) ** -1.5)

    return schedule


def one_cycle(
    peak: float,
    steps: int,
    pct_start: float = 0.3,
    div_factor: float = 25.0,
    final_div_factor: float = 1e4,
) -> Schedule:
    """Up from peak / div_factor in a share pct_start of the steps, then down, each half a cosine.

    The last step, steps - 1, and all after it have peak / div_factor / final_div_factor.

    Source:    Smith and Topin (2018), Super-Convergence. Differs: cosines in place of lines, as in
               PyTorch.
    """
    check_finite("one_cycle", peak=peak, steps=steps)
    check_positive("one_cycle", div_factor=div_factor, final_div_factor=final_div_factor)
    check_share("one_cycle", pct_start=pct_start)
    start = peak / div_factor
    end = start / final_div_factor
    top = pct_start * steps - 1  # the step of the peak, not always whole

    def schedule(step: int) -> float:
        if step <= top:
            return between(start, peak, step / top if top > 0 else 1.0)
        return between(peak, end, min(1.0, (step - top) / max(steps - 1 - top, 1e-9)))

    return schedule


def between(start: float, end: float, done: float) -> float:
    """From start to end along half a cosine, at the share `done` of the way."""
    return end + (start - end) * (1 + math.cos(math.pi * done)) / 2


def in_turn(*parts: tuple[int, Schedule], then: Schedule) -> Schedule:
    """One after the other: `in_turn((100, linear_warmup(1e-3, 100)), then=cosine(1e-3, 900))`.

    Each part is given for a number of steps, and counts them from 0; `then` goes on for ever.
    """
    check_turns(parts, then)

    def schedule(step: int) -> float:
        for steps, part in parts:
            if step < steps:
                return part(step)
            step -= steps
        return then(step)

    return schedule
