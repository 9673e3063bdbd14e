"""The graph of a computation: an order to walk it in, and the chain rule along that order.

Both functions use a loop and a stack of their own, never recursion, so the length of a chain is
limited by memory alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from stage1_autodiff.inputs import check_node


class Node(Protocol):
    """Anything that names the nodes it was computed from."""

    @property
    def parents(self) -> Sequence:
        """The nodes that this one was computed from."""
        ...


class Differentiable(Node, Protocol):
    """A node that also holds a gradient, and one local derivative per parent."""

    grad: float

    @property
    def partials(self) -> Sequence[float]:
        """One derivative of this node for each parent, in the order of `parents`."""
        ...


N = TypeVar("N", bound=Node)


def topological_order(root: N) -> list[N]:
    """Every node that `root` was computed from, each once, after all of its parents.

    The last entry is `root`. Works on any hashable node with `.parents`, for chains of any length.

    Source:    Cormen et al., Introduction to Algorithms, section "Topological sort": nodes in the
               order in which a depth-first search finishes with them.
    """
    check_node("topological_order", root)
    order: list[N] = []
    seen = {root}
    stack = [(root, iter(root.parents))]
    while stack:
        node, unvisited = stack[-1]
        for parent in unvisited:
            if parent not in seen:
                seen.add(parent)
                stack.append((parent, iter(parent.parents)))
                break
        else:  # every parent is in the order already
            order.append(node)
            stack.pop()
    return order


def backward(root: Differentiable) -> None:
    """Add d root / d leaf to the `.grad` of every leaf that `root` was computed from.

    Leaves accumulate from one call to the next; the nodes in between start again at 0, and keep
    theirs for you to look at. A second call on the same root doubles the gradients of the leaves.

    Where the gradient or the partial is 0, nothing is sent: a relu that is off spares all that
    is behind it, and the 0 stays a 0 beside an infinity, where the product would be NaN.

    Source:    Griewank and Walther (2008), Evaluating Derivatives, section 3.2: the reverse mode.
    """
    check_node("backward", root, "partials")
    order = topological_order(root)
    for node in order:
        if node.parents:
            node.grad = 0.0
    root.grad += 1.0  # d root / d root
    for node in reversed(order):
        if node.grad:
            for parent, partial in zip(node.parents, node.partials):
                if partial:
                    parent.grad += partial * node.grad  # the chain rule
