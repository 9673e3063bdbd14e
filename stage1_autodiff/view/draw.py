"""The graph as a picture: what was computed, from what, with which gradient.

In a notebook the last line `draw(root)` shows it. The picture travels inside an <img>, which is
shown offline and in a notebook that is not trusted, where scripts and bare SVG are not.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from stage1_autodiff.graph import Node
from stage1_autodiff.view import svg
from stage1_autodiff.view.layout import Layout, arrange, columns_of
from stage1_autodiff.view.svg import CARD, Card
from stage1_autodiff.view.words import label, names, number, operation

LIMIT = 2000  # nodes in one picture
OUTLINE_LIMIT = 200  # lines of the outline


class Picture:
    """An image and a text that says the same, for places that show no images."""

    def __init__(self, image: str, outline: str, about: str) -> None:
        self.svg = image
        self.outline = outline
        self.about = about

    def save(self, path: str | Path) -> None:
        """Write the image to a file; `path` should end in .svg."""
        Path(path).write_text(self.svg, encoding="utf-8", newline="\n")

    def __repr__(self) -> str:
        return self.outline

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> Mapping[str, str]:
        data = base64.b64encode(self.svg.encode()).decode()
        alt = escape(self.about)
        return {
            "text/html": f'<img alt="{alt}" src="data:image/svg+xml;base64,{data}">',
            "text/plain": self.outline,
        }


class Drawing(Picture):
    """The picture of a graph, as SVG, as an outline, and in the languages of two other tools."""

    def __init__(self, cards: list[Card], image: str) -> None:
        self.cards = cards
        about = f"graph of {len(cards)} nodes, root {cards[-1].name}"
        super().__init__(image, write_outline(cards), about)

    def to_dot(self) -> str:
        """The graph in the language of Graphviz."""
        lines = ["digraph {", "  rankdir=LR", "  node [shape=box, fontname=monospace]"]
        for i, c in enumerate(self.cards):
            head = c.head.replace("\\", "\\\\").replace('"', '\\"')
            style = "" if c.op else ", style=rounded"
            lines.append(f'  n{i} [label="{head}\\ndata {c.data}\\ngrad {c.grad}"{style}]')
        lines += [f"  n{p} -> n{i}" for i, c in enumerate(self.cards) for p in c.parents]
        return "\n".join([*lines, "}\n"])

    def to_mermaid(self) -> str:
        """The graph in the language of Mermaid, which many Markdown viewers draw."""
        lines = ["flowchart LR"]
        for i, c in enumerate(self.cards):
            head = "".join(ch if ch.isalnum() or ch == " " else f"#{ord(ch)};" for ch in c.head)
            opening, closing = ("[", "]") if c.op else ("(", ")")
            content = f'"{head}<br/>data {c.data}<br/>grad {c.grad}"'
            lines.append(f"  n{i}{opening}{content}{closing}")
        lines += [f"  n{p} --> n{i}" for i, c in enumerate(self.cards) for p in c.parents]
        return "\n".join([*lines, ""])


def draw(root: Node, partials: bool = False) -> Drawing:
    """A picture of every node that `root` was computed from, with the numbers of this moment.

    With `partials` each edge also bears its local derivative.

    Raises:    ValueError: if there are more than 2,000 nodes.
    """
    if not isinstance(partials, bool):
        raise TypeError(f"draw: expected partials True or False, got {partials!r}")
    columns = columns_of(root, LIMIT)
    cards = take_cards([node for column in columns for node in column])
    longest = max((len(p) for c in cards for p in c.partials), default=0) if partials else 0
    layout = place(cards, columns, gap=56 + round(longest * svg.CHARACTER))
    parts = list(svg.edges(layout))
    for i, c in enumerate(cards):
        parts.append(svg.card(c, *layout.corner(i)))
        if partials:
            parts += [svg.edge_label(layout, i, k, text) for k, text in enumerate(c.partials)]
    return Drawing(cards, svg.page(layout, parts, about=f"graph with root {cards[-1].name}"))


def take_cards(nodes: Sequence[Node]) -> list[Card]:
    """The cards of all nodes; parents must stand before the nodes that use them."""
    name = names(nodes)
    place = {node: i for i, node in enumerate(nodes)}
    return [
        Card(
            name=name[node],
            label=label(node),
            op=operation(node),
            data=number(getattr(node, "data", None)),
            grad=number(getattr(node, "grad", None)),
            parents=tuple(place[parent] for parent in node.parents),
            partials=tuple(number(p) for p in getattr(node, "partials", ())),
        )
        for node in nodes
    ]


def place(cards: Sequence[Card], columns: Sequence[Sequence[Node]], gap: int) -> Layout:
    """The layout of the cards, which are numbered column by column."""
    column = [c for c, nodes in enumerate(columns) for _ in nodes]
    widths = [0] * len(columns)
    for c, one in zip(column, cards):
        widths[c] = max(widths[c], one.width)
    return arrange([c.parents for c in cards], column, widths, CARD, gap)


def write_outline(cards: Sequence[Card]) -> str:
    """The graph as indented lines, the root first; a node that was shown is only named again."""
    lines = []
    shown = set()
    stack = [(len(cards) - 1, 0)]
    while stack and len(lines) < OUTLINE_LIMIT:
        i, depth = stack.pop()
        c = cards[i]
        if i in shown:
            lines.append(f"{'  ' * depth}{c.name} (see above)")
            continue
        shown.add(i)
        op = f" ({c.op})" if c.op and c.label else ""
        lines.append(f"{'  ' * depth}{c.name} = {c.data}, grad {c.grad}{op}")
        stack += [(parent, depth + 1) for parent in reversed(c.parents)]
    if stack:
        lines.append(f"... {len(cards) - len(shown)} more nodes")
    return "\n".join(lines)
