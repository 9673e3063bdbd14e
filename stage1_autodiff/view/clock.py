"""Time in a picture: SVG that appears, disappears and moves by itself, over and over.

Written in SMIL, the animation language of SVG, which needs no script.
"""

from __future__ import annotations

from collections.abc import Iterable

SECONDS = 3.0  # per step


class Clock:
    """The time of a film of `length` steps; it wraps content in the markup that animates it.

    A viewer that cannot play the film shows what is to be seen at its end.
    """

    def __init__(self, length: int) -> None:
        self.length = length
        self.timing = f'dur="{length * SECONDS:g}s" repeatCount="indefinite"'

    def show(self, start: float, end: float, content: str) -> str:
        """The content, to be seen from step `start` to step `end` only."""
        changes = [(0.0, 0)] if start > 0 else []
        changes.append((start, 1))
        if end < self.length:
            changes.append((end, 0))
        values = ";".join(str(opacity) for _, opacity in changes)
        return (
            f'<g opacity="{changes[-1][1]}">'
            f'<animate attributeName="opacity" calcMode="discrete" values="{values}"'
            f' keyTimes="{self._moments(time for time, _ in changes)}" {self.timing}/>{content}</g>'
        )

    def travel_back(self, path: str, start: float, end: float, content: str) -> str:
        """The content, drawn around 0, 0, on its way along the path from its end to its start."""
        return (
            f'<g><animateMotion path="{path}" calcMode="linear" keyPoints="1;1;0;0"'
            f' keyTimes="{self._moments([0.0, start, end, self.length])}" {self.timing}/>'
            f"{content}</g>"
        )

    def grow(self, x: int, y: int, width: int) -> str:
        """A thin bar that grows to `width` as the film goes on."""
        return (
            f'<rect x="{x}" y="{y}" width="{width}" height="2" class="lit">'
            f'<animate attributeName="width" from="0" to="{width}" {self.timing}/></rect>'
        )

    def _moments(self, steps: Iterable[float]) -> str:
        return ";".join(f"{step / self.length:.4f}" for step in steps)
