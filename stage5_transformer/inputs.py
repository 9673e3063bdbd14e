"""What the models refuse, before anything is computed."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def check_ids(op: str, ids: Array) -> None:
    """Refuse what is not a batch of ids.

    Raises:    TypeError: if ids is no array of integers. ValueError: if it has not two axes.
    """
    if not isinstance(ids, np.ndarray) or ids.dtype.kind not in "iu":
        got = f"{ids.dtype} {ids.shape}" if isinstance(ids, np.ndarray) else type(ids).__name__
        raise TypeError(f"{op}: expected an array of integer ids, got {got}; pad(rows) makes one")
    if ids.ndim != 2:
        raise ValueError(
            f"{op}: expected ids (B, T), got {ids.shape}; one sample is a batch of one, ids[None]"
        )


def check_same_batch(op: str, ids: Array, B: int) -> None:
    """Refuse ids of another number of samples: a batch of one would be used for all.

    Raises:    ValueError: if there are not B samples.
    """
    if len(ids) != B:
        raise ValueError(
            f"{op}: expected ids of {B} samples, got {len(ids)}; source and target belong together"
        )
