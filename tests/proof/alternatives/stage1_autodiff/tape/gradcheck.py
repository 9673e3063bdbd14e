"""Backward against a ruler that moves the leaf itself; the table is the one the course gives."""

from __future__ import annotations

from collections.abc import Callable

from stage1_autodiff.gradcheck_table import GradCheck, Row
from stage1_autodiff.value import Value


def central_difference(f: Callable[[float], float], x: float, h: float = 1e-5) -> float:
    up, down = x + h, x - h
    return (f(up) - f(down)) / (up - down)  # the distance after rounding, not 2 h


def gradcheck(f: Callable[..., Value], *inputs: float, tolerance: float = 1e-6) -> GradCheck:
    leaves = [Value(x) for x in inputs]
    root = f(*leaves)
    root.backward()
    numeric = [slope_by_moving(leaf, lambda: f(*leaves).data) for leaf in leaves]
    rows = [Row(float(leaf.grad), slope) for leaf, slope in zip(leaves, numeric)]
    return GradCheck(rows, len(inputs), tolerance)


def slope_by_moving(leaf: Value, output: Callable[[], float]) -> float:
    """How fast the output changes with the number in `leaf`, which is put back afterwards."""
    at = leaf.data

    def moved_to(x: float) -> float:
        leaf.data = x
        return output()

    slope = central_difference(moved_to, at)
    leaf.data = at
    return slope
