"""A batch in parts: the same step with a graph that is a fraction as large."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from stage3_nn import DataLoader


class InParts:
    """The batches of `data`, each cut along its first axis into so many parts.

    A batch is an array, or a tuple or list of arrays. Parts of one batch differ by one sample at
    most; those of a batch with fewer samples than parts may be empty, and count nothing.
    """

    def __init__(self, data: DataLoader | Sequence, parts: int) -> None:
        self.data, self.parts = data, parts
        self.rng = getattr(data, "rng", None)  # a resumed run looks for generators here

    def __len__(self) -> int:
        """The number of parts of an epoch."""
        return len(self.data) * self.parts

    def __iter__(self) -> Iterator:
        """The parts of one epoch, batch after batch."""
        for batch in self.data:
            yield from cut(batch, self.parts)


def in_parts(data: Any, parts: int) -> Any:
    """The data themselves, or the parts of their batches."""
    return data if parts == 1 else InParts(data, parts)


def cut(batch: Any, parts: int) -> Iterator:
    """The parts of one batch.

    Raises:    TypeError: if it is not made of arrays. ValueError: if these differ in length.
    """
    arrays = batch if isinstance(batch, tuple | list) else (batch,)
    if not all(isinstance(a, np.ndarray) and a.ndim for a in arrays):
        raise TypeError(
            f"Trainer: expected batches of arrays to cut into parts, got a {type(batch).__name__}; "
            "leave parts out"
        )
    if len({len(a) for a in arrays}) > 1:
        shapes = ", ".join(str(a.shape) for a in arrays)
        raise ValueError(f"Trainer: expected a batch of arrays of one length, got {shapes}")
    columns = [np.array_split(a, parts) for a in arrays]
    return zip(*columns) if isinstance(batch, tuple | list) else iter(columns[0])
