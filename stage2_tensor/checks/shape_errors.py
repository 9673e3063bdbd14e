"""Shapes drawn right-aligned, so that an axis that clashes is seen before it is searched for."""

from __future__ import annotations

from collections.abc import Sequence

CELL = "padding:2px 10px;border:1px solid #b9b4a5;text-align:right;font-family:monospace"
FITS, COPIED, CLASHES = "#fbfaf6", "#cfe5e3", "#f3b9a2"


class ShapeTable:
    """A table of shapes: text in a terminal, a picture in a notebook."""

    def __init__(self, shapes: Sequence[tuple[int, ...]]) -> None:
        self.shapes = [tuple(shape) for shape in shapes]
        self.ndim = max((len(shape) for shape in self.shapes), default=0)

    def column(self, axis: int) -> list[int]:
        """The sizes of one axis, counted from the left of the table; a missing one is 1."""
        missing = [self.ndim - len(shape) for shape in self.shapes]
        return [s[axis - m] if axis >= m else 1 for s, m in zip(self.shapes, missing)]

    @property
    def clashing(self) -> list[int]:
        """The axes that have two sizes other than 1, counted from the left of the table."""
        return [i for i in range(self.ndim) if len(set(self.column(i)) - {1}) > 1]

    @property
    def result(self) -> tuple[int, ...] | None:
        """The common shape, or None if an axis clashes."""
        if self.clashing:
            return None
        return tuple(next(iter(set(self.column(i)) - {1}), 1) for i in range(self.ndim))

    @property
    def fix(self) -> str:
        """The most likely fix of two shapes that clash; "" if none is likely."""
        if len(self.shapes) != 2:
            return ""
        a, b = self.shapes
        if len(a) == len(b) == 2 and a == b[::-1]:
            return "did you mean the transpose, b.T?"
        for one, other, name in ((b, a, "b"), (a, b, "a")):
            if len(one) < len(other) and one == other[: len(one)]:
                added = ", None" * (len(other) - len(one))
                return f"did you mean {name}[...{added}], or keepdims=True before it?"
        return ""

    def __str__(self) -> str:
        width = max([1, *(len(str(n)) for shape in self.shapes for n in shape)])
        lines = []
        for name, shape in zip("abcdefghijklmnopqrstuvwxyz", self.shapes):
            cells = [""] * (self.ndim - len(shape)) + [str(n) for n in shape]
            lines.append(f"  {name}       " + " ".join(cell.rjust(width) for cell in cells))
        if self.clashing:
            marks = ["^" * width if i in self.clashing else "" for i in range(self.ndim)]
            lines.append("          " + " ".join(m.rjust(width) for m in marks) + "  clashes")
        else:
            cells = [str(n) for n in self.result or ()]
            lines.append("  result  " + " ".join(cell.rjust(width) for cell in cells))
        return "\n".join(line.rstrip() for line in lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = []
        for name, shape in zip("abcdefghijklmnopqrstuvwxyz", self.shapes):
            missing = self.ndim - len(shape)
            cells = "".join(
                self._cell(i, str(shape[i - missing]) if i >= missing else "")
                for i in range(self.ndim)
            )
            rows.append(f"<tr><td>{name}</td>{cells}</tr>")
        if self.result is not None:
            cells = "".join(f'<td style="{CELL}"><b>{n}</b></td>' for n in self.result)
            rows.append(f"<tr><td>result</td>{cells}</tr>")
        return f'<table style="border-collapse:collapse">{"".join(rows)}</table>'

    def _cell(self, axis: int, text: str) -> str:
        column = self.column(axis)
        copied = text in ("", "1") and max(column) > 1
        colour = CLASHES if axis in self.clashing else COPIED if copied else FITS
        return f'<td style="{CELL};background:{colour};color:#222">{text or "&middot;"}</td>'


def clash(op: str, *shapes: tuple[int, ...]) -> ValueError:
    """The error for shapes that do not fit: the rule, one likely fix, and the table."""
    told = " and ".join(map(str, shapes))
    table = ShapeTable(shapes)
    rule = "shapes whose axes are equal or 1, from the right"
    fix = f"; {table.fix}" if table.fix else ""
    return ValueError(f"{op}: expected {rule}, got {told}{fix}\n{table}")
