"""Does a gradient agree with the slope that was measured? If not, their ratio may say why."""

from __future__ import annotations

import math
from dataclasses import dataclass

SMALLEST = 1e-3  # below it a difference counts in absolute terms: rounding alone costs 1e-11


def relative_error(a: float, b: float) -> float:
    """|a - b| as a share of the larger of |a| and |b|, or of 0.001 if both are smaller."""
    return abs(a - b) / max(abs(a), abs(b), SMALLEST)


def tell_tales(n: int) -> list[tuple[float, str]]:
    """What a wrong gradient is as a multiple of the right one, and the mistake that makes it so.

    n is how many inputs there are: a gradient off by 1/n is a forgotten or extra mean.
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


def name_pattern(analytic: float, numeric: float, n: int) -> str:
    """The tell-tale relation of a wrong gradient to the measured one, in a few words."""
    for factor, name in tell_tales(n):
        if relative_error(analytic, factor * numeric) < 1e-4:
            return name
    return "differs"


@dataclass(frozen=True)
class Row:
    """One input of the checked function: its gradient by backward, and by measurement."""

    analytic: float
    numeric: float

    @property
    def ratio(self) -> float:
        """analytic / numeric; NaN where the measured slope is 0."""
        return self.analytic / self.numeric if self.numeric else math.nan

    @property
    def relative_error(self) -> float:
        """|analytic - numeric| over the larger of the two (at least 0.001), NaN if either is."""
        return relative_error(self.analytic, self.numeric)


@dataclass(frozen=True)
class GradCheck:
    """The outcome of a gradient check, printed as a table; `ok` says whether every row agrees."""

    rows: list[Row]
    n: int  # how many inputs there are
    tolerance: float

    @property
    def ok(self) -> bool:
        """Whether every relative error is within the tolerance."""
        return all(row.relative_error <= self.tolerance for row in self.rows)

    def pattern(self, row: Row) -> str:
        """The name of the mistake that turns the right gradient into this one, if one is known."""
        if row.relative_error <= self.tolerance:
            return "ok"
        return name_pattern(row.analytic, row.numeric, self.n)

    def __str__(self) -> str:
        lines = [f"{'input':>5}  {'analytic':>13}  {'numeric':>13}  {'ratio':>8}  pattern"]
        for i, row in enumerate(self.rows):
            lines.append(
                f"{i:>5}  {row.analytic:>13.6g}  {row.numeric:>13.6g}  {row.ratio:>8.4g}"
                f"  {self.pattern(row)}"
            )
        return "\n".join(lines)
