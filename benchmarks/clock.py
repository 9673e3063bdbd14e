"""The clock: two passes take turns, and their CPU time is told in pairs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.target import Pair

Pass = Callable[[], Any]  # a piece of work; returns a gradient or a loss, to be compared
LEAST = 0.02  # seconds that are filled with passes before they are divided by their number


def seconds(run: Pass) -> float:
    """CPU seconds of one pass, over enough of them to fill `LEAST`."""
    times, total = 0, 0.0
    while total < LEAST:
        start = time.process_time()
        run()
        total += time.process_time() - start
        times += 1
    return total / times


def in_turns(
    own: Pass, peer: Pass, rounds: int, checks: int = 1, tolerance: float = 1e-3
) -> list[Pair]:
    """CPU seconds of ours and of the peer's, A B A B.

    Before anything is timed, both run `checks` times and must return the same. Where they cannot,
    `checks` is 0, and both run once.
    """
    if not checks:
        own()
        peer()
    for _ in range(checks):
        np.testing.assert_allclose(own(), peer(), rtol=tolerance, atol=tolerance / 10)
    return [(seconds(own), seconds(peer)) for _ in range(rounds)]
