"""The places of the nodes of a graph in a picture: columns, an order in each, heights.

Data flows from left to right. An edge that spans several columns runs through a lane of its own
in each column between, and all edges from one node share their lanes, as wires share a duct.
Drawing does its own walk over the graph: a picture must be right while the code that it pictures
is still being written.

Source:    Sugiyama, Tagawa and Toda (1981): layers, then barycentres to untangle the edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TypeAlias

from stage1_autodiff.graph import Node
from stage1_autodiff.inputs import check_node

Slot: TypeAlias = tuple[int, int]  # (a node, a column that it or its wire passes)
Segment: TypeAlias = tuple[int, int, int, int]  # x, y of the start and of the end

SWEEPS = 12
SLOTS_TO_TIDY = 20_000  # beyond, a picture is a tangle however long one combs it
ROW_GAP = 14
LANE_HEIGHT = 8


def columns_of(root: Node, limit: float, op: str = "draw") -> list[list[Node]]:
    """The nodes in columns, from the leaves to the root; each stands left of all that use it.

    Raises:    TypeError: if `root` is no node. ValueError: if there are more than `limit` nodes.
    """
    check_node(op, root)
    uses = {root: 0}
    stack = [root]
    while stack:
        for parent in stack.pop().parents:
            if parent not in uses:
                uses[parent] = 0
                stack.append(parent)
            uses[parent] += 1
        if len(uses) > limit:
            raise ValueError(
                f"{op}: expected at most {limit} nodes, got more; "
                "take a part of the graph, such as the loss of a single example"
            )
    columns = []
    column = [root]
    while column:
        columns.append(column)
        column = []
        for node in columns[-1]:
            for parent in node.parents:
                uses[parent] -= 1
                if uses[parent] == 0:  # everything that uses it has its place
                    column.append(parent)
    return columns[::-1]


@dataclass(frozen=True)
class Layout:
    """The places of all nodes and wires, in whole pixels."""

    parents: Sequence[Sequence[int]]  # of each node, by number
    column: Sequence[int]  # of each node
    left: Sequence[int]  # edge of each column
    right: Sequence[int]  # edge of each column
    middle: dict[Slot, int]  # the height at which a node or a wire passes a column
    height: int
    box: int  # the height of a node

    def corner(self, node: int) -> tuple[int, int, int]:
        """The left end of a node's box, its upper end, and its width."""
        c = self.column[node]
        return self.left[c], self.middle[node, c] - self.box // 2, self.right[c] - self.left[c]

    def lanes(self, node: int) -> list[Segment]:
        """The shared part of all edges that leave `node`: out of it and through its columns."""
        segments = []
        c = self.column[node]
        while (node, c + 1) in self.middle:
            y, y_next = self.middle[node, c], self.middle[node, c + 1]
            segments.append((self.right[c], y, self.left[c + 1], y_next))
            segments.append((self.left[c + 1], y_next, self.right[c + 1], y_next))
            c += 1
        return segments

    def edge(self, node: int, i: int) -> list[Segment]:
        """The whole edge from the i-th parent of `node`."""
        parent = self.parents[node][i]
        columns_between = self.column[node] - self.column[parent] - 1
        return [*self.lanes(parent)[: 2 * columns_between], self.entry(node, i)]

    def entry(self, node: int, i: int) -> Segment:
        """The last part of the edge from the i-th parent of `node`: into its own port."""
        c = self.column[node]
        heights = [self.middle[parent, c - 1] for parent in self.parents[node]]
        ports = sorted(range(len(heights)), key=lambda k: (heights[k], k))
        step = min(24.0, 48 / len(ports))
        port = (ports.index(i) - (len(ports) - 1) / 2) * step
        y = self.middle[node, c] + round(port)
        return self.right[c - 1], heights[i], self.left[c], y


