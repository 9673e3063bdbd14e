"""Reverse a word: the smallest task that needs attention. Every answer looks at another place."""

from __future__ import annotations

import numpy as np

from stage5_transformer.presets import REVERSE
from stage5_transformer.tasks.task import Data, Example, Task, split

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def load(n: int = 20_000, seed: int = 0) -> Data:
    """Words of 3 to 10 random letters, and the same backward."""
    rng = np.random.default_rng(seed)
    words = {
        "".join(rng.choice(list(LETTERS), size=rng.integers(3, 11)).tolist()) for _ in range(n)
    }
    return split([Example(tuple(word), (tuple(reversed(word)),)) for word in sorted(words)])


TASK = Task("reverse", load, REVERSE, max_len=12)
