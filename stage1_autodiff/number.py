"""A node as a number of Python: compared, rounded and printed, which leaves no trace in the graph.

The derivatives and the graph are in `value.py`.
"""

from __future__ import annotations

from stage1_autodiff.operands import as_float


class Number:
    """The part of a Value that Python's own functions ask for."""

    __slots__ = ()

    data: float
    op: str
    parents: tuple

    def __lt__(self, other: Number | float) -> bool:
        """True if self.data is the smaller number; it leaves no trace in the graph."""
        return self.data < number_of(other)

    def __gt__(self, other: Number | float) -> bool:
        """True if self.data is the larger number; it leaves no trace in the graph."""
        return self.data > number_of(other)

    def __le__(self, other: Number | float) -> bool:
        """True if self.data is not the larger number."""
        return self.data <= number_of(other)

    def __ge__(self, other: Number | float) -> bool:
        """True if self.data is not the smaller number."""
        return self.data >= number_of(other)

    # The number on its way out of the graph.

    def __float__(self) -> float:
        """float(self), and what calls it: math.log(self) leaves the graph, self.log() does not."""
        return self.data

    def __int__(self) -> int:
        """int(self): the number without its fraction."""
        return int(self.data)

    def __round__(self, digits: int | None = None) -> float:
        """round(self, digits)."""
        return round(self.data, digits)

    def __bool__(self) -> bool:
        """True if the number is not 0, as `if self:` asks."""
        return self.data != 0

    def __format__(self, form: str) -> str:
        """f"{self:.4f}": the number in that form; without a form the text that print shows."""
        return format(self.data, form) if form else str(self)

    # The names by which programs written for micrograd read the graph.

    _prev = property(lambda self: set(self.parents))
    _op = property(lambda self: self.op)


def number_of(x: Number | float) -> float:
    """The number itself, or that of a node."""
    return x.data if isinstance(x, Number) else as_float(x)
