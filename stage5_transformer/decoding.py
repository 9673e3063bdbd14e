"""From logits to a sequence: the best symbol each time, several hypotheses at once, or dice.

Nothing here knows a Transformer. A state has `next`, which takes the last symbol of every sample
and gives the logits of the next one, and `select`, which keeps some samples in a new order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from stage1_autodiff import generator
from stage3_nn import check_sizes
from stage5_transformer.decoding_inputs import check_beam, check_sampling, check_state
from stage5_transformer.vocabulary import BOS, EOS

Array = np.ndarray


class State(Protocol):
    """A model in the middle of a sequence, for B samples."""

    def next(self, ids: Array, /) -> Array:
        """The logits of the next symbol. Shapes: (B,) -> (B, V)"""
        ...

    def select(self, rows: Array, /) -> None:
        """Keep these samples, in this order."""


def greedy(state: State, B: int, max_len: int, start: int = BOS) -> list[list[int]]:
    """The most probable symbol each time, for B samples, up to EOS or max_len symbols.

    Returns the ids of every sample, without BOS and EOS. Ties go to the lower id.

    Raises:    TypeError: if max_len is no whole number, as infinity is not.
    """
    check_sizes("greedy", B=B, max_len=max_len)
    check_state("greedy", state)
    said: list[list[int]] = [[] for _ in range(B)]
    running = np.arange(B)  # the samples that have not ended
    last = np.full(B, start)
    for _ in range(max_len):
        if not len(running):
            break
        last = state.next(last).argmax(axis=-1)
        goes_on = last != EOS
        for sample, symbol in zip(running[goes_on], last[goes_on]):
            said[sample].append(int(symbol))
        if not goes_on.all():  # who has ended costs nothing any more
            state.select(np.flatnonzero(goes_on))
            running, last = running[goes_on], last[goes_on]
    return said


def sample(
    state: State,
    B: int,
    max_len: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float = 1.0,
    start: int = BOS,
    rng: np.random.Generator | None = None,
) -> list[list[int]]:
    """A symbol by the dice each time, for B samples, up to EOS or max_len symbols.

    temperature  below 1 makes probable symbols more probable; 0 is greedy
    top_k        only among the k most probable symbols
    top_p        only among the most probable ones that together have this probability

    Raises:    ValueError: if temperature is negative, top_k below 1, or top_p not above 0.
    """
    check_sizes("sample", B=B, max_len=max_len)
    check_sampling(temperature, top_k, top_p)
    check_state("sample", state)
    if temperature < np.finfo(np.float32).tiny:  # logits divided by it would be infinite
        return greedy(state, B, max_len, start)
    rng = generator("sample", rng)
    said: list[list[int]] = [[] for _ in range(B)]
    ended, last = np.zeros(B, bool), np.full(B, start)
    for _ in range(max_len):
        p = probabilities(state.next(last) / temperature, top_k, top_p)  # (B, V)
        dice = rng.random((B, 1))
        last = (p.cumsum(axis=1) <= dice).sum(axis=1).clip(max=p.shape[1] - 1)
        ended |= last == EOS
        if ended.all():
            break
        for i in np.flatnonzero(~ended):
            said[i].append(int(last[i]))
    return said


def probabilities(logits: Array, top_k: int | None = None, top_p: float = 1.0) -> Array:
    """The softmax of the logits, with what is not among the chosen set to 0.

    top_p counts the probabilities before top_k has taken any away.

    Shapes:    (B, V) -> (B, V)
    Source:    Fan et al. (2018) for top_k, section 5.3; Holtzman et al. (2019) for top_p,
               section 3.1.
    """
    order = np.argsort(-logits, axis=1, kind="stable")  # ties go to the lower id
    ordered = np.take_along_axis(np.exp(log_probabilities(logits)), order, axis=1)
    before = ordered.cumsum(axis=1) - ordered  # the probability of all that are more probable
    hidden = before >= top_p
    if top_k is not None:
        hidden[:, top_k:] = True
    hidden[:, 0] = False  # one symbol is left in any case
    ordered[hidden] = 0
    ordered /= ordered.sum(axis=1, keepdims=True)
    p = np.empty_like(ordered)
    np.put_along_axis(p, order, ordered, axis=1)
    return p


def log_probabilities(logits: Array) -> Array:
    """The logarithm of the probability of every symbol, in float64. Shapes: (..., V) -> (..., V)"""
    shifted = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


@dataclass(frozen=True)
class Hypothesis:
    """A sequence and how good it is."""

    ids: tuple[int, ...]  # without BOS and EOS
    log_probability: float
    score: float  # log_probability, divided by the length penalty


def length_penalty(length: int, alpha: float) -> float:
    """((5 + length) / 6)^alpha, where EOS counts.

    Every symbol makes a sequence less probable; divided by this, long ones are not the losers.

    Source:    Wu et al. (2016), Google's Neural Machine Translation System, equation 14.
    """
    return ((5 + length) / 6) ** alpha


def beam_search(
    state: State, B: int, max_len: int, width: int = 5, alpha: float = 0.6, start: int = BOS
) -> list[list[Hypothesis]]:
    """The best hypotheses of every sample, best first: `width` of them are followed at a time.

    In each step all continuations of all running hypotheses compete. The best ones survive; one
    that takes EOS has ended, and the others go on in the places that are left. A sample is done
    when no running hypothesis can become better than its best ended one. What is still running at
    max_len counts as it is. Ties go to the earlier hypothesis, then to the lower id.

    Raises:    ValueError: if width or max_len is below 1, or alpha is negative.
    """
    check_sizes("beam_search", B=B)
    check_beam(width, max_len, alpha)
    check_state("beam_search", state)
    beams = [Beam(width, alpha, max_len) for _ in range(B)]
    running = list(range(B))
    last = np.full(B, start)
    while running:
        logp = log_probabilities(state.next(last))  # (rows, V)
        rows: list[int] = []
        symbols: list[int] = []
        still: list[int] = []
        first = 0
        for b in running:
            n = len(beams[b].running)
            kept = beams[b].step(logp[first : first + n])
            rows += [first + parent for parent, _ in kept]
            symbols += [symbol for _, symbol in kept]
            if kept:
                still.append(b)
            first += n
        if rows:
            state.select(np.array(rows))
        running, last = still, np.array(symbols)
    return [beam.best() for beam in beams]


class Beam:
    """The hypotheses of one sample: those that run, and those that have ended."""

    def __init__(self, width: int, alpha: float, max_len: int) -> None:
        self.width, self.alpha, self.max_len = width, alpha, max_len
        self.running: list[tuple[tuple[int, ...], float]] = [((), 0.0)]  # one: the rest are copies
        self.ended: list[Hypothesis] = []

    def step(self, logp: Array) -> list[tuple[int, int]]:
        """One symbol more: for each survivor the hypothesis that it continues, and its symbol.

        Shapes:    logp: (number of running hypotheses, V)
        """
        V = logp.shape[1]
        scores = np.array([score for _, score in self.running])[:, None] + logp
        places = self.width - len(self.ended)
        best = np.argsort(-scores, axis=None, kind="stable")[:places]
        survivors, origins = [], []
        for flat in best:
            parent, symbol = divmod(int(flat), V)
            ids, score = self.running[parent][0], float(scores[parent, symbol])
            if symbol == EOS:
                self.end(ids, score, len(ids) + 1)
            else:
                survivors.append(((*ids, symbol), score))
                origins.append((parent, symbol))
        self.running = survivors
        if survivors and len(survivors[0][0]) == self.max_len:
            for ids, score in survivors:
                self.end(ids, score, self.max_len)
            self.running = []
        if self.is_done():
            self.running = []
        return origins if self.running else []

    def end(self, ids: tuple[int, ...], log_probability: float, length: int) -> None:
        """A hypothesis is complete."""
        score = log_probability / length_penalty(length, self.alpha)
        self.ended.append(Hypothesis(ids, log_probability, score))

    def is_done(self) -> bool:
        """True if nothing that runs can still win: log-probabilities only fall.

        The best that can come of one is its log-probability as it is now, divided by the penalty
        of the longest sequence that there can be: max_len symbols and EOS.
        """
        if not self.running or not self.ended:
            return not self.running
        hope = max(score for _, score in self.running)
        best = max(h.score for h in self.ended)
        return best >= hope / length_penalty(self.max_len + 1, self.alpha)

    def best(self) -> list[Hypothesis]:
        """The hypotheses that have ended, best first."""
        return sorted(self.ended, key=lambda h: -h.score)
