"""Who may look where: boolean arrays, True where a query may look at a key.

All of them broadcast to (B, H, T, S): sample, head, query, key.
"""

from __future__ import annotations

import numpy as np

from stage2_tensor import check_broadcast, read_mask
from stage3_nn import check_sizes
from stage5_transformer.inputs import check_ids, check_keys
from stage5_transformer.vocabulary import PAD

Array = np.ndarray


def padding_mask(ids: Array) -> Array:
    """Every query may look at the keys that are no padding.

    The axes of head and query are there, with size 1: a mask (B, S) would be taken for (T, S)
    where B and T are equal.

    Shapes:    ids: (B, S) -> (B, 1, 1, S)
    Raises:    TypeError: if ids is no array of integers. ValueError: if it has not two axes.
    """
    check_ids("padding_mask", ids)
    return (ids != PAD)[:, None, None, :]


def causal_mask(T: int, S: int | None = None) -> Array:
    """A query may look at itself and at what came before it.

    The last query belongs to the last key: of S keys the T new ones come last.

    Shapes:    -> (T, S)
    Raises:    ValueError: if there are fewer keys than queries. TypeError: if these are no whole
               numbers.
    """
    S = T if S is None else S
    check_sizes("causal_mask", T=T, S=S)
    check_keys(T, S)
    return np.arange(S) <= np.arange(S - T, S)[:, None]


def combined(*masks: Array | None) -> Array | None:
    """True where all masks are; None stands for a mask that hides nothing.

    Raises:    ValueError: if their shapes do not go together. TypeError: if one is not boolean.
    """
    given = [array for mask in masks if (array := read_mask("combined", mask)) is not None]
    if not given:
        return None
    whole = given[0]
    for mask in given[1:]:
        check_broadcast("combined", whole.shape, mask.shape)
        whole = whole & mask
    return whole
