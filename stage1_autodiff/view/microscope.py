"""The backward pass in numbers, and the first bad one among them: there the mathematics broke.

Nothing here needs `backward` to have been called, and no `.grad` is touched.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from stage1_autodiff.graph import Node, topological_order
from stage1_autodiff.view.layout import columns_of
from stage1_autodiff.view.steps import Gradient, Share, backward_steps
from stage1_autodiff.view.words import label, names, number, operation, title

Kind: TypeAlias = Literal["nan", "infinite", "vanished"]

VANISHED = 1e-12  # with less than this share of the seed a gradient teaches nothing
NEVER_FLAT = ("exp", "sigmoid", "tanh")  # their slope is positive: a 0 is a tiny number, rounded
NARROWEST = 10  # characters of a column of numbers
LONGEST_LIST = 4  # operands named in one sentence


@dataclass(frozen=True)
class NodeReport:
    """The backward pass at one node; the last three fields have one entry per parent."""

    name: str
    label: str
    op: str
    value: Gradient
    gradient: Gradient
    parents: tuple[str, ...]
    local: tuple[Gradient | None, ...]
    sent: tuple[Gradient, ...]


@dataclass(frozen=True, repr=False)
class Report:
    """The backward pass, one row per node, in the order of the walk; printed as a table."""

    rows: list[NodeReport]

    def __repr__(self) -> str:
        lines = [["node", "value", "gradient", "local", "sends", "to"]]
        for row in self.rows:
            head = row.name + (f" ({row.op})" if row.label and row.op else "")
            own = [head, number(row.value), number(row.gradient)]
            for parent, local, sent in zip(row.parents, row.local, row.sent):
                told = "vjp" if local is None else number(local)
                lines.append([*own, told, number(sent), parent])
                own = ["", "", ""]  # said once
            if not row.parents:
                lines.append([*own, "", "", ""])
        wide = [max(NARROWEST, *(len(line[column]) for line in lines)) for column in range(6)]
        wide[0] = max(len(line[0]) for line in lines[1:])
        return "\n".join(
            "  ".join(
                [line[0].ljust(wide[0]), *map(str.rjust, line[1:5], wide[1:5]), line[5]]
            ).rstrip()
            for line in lines
        )


def explain(root: Node) -> Report:
    """The backward pass from `root` step by step.

    For every node its value and its gradient; for each of its parents the local derivative, and
    the product of the two, which is what the parent receives.
    """
    name = names(node for column in columns_of(root, math.inf, "explain") for node in column)
    rows = []
    for step in backward_steps(root):
        rows.append(
            NodeReport(
                name=name[step.node],
                label=label(step.node),
                op=operation(step.node),
                value=getattr(step.node, "data", math.nan),
                gradient=step.gradient,
                parents=tuple(name[share.parent] for share in step.shares),
                local=tuple(share.partial for share in step.shares),
                sent=tuple(share.sent for share in step.shares),
            )
        )
    return Report(rows)


@dataclass(frozen=True, repr=False)
class Break:
    """The first bad number in a graph: whose it is, what is wrong, and what made it so."""

    node: Node
    kind: Kind
    quantity: Literal["value", "gradient"]
    maker: Node  # `node` itself for a value; for a gradient the node that sent it
    reason: str

    @property
    def operands(self) -> tuple[Node, ...]:
        """The nodes that the operation was applied to; () for a leaf."""
        return tuple(self.maker.parents)

    def __repr__(self) -> str:
        state = {"nan": "is NaN", "infinite": "is infinite", "vanished": "has vanished"}[self.kind]
        text = f"The {self.quantity} of `{title(self.node)}` {state}: {self.reason}."
        line = getattr(self.maker, "line", "")
        text += f" It was made at {line}." if line else ""
        operands = [f"{title(p)} = {number(getattr(p, 'data', None))}" for p in self.operands]
        if not operands:
            return text
        if len(operands) > LONGEST_LIST:
            operands[LONGEST_LIST:] = [f"and {len(operands) - LONGEST_LIST} more"]
        subject = "operand is" if len(operands) == 1 else "operands are"
        return f"{text} The {subject} {', '.join(operands)}."


def find_break(root: Node) -> Break | None:
    """The first node whose value, or else whose gradient, is NaN, infinite or vanished; or None.

    Values are judged in forward order, then gradients in backward order, so what is named is
    where the trouble began. A NaN or infinite gradient is named before any vanished one.

    A gradient has vanished if every share of it is below 1e-12 of the seed; large shares that
    cancel are healthy. An exact 0 is no fault in itself: a relu that is off and a factor of 0
    stop a gradient by design. It is one if exp, sigmoid or tanh sent it, whose slope is 0 only
    because it was rounded, or if no leaf receives anything at all. An exponent without a label is
    taken for a constant: nobody asks for its slope, which is NaN for a negative base.
    """
    for node in topological_order(root):
        kind = broken(getattr(node, "data", 0.0))
        if kind:
            reason = "it is a leaf and came in like this"
            if node.parents:
                reason = f"`{operation(node)}` made it from finite numbers"
            return Break(node, kind, "value", node, reason)
    return find_broken_gradient(root)


def find_broken_gradient(root: Node) -> Break | None:
    """The second half of `find_break`, for a graph whose values are all finite."""
    arrived: dict[Node, list[Share]] = {}
    first_vanished = first_zero = None
    a_leaf_learns = not root.parents
    for step in backward_steps(root):
        for share in step.shares:
            arrived.setdefault(share.parent, []).append(share)
        shares = arrived.pop(step.node, [])
        if not shares:  # the root
            continue
        loudest = max(shares, key=loudness)
        kind = broken(step.gradient)
        if kind:
            if is_constant_exponent(loudest):
                continue
            return Break(step.node, kind, "gradient", loudest.sender, product(loudest))
        rounded = [share for share in shares if is_rounded_to_zero(share)]
        sent = magnitude(loudest.sent)
        if first_vanished is None and (0 < sent < VANISHED or (sent == 0 and rounded)):
            source = loudest if sent else rounded[0]
            first_vanished = Break(
                step.node, "vanished", "gradient", source.sender, product(source)
            )
        if sent == 0 and first_zero is None:
            reason = f"{product(loudest)}, and no leaf receives anything"
            first_zero = Break(step.node, "vanished", "gradient", loudest.sender, reason)
        if sent > 0 and not step.node.parents:
            a_leaf_learns = True
    return first_vanished or (None if a_leaf_learns else first_zero)


def broken(x: Gradient) -> Kind | None:
    """The kind of trouble if x is, or an array x contains, NaN or an infinity; else None."""
    size = magnitude(x)
    return "nan" if math.isnan(size) else "infinite" if math.isinf(size) else None


def magnitude(x: Gradient) -> float:
    """The size of a number; of an array the largest, or NaN if it contains one."""
    return abs(x) if isinstance(x, float) else float(np.max(np.abs(x), initial=0.0))


def loudness(share: Share) -> float:
    """The weight of a share among several that may have done it: NaN weighs most."""
    size = magnitude(share.sent)
    return math.inf if math.isnan(size) else size


def is_rounded_to_zero(share: Share) -> bool:
    """True if a slope that is never 0 was too small for a float."""
    never_flat = operation(share.sender) in NEVER_FLAT
    return never_flat and magnitude(share.gradient) > 0 and magnitude(share.sent) == 0


def is_constant_exponent(share: Share) -> bool:
    """True if the share goes to the exponent of a power, a leaf that nobody gave a name."""
    parents = share.sender.parents
    return (
        operation(share.sender) == "**"
        and share.parent is parents[1]
        and share.parent is not parents[0]
        and not share.parent.parents
        and not label(share.parent)
    )


def product(share: Share) -> str:
    """The product that a share is, in words."""
    if share.partial is None:
        return f"`{operation(share.sender)}` sent {number(share.sent)}"
    factors = f"{number(share.partial)} * {number(share.gradient)} = {number(share.sent)}"
    return f"`{operation(share.sender)}` sent {factors}"
