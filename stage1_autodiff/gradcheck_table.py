"""The table of a gradient check: every gradient beside the slope that was measured.

If the two disagree, the multiple by which they do may name the mistake. A row holds one input of
the checked function, which is a number in stage 1 and an array in stage 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

Numbers: TypeAlias = float | np.ndarray

SMALLEST = 1e-3  # below it a difference counts in absolute terms: rounding alone costs 1e-11


def relative_errors(a: Numbers, b: Numbers) -> np.ndarray:
    """|a - b| as a share of the larger of |a| and |b|, or of 0.001 if both are smaller."""
    size = np.maximum(np.maximum(np.abs(a), np.abs(b)), SMALLEST)
    with np.errstate(invalid="ignore"):  # an infinite gradient has the error NaN
        return np.asarray(np.abs(a - b) / size)


def known_mistakes(n: int) -> list[tuple[float, str]]:
    """The multiples of the right gradient that a known mistake returns, and its name.

    n is how many numbers there are: a gradient off by 1/n is a forgotten or extra mean.
    """
    return [
        (0.0, "zero: no gradient arrived"),
        (-1.0, "sign: the right size, the wrong direction"),
        (2.0, "2x: counted twice"),
        (0.5, "1/2: one of two uses is missing"),
        (1.0, "differs"),
        (n, f"{n}x: summed where a mean was meant"),
        (1 / n, f"1/{n}: divided by the number of inputs"),
    ]


def name_mistake(analytic: Numbers, numeric: Numbers, n: int) -> str:
    """The mistake that turns the measured gradient into the analytic one, if one is known."""
    for factor, name in known_mistakes(n):
        if relative_errors(analytic, factor * numeric).max() < 1e-4:
            return name
    return "differs"


@dataclass(frozen=True)
class Row:
    """One input of the checked function: its gradient by backward, and by measurement."""

    analytic: Numbers
    numeric: Numbers

    @property
    def size(self) -> int:
        """The number of elements of the input."""
        return np.size(self.numeric)

    @property
    def relative_error(self) -> float:
        """The largest relative error of an element: NaN if there is one, 0 if nothing is there."""
        return float(relative_errors(self.analytic, self.numeric).max(initial=0.0))

    @property
    def worst(self) -> tuple[int, ...]:
        """The index of the element with the largest relative error; () if there is no choice."""
        if not self.size:
            return ()
        errors = relative_errors(self.analytic, self.numeric)
        return tuple(int(i) for i in np.unravel_index(np.argmax(errors), errors.shape))

    @property
    def at_worst(self) -> tuple[float, float]:
        """The two gradients of that element; NaN if there is none."""
        if not self.size:
            return math.nan, math.nan
        pair = np.asarray(self.analytic)[self.worst], np.asarray(self.numeric)[self.worst]
        return float(pair[0]), float(pair[1])

    @property
    def ratio(self) -> float:
        """analytic / numeric at the worst element; NaN where the measured slope is 0."""
        analytic, numeric = self.at_worst
        return analytic / numeric if numeric else math.nan


@dataclass(frozen=True)
class GradCheck:
    """The outcome of a gradient check, printed as a table; `ok` says whether every row agrees.

    Of an array the table shows the worst element, with its index.
    """

    rows: list[Row]
    n: int  # how many inputs there are
    tolerance: float

    @property
    def ok(self) -> bool:
        """True if every relative error is within the tolerance."""
        return all(row.relative_error <= self.tolerance for row in self.rows)

    def pattern(self, row: Row) -> str:
        """The name of the mistake that turns the right gradient into this one, if one is known."""
        if row.relative_error <= self.tolerance:
            return "ok"
        return name_mistake(row.analytic, row.numeric, row.size if row.size > 1 else self.n)

    def __str__(self) -> str:
        names = [f"{i}{list(row.worst) or ''}" for i, row in enumerate(self.rows)]
        wide = max(map(len, ["input", *names]))
        lines = [f"{'input':>{wide}}  {'analytic':>13}  {'numeric':>13}  {'ratio':>8}  pattern"]
        for name, row in zip(names, self.rows):
            analytic, numeric = row.at_worst
            lines.append(
                f"{name:>{wide}}  {analytic:>13.6g}  {numeric:>13.6g}  {row.ratio:>8.4g}"
                f"  {self.pattern(row)}"
            )
        return "\n".join(lines)