def arrange(
    parents: Sequence[Sequence[int]],
    column: Sequence[int],
    widths: Sequence[int],
    box: int,
    gap: int,
) -> Layout:
    """The layout of nodes 0, 1, ... in given columns; each box is `box` high.

    `widths` has a number per column, `gap` is the room between two columns.
    """
    columns = slots_by_column(parents, column)
    before = neighbours(parents, column, columns)
    after: dict[Slot, list[Slot]] = {slot: [] for slots in columns for slot in slots}
    for slot, sources in before.items():
        for source in sources:
            after[source].append(slot)

    sweeps = SWEEPS if len(after) <= SLOTS_TO_TIDY else 2
    for sweep in range(sweeps):  # untangle: each slot goes to the average rank of its neighbours
        rank = {slot: i for slots in columns for i, slot in enumerate(slots)}
        leftward = sweep % 2
        for slots in reversed(columns) if leftward else columns:
            links = after if leftward else before
            slots.sort(key=lambda slot: mean([rank[s] for s in links[slot]], rank[slot]))
            rank.update({slot: i for i, slot in enumerate(slots)})

    middle: dict[Slot, float] = {}
    for slots in columns:
        middle.update(zip(slots, accumulate([0.0, *distances(slots, column, box)])))
    for sweep in range(sweeps):  # straighten: the same idea with heights
        for slots in reversed(columns) if sweep % 2 else columns:
            wishes = [
                mean([middle[s] for s in before[slot] + after[slot]], middle[slot])
                for slot in slots
            ]
            middle.update(zip(slots, keep_apart(wishes, distances(slots, column, box))))

    top = min(middle.values()) - box / 2
    bottom = max(middle.values()) + box / 2
    right = [x - gap for x in accumulate(width + gap for width in widths)]
    left = [x - width for x, width in zip(right, widths)]
    heights = {slot: round(y - top) for slot, y in middle.items()}
    return Layout(parents, column, left, right, heights, round(bottom - top), box)


def slots_by_column(parents: Sequence[Sequence[int]], column: Sequence[int]) -> list[list[Slot]]:
    """Every column's slots: its nodes, and the lanes of wires that pass on to a later column."""
    last = list(column)  # the last column in which a node's wire needs a slot
    for node, sources in enumerate(parents):
        for source in sources:
            last[source] = max(last[source], column[node] - 1)
    columns: list[list[Slot]] = [[] for _ in range(max(column) + 1)]
    for node, first in enumerate(column):
        for c in range(first, last[node] + 1):
            columns[c].append((node, c))
    return columns


def neighbours(
    parents: Sequence[Sequence[int]], column: Sequence[int], columns: list[list[Slot]]
) -> dict[Slot, list[Slot]]:
    """The slots in the column to the left that each slot is joined to."""
    return {
        (node, c): [(node, c - 1)]
        if c > column[node]
        else [(parent, c - 1) for parent in parents[node]]
        for slots in columns
        for node, c in slots
    }


def mean(numbers: Sequence[float], default: float) -> float:
    """The average, or `default` if there is nothing to average."""
    return sum(numbers) / len(numbers) if numbers else default


def distances(slots: Sequence[Slot], column: Sequence[int], box: int) -> list[float]:
    """The least distance between the middles of each two neighbours in a column."""
    heights = [box if column[node] == c else LANE_HEIGHT for node, c in slots]
    return [(above + below) / 2 + ROW_GAP for above, below in pairwise(heights)]


def keep_apart(wishes: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """The heights nearest to the wishes, in least squares, that keep order and distances.

    Less the distances this is isotonic regression: neighbours in the wrong order are pooled.
    """
    offsets = list(accumulate([0.0, *gaps]))
    blocks: list[tuple[float, int]] = []  # sum and count of the members of each pool
    for wish, offset in zip(wishes, offsets):
        total, count = wish - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            before, members = blocks.pop()
            total, count = total + before, count + members
        blocks.append((total, count))
    pooled = [total / count for total, count in blocks for _ in range(count)]
    return [height + offset for height, offset in zip(pooled, offsets)]
