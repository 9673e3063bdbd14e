"""A depth-first order, and gradients that live in a dictionary until they are complete."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol


class Node(Protocol):
    """Anything that names the nodes it was computed from."""

    @property
    def parents(self) -> Collection: ...


def topological_order(root: Any) -> list:
    """Every node below `root`, each once, after all of its parents.

    The node on top of the stack is done when its parents are; until then they go above it. A
    dictionary keeps its keys in the order in which they came, so it is the order and the set of
    nodes that are done at once.
    """
    done = {}
    stack = [root]
    while stack:
        node = stack[-1]
        missing = [parent for parent in node.parents if parent not in done]
        if node in done or not missing:
            stack.pop()
            done[node] = True
        else:
            stack += missing
    return list(done)


def backward(root: Any) -> None:
    """Add d root / d leaf to the `.grad` of every leaf; the nodes in between get theirs anew."""
    gradients = {root: 1.0}
    total = {}
    for node in reversed(topological_order(root)):
        g = gradients.pop(node)
        if node.creator is None:
            total[node] = g
            continue
        node.grad = g
        for parent, share in zip(node.creator.inputs, node.creator.backward(g)):
            gradients[parent] = gradients.get(parent, 0.0) + share
    for leaf, g in total.items():
        leaf.grad += g
