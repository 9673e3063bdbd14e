"""Kahn's order, and a backward pass that takes the youngest node first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from heapq import heappop, heappush
from typing import Any, Protocol

import numpy as np


class Node(Protocol):
    """Anything that names the nodes it was computed from."""

    @property
    def parents(self) -> Collection: ...


def topological_order(root: Any) -> list:
    """Every node below `root`, each once, after all of its parents.

    Source:    Kahn (1962), Topological sorting of large networks: take away a node that nothing
               left in the graph depends on, until none is left. Here from the root downwards, so
               the list is turned around at the end.
    """
    uses = Counter(parent for node in reachable(root) for parent in node.parents)
    free = [root]
    downwards = []
    while free:
        node = free.pop()
        downwards.append(node)
        for parent in node.parents:
            uses[parent] -= 1
            if uses[parent] == 0:
                free.append(parent)
    return downwards[::-1]


def reachable(root: Any) -> set:
    """Every node below `root`, in no order."""
    found = {root}
    to_visit = [root]
    while to_visit:
        for parent in to_visit.pop().parents:
            if parent not in found:
                found.add(parent)
                to_visit.append(parent)
    return found


@np.errstate(all="ignore")  # inf * 0 is NaN without a warning, as it is for Python's floats
def backward(root: Any) -> None:
    """Hand gradients on from the youngest node to the oldest; a heap keeps the youngest on top.

    When a node is on top, every node made from it has had its turn, so its gradient is complete.
    """
    waiting = [(-root.serial, root)]
    seen = {root.serial}
    if root.edges:
        root.grad = np.float64(0.0)
    root.grad = root.grad + np.float64(1.0)
    while waiting:
        node = heappop(waiting)[1]
        for parent, slope in node.edges:
            if parent.serial not in seen:
                seen.add(parent.serial)
                heappush(waiting, (-parent.serial, parent))
                if parent.edges:
                    parent.grad = np.float64(0.0)
            parent.grad = parent.grad + slope * node.grad
