"""The error that a graded comparison raises."""

from __future__ import annotations


class ComparisonError(AssertionError):
    """A graded comparison that failed, in words for the learner."""

    def __init__(
        self, what: str, lines: dict[str, str], cause: str | None = None, certain: bool = True
    ) -> None:
        self.what = what
        self.lines = lines  # "expected": ..., "got": ..., and so on, in order
        self.cause = cause
        self.certain = certain  # the test knows this wrong value; else the cause is a guess
        super().__init__(str(self))

    def __str__(self) -> str:
        lines = self.lines if self.cause is None else {**self.lines, "cause": self.cause}
        return "\n".join([self.what, *(f"  {name:<9} {text}" for name, text in lines.items())])
