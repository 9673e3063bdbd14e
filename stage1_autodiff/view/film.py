"""The backward pass as a film: gradients run along the edges and add up where they meet.

The film is one SVG image that moves by itself, so it plays wherever the picture of `draw` is
shown: in an <img>, offline, in a notebook that is not trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from stage1_autodiff.graph import Node
from stage1_autodiff.view import svg
from stage1_autodiff.view.clock import Clock
from stage1_autodiff.view.draw import Picture, place, take_cards
from stage1_autodiff.view.layout import Layout, columns_of
from stage1_autodiff.view.steps import Gradient, Share, Step, backward_steps
from stage1_autodiff.view.svg import CHARACTER, MARGIN, Card
from stage1_autodiff.view.words import number

LIMIT = 60  # nodes; nobody watches a longer film
ARRIVAL = 0.6  # the part of a step that a gradient spends on its way
FOOTER = 52  # pixels under the graph, for the caption
LONGEST_LIST = 3  # shares named in a caption
THE_END = "Every gradient is in its place."

Moments: TypeAlias = list[tuple[float, str]]  # (from this step on, a card says this)


def film(root: Node) -> Picture:
    """The backward pass from `root`, one step per node, in the order in which `backward` walks.

    A node lights up once its gradient is complete, and sends `partial * gradient` along the edge
    to each parent. The gradients are the film's own: those of the graph stay as they are.

    Raises:    ValueError: if there are more than 60 nodes.
    """
    columns = columns_of(root, LIMIT, op="film")
    nodes = [node for column in columns for node in column]
    cards = take_cards(nodes)
    steps = list(backward_steps(root))
    story = Story(cards, {node: i for i, node in enumerate(nodes)}, steps)
    moments = story.moments()
    lines = [story.caption(step) for step in steps]

    widest = [
        replace(c, grad=max((m[1] for m in moments[i]), key=len)) for i, c in enumerate(cards)
    ]
    longest = max((len(p) for c in cards for p in c.partials), default=0)
    layout = place(widest, columns, gap=84 + round(longest * CHARACTER))
    clock = Clock(len(steps) + 1)  # one more, to look at the result

    parts = [*svg.edges(layout), clock.grow(0, layout.height + MARGIN // 2, layout.right[-1])]
    for i, c in enumerate(cards):
        parts.append(svg.card(c, *layout.corner(i), with_grad=False))
        parts += [svg.edge_label(layout, i, k, svg.TIMES + p) for k, p in enumerate(c.partials)]
        parts += gradient_frames(clock, layout, i, moments[i])
    for k, step in enumerate(steps):
        scene = "".join(step_scene(clock, layout, story.index[step.node], k, step.shares))
        scene += svg.caption(layout, lines[k])
        parts.append(clock.show(k, k + 1, scene))
    parts.append(clock.show(len(steps), clock.length, svg.caption(layout, [THE_END])))

    about = f"film of the backward pass from {cards[-1].name}, {len(steps)} steps"
    room = max(len(line) for pair in lines for line in pair) * CHARACTER
    image = svg.page(layout, parts, about, footer=FOOTER, room=round(room))
    outline = "\n".join(f"{k}. {' '.join(pair)}" for k, pair in enumerate(lines, start=1))
    return Picture(image, outline, about)


@dataclass(frozen=True)
class Story:
    """The film in words and numbers."""

    cards: Sequence[Card]
    index: dict[Node, int]  # the number of each node's card
    steps: Sequence[Step]

    def caption(self, step: Step) -> tuple[str, str]:
        """A step in two lines."""
        c = self.cards[self.index[step.node]]
        op = f" ({c.op})" if c.op and c.label else ""
        sends = []
        for share in step.shares[:LONGEST_LIST]:
            product = f"{number(share.partial)} * {number(share.gradient)} = {number(share.sent)}"
            sends.append(f"{product} to {self.cards[self.index[share.parent]].name}")
        if len(step.shares) > LONGEST_LIST:
            sends.append(f"and so on to {len(step.shares) - LONGEST_LIST} more")
        what = f"It sends {', '.join(sends)}." if sends else "It is a leaf, and keeps it."
        return f"{c.name}{op} has its whole gradient, {number(step.gradient)}.", what

    def moments(self) -> list[Moments]:
        """For every card, what it says as its gradient, and when."""
        moments: list[Moments] = [[(0.0, "0")] for _ in self.cards]
        moments[-1] = [(0.0, number(self.steps[0].gradient))]  # the root
        total: dict[Node, Gradient] = {}
        for k, step in enumerate(self.steps):
            for parent in dict.fromkeys(step.node.parents):
                sent = [share.sent for share in step.shares if share.parent is parent]
                terms = [total[parent], *sent] if parent in total else sent
                total[parent] = sum(terms)
                of_parent = moments[self.index[parent]]
                of_parent.append((k + ARRIVAL, " + ".join(number(term) for term in terms)))
                if len(terms) > 1:  # the sum is seen before its result
                    of_parent.append((k + 1.0, number(total[parent])))
        return moments


def gradient_frames(clock: Clock, layout: Layout, node: int, moments: Moments) -> Iterator[str]:
    """The texts that take turns as the gradient on one card."""
    ends = [start for start, _ in moments[1:]] + [clock.length]
    for (start, content), end in zip(moments, ends):
        yield clock.show(start, end, svg.gradient(content, *layout.corner(node)))


def step_scene(
    clock: Clock, layout: Layout, node: int, k: int, shares: Sequence[Share]
) -> Iterator[str]:
    """The parts seen in step k only: the node lit up, and gradients running to its parents."""
    yield svg.ring(*layout.corner(node))
    halfway, arrival = k + ARRIVAL / 2, k + ARRIVAL
    for i, share in enumerate(shares):
        segments = layout.edge(node, i)
        path = svg.wire(segments)
        yield f'<path d="{path}" class="lit edge"/>'
        yield svg.edge_label(layout, node, i, svg.TIMES + number(share.partial))
        # Below the edge where another one runs above it.
        y = 18 if segments[-1][3] > layout.middle[node, layout.column[node]] else -9
        before = clock.show(k, halfway, svg.text(0, y, number(share.gradient), "pulse"))
        after = clock.show(halfway, arrival, svg.text(0, y, number(share.sent), "pulse"))
        yield clock.show(
            k,
            arrival,
            clock.travel_back(path, k, arrival, f'<circle r="5" class="lit"/>{before}{after}'),
        )
