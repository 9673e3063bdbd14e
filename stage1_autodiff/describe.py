"""How a node is put into words: a name for it, and its numbers in a few characters.

Every picture and every report of this package uses these functions, so that a node is called the
same in all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import SupportsFloat, TypeVar

from stage1_autodiff.graph import Node

N = TypeVar("N", bound=Node)

LONGEST_LABEL = 24


def number(x: object) -> str:
    """x in four significant digits; of an array the shape, of anything else its text."""
    shape = getattr(x, "shape", ())
    if shape:
        return "array " + "x".join(str(n) for n in shape)
    if isinstance(x, SupportsFloat):
        return f"{float(x) + 0.0:.4g}"  # + 0.0 turns -0 into 0
    return str(x)


def label(node: Node) -> str:
    """The label of a node, fit to print: on one line, and cut if it is very long."""
    return _printable(getattr(node, "label", ""))


def operation(node: Node) -> str:
    """The name of the operation that made a node, "" for a leaf."""
    return _printable(getattr(node, "op", ""))


def title(node: Node) -> str:
    """The label of a node, or else its operation, or else "leaf"."""
    return label(node) or operation(node) or "leaf"


def names(nodes: Iterable[N]) -> dict[N, str]:
    """One name per node, all different: the title, numbered where several nodes share it."""
    nodes = list(nodes)
    total = Counter(title(node) for node in nodes)
    seen: Counter[str] = Counter()
    result = {}
    for node in nodes:
        name = title(node)
        seen[name] += 1
        result[node] = name if total[name] == 1 else f"{name}#{seen[name]}"
    return result


def _printable(text: str) -> str:
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 3] + "..."
