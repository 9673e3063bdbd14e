"""The backward pass as a list of steps, for everything that watches it.

It does what `graph.backward` does, but writes to no node: gradients are kept in a dictionary, and
every step reports what it received and what it sent on. The pictures and the microscope use it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from stage1_autodiff.graph import Node, topological_order

Gradient: TypeAlias = float | np.ndarray


@dataclass(frozen=True)
class Share:
    """A node's gradient, multiplied by the local derivative, on its way to one of the parents."""

    sender: Node
    parent: Node
    partial: Gradient | None  # None where the sender holds a function in place of a number
    gradient: Gradient  # of the sender
    sent: Gradient


@dataclass(frozen=True)
class Step:
    """One step of the backward pass: a node, its complete gradient, and what it sends on."""

    node: Node
    gradient: Gradient
    shares: list[Share]


def send(node: Node, gradient: Gradient) -> list[Share]:
    """The shares that a node sends to its parents: the chain rule, edge by edge; 0 sends 0.

    A node of arrays, whose local derivatives are functions, says itself what it sends.
    """
    shares = getattr(node, "shares", None)
    if shares is not None:
        sent = shares(gradient)
        return [Share(node, parent, None, gradient, s) for parent, s in zip(node.parents, sent)]
    partials = getattr(node, "partials", ())
    return [
        Share(node, parent, partial, gradient, partial * gradient if partial and gradient else 0.0)
        for parent, partial in zip(node.parents, partials)
    ]


def backward_steps(root: Node) -> Iterator[Step]:
    """The steps of the backward pass from `root`, in the order in which `backward` takes them."""
    data = getattr(root, "data", 1.0)
    seed = np.ones_like(data) if isinstance(data, np.ndarray) else 1.0
    received: dict[Node, Gradient] = {root: seed}
    for node in reversed(topological_order(root)):
        gradient = received.pop(node, 0.0)
        shares = send(node, gradient)
        for share in shares:
            received[share.parent] = received.get(share.parent, 0.0) + share.sent
        yield Step(node, gradient, shares)
