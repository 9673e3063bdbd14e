"""The source of random numbers: a generator that the caller hands over, never a hidden one."""

from __future__ import annotations

import numpy as np

Generator = np.random.Generator


def generator(op: str, rng: Generator | None) -> Generator:
    """The generator itself, or a fresh one for None.

    Raises:    TypeError: if it is something else, a seed for instance.
    """
    if rng is not None and not isinstance(rng, Generator):
        raise TypeError(
            f"{op}: expected rng to be a generator, got {rng!r}; write np.random.default_rng(0)"
        )
    return np.random.default_rng() if rng is None else rng
