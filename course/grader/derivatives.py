"""The derivative of the learner's operations, read before their `backward` exists.

Follows what each node stores from y to x: numbers (`partials`) in stage 1, functions (`vjps`) in
stage 2. A design that stores neither has its own way back, so there `backward` is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from course.grader.comparison_error import ComparisonError

NO_NODE = "an array does not know where it came from: from_op makes a node, with its edges"
NO_FUNCTION = "a vjp is called later, with g: write lambda g: ..., not what it would return"
NO_ARRAY = "vjps compute with arrays: take x = a.data before, and use x in the lambda"


class Node(Protocol):
    """A Value or a Tensor: what is needed of it here."""

    data: float | np.ndarray
    grad: float | np.ndarray | None

    def __init__(self, data: float | np.ndarray, /) -> None: ...

    @property
    def parents(self) -> Sequence[Node]: ...

    def backward(self, gradient: np.ndarray | None = None, /) -> None:
        """Fill the gradients of the leaves."""


def slope(y: Node, x: Node) -> float:
    """dy/dx over the few operations between them: partials multiplied along every path."""
    if y is x:
        return 1.0
    partials = getattr(y, "partials", None)
    if partials is None:
        return float(_by_backward(x, y.backward))
    _check_pairs(y.parents, partials)
    return sum(float(d) * slope(parent, x) for parent, d in zip(y.parents, partials))


def _check_pairs(parents: Sequence[Node], partials: Sequence[float]) -> None:
    """Refuse parents and partials that are no sequences of one length."""
    comma = "a tuple of one needs a comma: (x,)"
    for name, found in (("parents", parents), ("partials", partials)):
        if not isinstance(found, list | tuple):
            lines = {"expected": "a tuple", "got": f"{found!r}"}
            raise ComparisonError(f"the {name} of the result", lines, comma)
    n = len(parents)
    if n != len(partials):
        lines = {"expected": f"one for each of {n} parents", "got": f"{len(partials)}"}
        raise ComparisonError(
            "the partials of the result",
            lines,
            "each parent needs its own partial; x * x has two parents, x and x",
        )


def vjp(y: Node, x: Node, g: np.ndarray) -> np.ndarray:
    """dL/dx over the few operations between x and y, if dL/dy is g."""
    if y is x:
        return g
    vjps: Sequence[Callable] | None = getattr(y, "vjps", None)
    if vjps is None:
        if isinstance(y, np.ndarray | np.generic):
            lines = {"expected": f"a {type(x).__name__}", "got": f"{type(y).__name__}: {y}"}
            raise ComparisonError("the result of the operation", lines, NO_NODE)
        return _by_backward(x, lambda: y.backward(g))
    g = np.asarray(g).view()
    g.flags.writeable = False  # a vjp that writes into g spoils what other nodes receive
    shares = [
        vjp(parent, x, _sum_to(_share(f, g), np.shape(parent.data)))
        for parent, f in zip(y.parents, vjps)
        if _reaches(parent, x)
    ]
    return sum(shares[1:], shares[0]) if shares else np.zeros(np.shape(x.data))


def _share(f: Callable, g: np.ndarray) -> np.ndarray:
    """The array that a vjp returns, if it is a function and returns one."""
    if not callable(f):
        lines = {"expected": "(input, function)", "got": f"(input, {type(f).__name__})"}
        raise ComparisonError("an edge of the result", lines, NO_FUNCTION)
    share = f(g)
    if share is None or hasattr(share, "parents"):
        lines = {"expected": "an array", "got": f"{share}"}
        why = "is the `return` missing?" if share is None else NO_ARRAY
        raise ComparisonError("what a vjp returns", lines, why)
    return np.asarray(share)


def _reaches(node: Node, x: Node) -> bool:
    return node is x or any(_reaches(parent, x) for parent in node.parents)


def _by_backward(x: Node, backward: Callable[[], None]) -> np.ndarray:
    before = np.array(0.0 if x.grad is None else x.grad)
    backward()
    after = np.array(np.zeros(np.shape(x.data)) if x.grad is None else x.grad)
    return after - before  # leaves accumulate


def _sum_to(g: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """g summed over what broadcasting copied; as it is if the shapes do not allow that."""
    added = g.ndim - len(shape)
    if added < 0 or any(n not in (1, m) for n, m in zip(shape, g.shape[added:])):
        return g
    axes = tuple(i for i in range(g.ndim) if i < added or shape[i - added] == 1 != g.shape[i])
    return g.sum(axis=axes).reshape(shape)
