"""A target: a piece of work, a peer that does it too, and the ratio between them that is wanted."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks import peers

Pair = tuple[float, float]  # ours and the peer's: seconds, bytes


@dataclass(frozen=True)
class Target:
    """A row of the table, before it is measured."""

    what: str
    peer: str  # a library, and behind a comma which of its ways: "PyTorch, fused"
    goal: float | None  # the largest ratio of ours to the peer's; None if there is no goal
    measure: Callable[[int], list[Pair]]  # takes the number of rounds

    @property
    def library(self) -> str:
        """The name of the library that must be there."""
        return self.peer.split(",")[0]


@dataclass(frozen=True)
class Result:
    """A row of the table, once it is measured or cannot be."""

    target: Target
    pairs: tuple[Pair, ...] = ()
    obstacle: str = ""  # why there are no pairs

    @property
    def ratios(self) -> list[float]:
        """Ours over the peer's, formed within each round."""
        return [mine / theirs for mine, theirs in self.pairs]

    @property
    def verdict(self) -> str:
        """`met`, `missed` or `no goal`, or the reason why there is nothing to judge."""
        if not self.pairs:
            return self.obstacle
        if self.target.goal is None:
            return "no goal"
        return "met" if statistics.median(self.ratios) <= self.target.goal else "missed"


class UnmeasurableError(Exception):
    """Raised where a figure cannot be taken on this machine; the text becomes the verdict."""


def measure(target: Target, rounds: int) -> Result:
    """The result of so many rounds.

    Raises:    AssertionError: if the two sides do not compute the same.
    """
    if peers.load(target.library) is None:
        return Result(target, obstacle="peer missing")
    try:
        return Result(target, tuple(target.measure(rounds)))
    except UnmeasurableError as reason:
        return Result(target, obstacle=str(reason))
