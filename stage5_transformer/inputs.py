"""What the models refuse, before anything is computed, and files that are none of theirs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from stage2_tensor import Tensor

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


def check_same_batch(op: str, other: Array | Tensor, B: int) -> None:
    """Refuse another number of samples: a batch of one would be used for all.

    Raises:    ValueError: if there are not B samples.
    """
    if len(other) != B:
        raise ValueError(
            f"{op}: expected {B} samples on both sides, got {len(other)}; "
            "source and target belong together"
        )


def check_vectors(op: str, x: Tensor, memory: Tensor | None = None) -> None:
    """Refuse what is not a batch of sequences of vectors, and a memory of other samples.

    Raises:    ValueError: if x or memory has not three axes, or they differ in the first.
    """
    for name, given in (("x", x), ("memory", memory)):
        if given is not None and len(given.shape) != 3:
            raise ValueError(
                f"{op}: expected {name} (B, T, d_model), got {given.shape}; one sample is a batch "
                f"of one, {name}[None]"
            )
    if memory is not None:
        check_same_batch(op, memory, len(x))


@contextmanager
def reading_model(op: str, path: Path, command: str) -> Iterator[None]:
    """Inside `with`: what is missing or damaged in the words of a file is told in a sentence.

    Raises:    ValueError: if something is; `command` makes a file of the right kind.
    """
    try:
        yield
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{op}: expected a model that `{command}` made, got {path} of another kind ({error}); "
            f"make one with python -m stage5_transformer {command}"
        ) from None
