"""Reverse a word: the smallest task that needs attention. Every answer looks at another place."""

from __future__ import annotations

import numpy as np

from stage5_transformer.tasks.task import Data, Example, Preset, Task, split

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def load(n: int = 20_000, seed: int = 0) -> Data:
    """Words of 3 to 10 random letters, and the same backward."""
    rng = np.random.default_rng(seed)
    words = {
        "".join(rng.choice(list(LETTERS), size=rng.integers(3, 11)).tolist()) for _ in range(n)
    }
    return split([Example(tuple(word), (tuple(reversed(word)),)) for word in sorted(words)])


SMALL = {
    "d_model": 32,
    "d_ff": 128,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "positions": "learned",
}
TASK = Task(
    "reverse",
    load,
    {
        "small": Preset(1000, 128, 5e-3, SMALL, warmup=100, evaluate_every=250),
        "standard": Preset(2000, 128, 5e-3, SMALL, warmup=100),
        "full": Preset(4000, 128, 3e-3, SMALL | {"d_model": 64, "d_ff": 256}, warmup=100),
    },
    max_len=12,
)
