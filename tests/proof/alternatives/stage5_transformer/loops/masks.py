"""Masks place by place."""

import functools

import numpy as np

from stage5_transformer.vocabulary import PAD


def padding_mask(ids):
    if ids.dtype.kind not in "iu":
        raise TypeError("padding_mask: ids are integers")
    return np.array([[[[symbol != PAD for symbol in row]]] for row in ids], dtype=bool)


def causal_mask(T, S=None):
    S = S or T
    if S < T:
        raise ValueError("causal_mask: more queries than keys")
    mask = np.zeros((T, S), dtype=bool)
    for query in range(T):
        mask[query, : S - T + query + 1] = True
    return mask


def combined(*masks):
    if any(mask is not None and mask.dtype != bool for mask in masks):
        raise TypeError("combined: a mask is boolean")
    return functools.reduce(
        lambda a, b: b if a is None else a if b is None else np.logical_and(a, b), masks, None
    )
