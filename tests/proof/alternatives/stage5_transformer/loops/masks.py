"""Masks place by place."""

import functools

import numpy as np

from stage5_transformer.vocabulary import PAD


def padding_mask(ids):
    return np.array([[[[symbol != PAD for symbol in row]]] for row in ids], dtype=bool)


def causal_mask(T, S=None):
    S = S or T
    mask = np.zeros((T, S), dtype=bool)
    for query in range(T):
        mask[query, : S - T + query + 1] = True
    return mask


def combined(*masks):
    return functools.reduce(
        lambda a, b: b if a is None else a if b is None else np.logical_and(a, b), masks, None
    )
