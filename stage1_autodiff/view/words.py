"""A node in words: a name for it, and its numbers in a few characters.

Every picture and every report of this package uses these functions, so that a node is called the
same in all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import SupportsFloat, TypeVar

import numpy as np

from stage1_autodiff.graph import Node

N = TypeVar("N", bound=Node)

LONGEST_LABEL = 24


def number(x: object) -> str:
    """x in four significant digits; of an array a summary, of anything else its text."""
    if isinstance(x, np.ndarray) and x.ndim:
        return summary(x)
    if isinstance(x, SupportsFloat):
        return f"{float(x) + 0.0:.4g}"  # + 0.0 turns -0 into 0
    return str(x)


def summary(x: np.ndarray) -> str:
    """An array in a few numbers: shape, smallest and largest, norm, and how much is not finite."""
    shape = "x".join(str(n) for n in x.shape)
    if not x.size or x.dtype.kind not in "fiu":
        return f"({shape})"
    finite = x[np.isfinite(x)].astype(float)
    bad = 1 - finite.size / x.size
    text = f"({shape})"
    if finite.size:
        norm = float(np.sqrt((finite**2).sum()))
        text += f" {number(finite.min())} to {number(finite.max())}, norm {number(norm)}"
    return text + (f", {bad:.0%} NaN or infinite" if bad else "")


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
