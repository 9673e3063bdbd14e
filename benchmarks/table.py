"""The table of results, and what one must know to read it: the versions, and who else was busy."""

from __future__ import annotations

import os
import platform
import statistics
from collections import Counter
from collections.abc import Iterable

from rich.table import Table

from benchmarks import peers
from benchmarks.target import Result

COLUMNS = ("what", "against", "ratio", "goal", "verdict")


def table(groups: Iterable[Iterable[Result]]) -> Table:
    """A row for each result, and a line below each group."""
    made = Table(caption="ratio: ours over the peer's, median (smallest .. largest)")
    for name in COLUMNS:
        made.add_column(name, justify="right" if name in ("ratio", "goal") else "left")
    for group in groups:
        for result in group:
            made.add_row(*cells(result))
        made.add_section()
    return made


def cells(result: Result) -> list[str]:
    """The row of a result; one without figures has no ratio."""
    target = result.target
    goal = "" if target.goal is None else f"{target.goal:.3g}"
    return [target.what, target.peer, spread(result.ratios), goal, result.verdict]


def spread(ratios: list[float]) -> str:
    """The median, and in brackets the smallest and the largest; nothing of nothing."""
    if not ratios:
        return ""
    return f"{told(statistics.median(ratios))} ({told(min(ratios))} .. {told(max(ratios))})"


def told(ratio: float) -> str:
    """A ratio in two decimals, or in two digits if it is small."""
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:#.2g}"


def summary(results: Iterable[Result]) -> str:
    """How many results there are of each verdict."""
    return ", ".join(f"{n} {verdict}" for verdict, n in Counter(r.verdict for r in results).items())


def machine() -> str:
    """What everything ran on, with the versions of the peers."""
    versions = ", ".join(map(peers.described, peers.MODULES))
    return f"Python {platform.python_version()}, {platform.machine()}; {versions}"


def load() -> float:
    """How many processes wanted a core during the last minute; 0 where the system does not say."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def warning(loads: Iterable[float]) -> str:
    """A sentence if at some time more processes wanted a core than there are, else nothing."""
    cores, most = os.cpu_count() or 1, max(loads)
    if most <= cores:
        return ""
    return (
        f"The machine was busy: up to {most:.1f} processes wanted its {cores} cores. "
        "Do not trust these ratios; measure again when it is quiet."
    )
