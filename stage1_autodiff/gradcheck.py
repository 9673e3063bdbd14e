"""Gradients checked against slopes: backward must agree with a ruler held to the function.

A slope measured with two points needs no calculus, so it cannot share a mistake with the rule
that it checks. It is exact for straight lines and parabolas; otherwise the error shrinks as h^2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from stage1_autodiff.value import Value

SMALLEST = 1e-3  # below it a difference counts in absolute terms: rounding alone costs 1e-11


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
    n: int  # how many inputs there are: a gradient off by 1/n is a forgotten or extra mean
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


def central_difference(f: Callable[[float], float], x: float, h: float = 1e-5) -> float:
    """The slope of f at x, measured over the short distance from x - h to x + h.

    Source:    Taylor expansion: f(x + h) - f(x - h) = 2 h f'(x) + O(h^3).
    """
    return (f(x + h) - f(x - h)) / (2 * h)


def gradcheck(f: Callable[..., Value], *inputs: float, tolerance: float = 1e-6) -> GradCheck:
    """The gradient of f at `inputs` by backward and by central differences, side by side.

    `f` takes one Value per input and returns a Value. It is called anew for every measurement.
    """
    leaves = [Value(x) for x in inputs]
    f(*leaves).backward()
    rows = []
    for i, x in enumerate(inputs):

        def along_input_i(xi: float, i: int = i) -> float:
            moved = [*inputs[:i], xi, *inputs[i + 1 :]]
            return f(*[Value(x) for x in moved]).data

        rows.append(Row(leaves[i].grad, central_difference(along_input_i, x)))
    return GradCheck(rows, len(inputs), tolerance)


def relative_error(a: float, b: float) -> float:
    """|a - b| as a share of the larger of |a| and |b|, or of 0.001 if both are smaller."""
    return abs(a - b) / max(abs(a), abs(b), SMALLEST)


def name_pattern(analytic: float, numeric: float, n: int) -> str:
    """The tell-tale relation of a wrong gradient to the measured one, in a few words."""
    known = [
        ("zero: no gradient arrived", 0.0),
        ("sign: the right size, the wrong direction", -1.0),
        ("2x: counted twice", 2.0),
        ("1/2: one of two uses is missing", 0.5),
        (f"{n}x: summed where a mean was meant", float(n)),
        (f"1/{n}: divided by the number of inputs", 1 / n),
    ]
    for name, factor in known:
        if factor != 1 and relative_error(analytic, factor * numeric) < 1e-4:
            return name
    return "differs"
