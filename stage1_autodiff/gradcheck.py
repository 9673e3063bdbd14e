"""Gradients checked against slopes: backward must agree with a ruler held to the function.

A slope measured with two points needs no calculus, so it cannot share a mistake with the rule
that it checks. It is exact for straight lines and parabolas; otherwise the error shrinks as h^2.
"""

from __future__ import annotations

from collections.abc import Callable

from stage1_autodiff.gradcheck_table import GradCheck, Row
from stage1_autodiff.inputs import check_function, check_node
from stage1_autodiff.value import Value


def central_difference(f: Callable[[float], float], x: float, h: float = 1e-5) -> float:
    """The slope of f at x, measured over the short distance from x - h to x + h.

    Source:    Taylor expansion: f(x + h) - f(x - h) = 2 h f'(x) + O(h^3).
    """
    return (f(x + h) - f(x - h)) / (2 * h)


def gradcheck(f: Callable[..., Value], *inputs: float, tolerance: float = 1e-6) -> GradCheck:
    """The gradient of f at `inputs` by backward and by central differences, side by side.

    `f` takes one Value per input and returns a Value. It is called anew for every measurement.
    """
    check_function("gradcheck", f)
    leaves = [Value(x) for x in inputs]
    y = f(*leaves)
    check_node("gradcheck", y, "backward")
    y.backward()
    rows = []
    for i, x in enumerate(inputs):

        def along_input_i(xi: float, i: int = i) -> float:
            moved = [*inputs[:i], xi, *inputs[i + 1 :]]
            return f(*[Value(x) for x in moved]).data

        rows.append(Row(leaves[i].grad, central_difference(along_input_i, x)))
    return GradCheck(rows, len(inputs), tolerance)
