"""The backward pass as a list of steps, for those who want to watch it.

It does what `graph.backward` does, but writes to no node: gradients are kept in a dictionary, and
every step reports what it received and what it sent on. The pictures and the microscope use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from stage1_autodiff.graph import Node, topological_order

Gradient: TypeAlias = float | np.ndarray


@dataclass(frozen=True)
class Share:
    """What a node sends to one of its parents: the local derivative times its own gradient."""

    sender: Node
    parent: Node
    partial: Gradient
    gradient: Gradient  # of the sender
    sent: Gradient


@dataclass(frozen=True)
class Step:
    """One step of the backward pass: a node, its complete gradient, and what it sends on."""

    node: Node
    gradient: Gradient
    shares: list[Share]


def send(node: Node, gradient: Gradient) -> list[Share]:
    """The shares that a scalar node sends to its parents: the chain rule, edge by edge."""
    partials = getattr(node, "partials", ())
    return [
        Share(node, parent, partial, gradient, partial * gradient)
        for parent, partial in zip(node.parents, partials)
    ]


def walk(
    root: Node,
    seed: Gradient = 1.0,
    send: Callable[[Node, Gradient], list[Share]] = send,
) -> Iterator[Step]:
    """The steps of the backward pass from `root`, in the order in which `backward` takes them.

    `send` says how a gradient gets through one node; nodes that hold no numbers bring their own.
    """
    received: dict[Node, Gradient] = {root: seed}
    for node in reversed(topological_order(root)):
        gradient = received.pop(node, 0.0)
        shares = send(node, gradient)
        for share in shares:
            received[share.parent] = received.get(share.parent, 0.0) + share.sent
        yield Step(node, gradient, shares)
