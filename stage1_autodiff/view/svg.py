"""The graph as SVG text: cards for nodes, and curves for edges.

All coordinates are whole pixels and nothing depends on memory addresses: the same graph gives the
same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from stage1_autodiff.view.colours import STYLE
from stage1_autodiff.view.layout import Layout, Segment

HEADER, ROW = 22, 17  # heights within a card
CARD = HEADER + 2 * ROW + 8
MARGIN = 20
CHARACTER = 7.3  # width of one character of the monospaced font, with a little room
TIMES, MINUS, OVER = "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}", "\N{DIVISION SIGN}"
SYMBOLS = {"*": TIMES, "-": MINUS, "/": OVER}  # keyboards have no keys for the real ones


@dataclass(frozen=True)
class Card:
    """One node as a picture shows it: texts only, taken when the picture was made."""

    name: str  # different for every node
    label: str
    op: str
    data: str
    grad: str
    parents: tuple[int, ...]  # their numbers
    partials: tuple[str, ...]  # the local derivative by each parent

    @property
    def head(self) -> str:
        """The label and the operation, or "leaf" for a leaf without a label."""
        return f"{self.label} {self.op}".strip() or "leaf"

    @property
    def width(self) -> int:
        """The pixels that the longest line of the card takes, and never less than a short one."""
        characters = max(len(self.head) + 1, len(self.data) + 6, len(self.grad) + 6, 12)
        return round(characters * CHARACTER) + 16


def text(x: int, y: int, content: str, style: str = "") -> str:
    """One line of text whose baseline starts (or, by style, ends or is centred) at x, y."""
    attribute = f' class="{style}"' if style else ""
    return f'<text x="{x}" y="{y}"{attribute}>{escape(content, quote=False)}</text>'


def card(c: Card, x: int, y: int, width: int, with_grad: bool = True) -> str:
    """The card of a node in the given place, with or without the number of its gradient."""
    kind = "op" if c.op else "leaf"
    grad_y = y + HEADER + 2 * ROW
    end = x + width - 10
    parts = [
        f'<rect x="{x}" y="{y}" width="{width}" height="{CARD}" rx="7" class="{kind} card"/>',
        f'<path d="M{x} {y + HEADER}V{y + 7}q0-7 7-7H{x + width - 7}q7 0 7 7V{y + HEADER}Z"'
        f' class="{kind} head"/>',
        text(x + 10, y + 15, c.label or ("" if c.op else "leaf"), "on"),
        text(end, y + 15, SYMBOLS.get(c.op, c.op), "on end"),
        text(x + 10, grad_y - ROW, "data", "key"),
        text(end, grad_y - ROW, c.data, number_style(c.data) + "end"),
        text(x + 10, grad_y, "grad", "key"),
    ]
    if with_grad:
        parts.append(gradient(c.grad, x, y, width))
    return "".join(parts)


def gradient(content: str, x: int, y: int, width: int) -> str:
    """The number in the last row of the card in the given place."""
    return text(
        x + width - 10, y + HEADER + 2 * ROW, content, number_style(content, "grad ") + "end"
    )


def ring(x: int, y: int, width: int) -> str:
    """A light around the card in the given place."""
    return (
        f'<rect x="{x - 3}" y="{y - 3}" width="{width + 6}" height="{CARD + 6}" rx="10"'
        ' class="ring"/>'
    )


def caption(layout: Layout, lines: Sequence[str]) -> str:
    """Lines of text under the graph."""
    top = layout.height + MARGIN + 12
    return "".join(text(0, top + i * 18, line) for i, line in enumerate(lines))


def number_style(number: str, usual: str = "") -> str:
    """The style of a number: nan and inf stand out."""
    return "bad " if "nan" in number or "inf" in number else usual


def curve(segment: Segment) -> str:
    """The path of one piece of an edge, level at both ends; it starts where the last one ended."""
    x0, y0, x1, y1 = segment
    bend = (x0 + x1) // 2
    return f"H{x1}" if y0 == y1 else f"C{bend} {y0} {bend} {y1} {x1} {y1}"


def wire(segments: Sequence[Segment]) -> str:
    """The path of an edge, or of a part of it, as the `d` of a <path>."""
    x, y = segments[0][:2]
    return f"M{x} {y}" + "".join(curve(s) for s in segments)


def edges(layout: Layout) -> Iterable[str]:
    """All edges: shared lanes once, then each entry with the tip of an arrow."""
    for node, parents in enumerate(layout.parents):
        lanes = layout.lanes(node)
        if lanes:
            yield f'<path d="{wire(lanes)}" class="edge"/>'
        for i in range(len(parents)):
            entry = layout.entry(node, i)
            x, y = entry[2:]
            yield f'<path d="{wire([entry])}" class="edge"/>'
            yield f'<path d="M{x} {y}l-7-3.5v7Z" class="tip"/>'


def edge_label(layout: Layout, node: int, i: int, content: str) -> str:
    """A text on the last part of the edge from the i-th parent of `node`, near its port."""
    x0, y0, x1, y1 = layout.entry(node, i)
    x, y = x0 + 0.576 * (x1 - x0), y0 + 0.648 * (y1 - y0)  # the curve after 0.6 of its way
    return text(round(x), round(y) + 4, content, "mid halo")


def page(layout: Layout, parts: Iterable[str], about: str, footer: int = 0, room: int = 0) -> str:
    """A whole SVG document; `about` is read out to those who cannot see it.

    It is at least `room` wide, and `footer` pixels higher than the graph.
    """
    width = max(layout.right[-1], room) + 2 * MARGIN
    height = layout.height + 2 * MARGIN + footer
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}">',
            f"<title>{escape(about, quote=False)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10"'
            ' class="paper"/>',
            f'<g transform="translate({MARGIN} {MARGIN})">',
            *parts,
            "</g>",
            "</svg>\n",
        ]
    )
