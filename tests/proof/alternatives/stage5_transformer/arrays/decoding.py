"""Greedy that lets the ended ones run on, and a beam that keeps everything in one sorted list."""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from stage5_transformer.vocabulary import BOS, EOS


class State(Protocol):
    def next(self, ids, /): ...

    def select(self, rows, /): ...


def greedy(state, B, max_len, start=BOS):
    symbols = np.full((B, max_len), EOS)
    last, done = np.full(B, start), np.zeros(B, bool)
    for t in range(max_len):
        if done.all():
            break
        last = np.argmax(state.next(last), axis=1)
        symbols[:, t] = np.where(done, EOS, last)
        done = done | (last == EOS)
    return [row[: (row == EOS).argmax() if EOS in row else max_len].tolist() for row in symbols]


def sample(state, B, max_len, temperature=1.0, top_k=None, top_p=1.0, start=BOS, rng=None):
    if temperature < 0 or (top_k is not None and top_k < 1) or not 0 < top_p <= 1:
        raise ValueError("sample")
    if temperature == 0:
        return greedy(state, B, max_len, start)
    rng = rng or np.random.default_rng()
    said = [[] for _ in range(B)]
    last, ended = np.full(B, start), [False] * B
    for _ in range(max_len):
        table = probabilities(state.next(last) / temperature, top_k, top_p)
        last = np.array([rng.choice(len(p), p=p / p.sum()) for p in table])
        for i, symbol in enumerate(last):
            ended[i] = ended[i] or symbol == EOS
            if not ended[i]:
                said[i].append(int(symbol))
        if all(ended):
            break
    return said


def probabilities(logits, top_k=None, top_p=1.0):
    found = []
    for row in np.exp(log_probabilities(logits)):
        order = sorted(range(len(row)), key=lambda i: (-row[i], i))[:top_k]
        total, kept = 0.0, []
        for i in order:
            if kept and total >= top_p:
                break
            kept.append(i)
            total += row[i]
        p = np.zeros_like(row)
        p[kept] = row[kept] / row[kept].sum()
        found.append(p)
    return np.array(found)


def log_probabilities(x):
    x = np.asarray(x, float)
    return x - np.logaddexp.reduce(x, axis=-1, keepdims=True)


@dataclass(frozen=True)
class Hypothesis:
    ids: tuple
    log_probability: float
    score: float


def length_penalty(length, alpha):
    return math.exp(alpha * math.log((5 + length) / 6))


class Beam:
    def __init__(self, width, alpha, max_len):
        self.width, self.alpha, self.max_len = width, alpha, max_len
        self.running, self.ended = [((), 0.0)], []

    def step(self, logp):
        everything = [
            (-(score + float(logp[i, symbol])), i, symbol)
            for i, (_, score) in enumerate(self.running)
            for symbol in range(logp.shape[1])
        ]
        everything.sort()
        old, self.running, origins = self.running, [], []
        for negative, i, symbol in everything[: self.width - len(self.ended)]:
            ids = old[i][0]
            if symbol == EOS:
                self.end(ids, -negative, len(ids) + 1)
                continue
            ids = (*ids, symbol)
            if len(ids) >= self.max_len:
                self.end(ids, -negative, self.max_len)
            else:
                self.running.append((ids, -negative))
                origins.append((i, symbol))
        if self.is_done():
            self.running, origins = [], []
        return origins

    def end(self, ids, log_probability, length):
        score = log_probability / length_penalty(length, self.alpha)
        self.ended.append(Hypothesis(ids, log_probability, score))

    def is_done(self):
        if len(self.running) == 0:
            return True
        best = max((h.score for h in self.ended), default=-math.inf)
        lengths = range(1, self.max_len + 2)
        hope = max(
            score / length_penalty(n, self.alpha) for _, score in self.running for n in lengths
        )
        return best >= hope

    def best(self):
        return sorted(self.ended, key=lambda h: h.score, reverse=True)


def beam_search(state, B, max_len, width=5, alpha=0.6, start=BOS):
    beams = [Beam(width, alpha, max_len) for _ in range(B)]
    owners, last = list(range(B)), np.full(B, start)
    while owners:
        logp = log_probabilities(state.next(last))
        rows, symbols, new_owners = [], [], []
        for b in dict.fromkeys(owners):
            mine = [row for row, owner in enumerate(owners) if owner == b]
            for parent, symbol in beams[b].step(logp[mine]):
                rows.append(mine[parent])
                symbols.append(symbol)
                new_owners.append(b)
        owners, last = new_owners, np.array(symbols)
        if owners:
            state.select(np.array(rows))
    return [beam.best() for beam in beams]
