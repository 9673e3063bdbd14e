"""Backward against a ruler, one shifted argument list per input."""

from __future__ import annotations

from collections.abc import Callable

from stage1_autodiff.gradcheck_table import GradCheck, Row
from stage1_autodiff.value import Value


def central_difference(f: Callable[[float], float], x: float, h: float = 1e-5) -> float:
    return 0.5 * (f(x + h) - f(x - h)) / h


def gradcheck(f: Callable[..., Value], *inputs: float, tolerance: float = 1e-6) -> GradCheck:
    leaves = tuple(map(Value, inputs))
    f(*leaves).backward()

    def slope(i: int) -> float:
        before, after = inputs[:i], inputs[i + 1 :]
        return central_difference(lambda x: output(f, (*before, x, *after)), inputs[i])

    rows = [Row(leaf.grad, slope(i)) for i, leaf in enumerate(leaves)]
    return GradCheck(rows, len(rows), tolerance)


def output(f: Callable[..., Value], numbers: tuple[float, ...]) -> float:
    """The number that f returns for these numbers."""
    return f(*(Value(x) for x in numbers)).data
