"""The order of the graph by a depth-first search, and micrograd's walk along it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol


class Node(Protocol):
    """Anything that names the nodes it was computed from."""

    @property
    def parents(self) -> Collection: ...


def topological_order(root: Any) -> list:
    """Every node below `root`, each once, after all of its parents.

    A node is put on the stack twice: the first visit adds its parents above it, the second finds
    them done.
    """
    order = []
    seen = set()
    stack = [(root, False)]
    while stack:
        node, parents_are_done = stack.pop()
        if parents_are_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((parent, False) for parent in node.parents)
    return order


def backward(root: Any) -> None:
    """Let every closure run once, from the root to the leaves."""
    order = topological_order(root)
    for node in order:
        if node.parents:
            node.grad = 0.0
    root.grad += 1.0
    for node in reversed(order):
        node._backward()
