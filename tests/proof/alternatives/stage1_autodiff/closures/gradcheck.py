"""Backward against a ruler; the table is the one the course gives."""

from __future__ import annotations

from collections.abc import Callable

from stage1_autodiff.gradcheck_table import GradCheck, Row
from stage1_autodiff.value import Value


def central_difference(f: Callable[[float], float], x: float, h: float = 1e-5) -> float:
    above = f(x + h)
    below = f(x - h)
    return (above - below) / (2 * h)


def gradcheck(f: Callable[..., Value], *inputs: float, tolerance: float = 1e-6) -> GradCheck:
    leaves = [Value(x) for x in inputs]
    f(*leaves).backward()
    rows = []
    for i, leaf in enumerate(leaves):

        def f_of_input_i(x: float, i: int = i) -> float:
            numbers = list(inputs)
            numbers[i] = x
            return f(*map(Value, numbers)).data

        rows.append(Row(leaf.grad, central_difference(f_of_input_i, inputs[i])))
    return GradCheck(rows, len(inputs), tolerance)
