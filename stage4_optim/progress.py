"""How far a training is: a bar in a terminal, a line now and then in a pipe or a notebook."""

from __future__ import annotations

import sys
import time
from contextlib import AbstractContextManager
from typing import Any

SECONDS = 10.0  # between two lines where there is no terminal


class Display(AbstractContextManager):
    """Shows steps, the loss and other figures; says nothing at all with `show=False`."""

    def __init__(self, done: int, total: int | None, show: bool = True) -> None:
        self.show = show
        self.total = total
        self.bar: Any = None
        self.last = time.monotonic()
        if show and sys.stdout.isatty():
            self.bar, self.task = make_bar(done, total)

    def __enter__(self) -> Display:
        if self.bar:
            self.bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        if self.bar:
            self.bar.stop()

    def step(self, step: int, **figures: float) -> None:
        """A step is done."""
        told = "  ".join(f"{name} {as_text(value)}" for name, value in figures.items())
        if self.bar:
            self.bar.update(self.task, completed=step, figures=told)
        elif self.show and time.monotonic() - self.last > SECONDS:
            self.say(f"step {step}{f'/{self.total}' if self.total else ''}  {told}")

    def say(self, text: str) -> None:
        """A line that stays."""
        if self.bar:
            self.bar.console.print(text, markup=False, highlight=False)
        elif self.show:
            print(text, flush=True)
        self.last = time.monotonic()


def as_text(value: float) -> str:
    """Four digits; a count in full."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def make_bar(done: int, total: int | None) -> tuple[Any, Any]:
    """A bar of rich with the time that is left, and its task."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.table import Column

    bar = Progress(
        MofNCompleteColumn(table_column=Column(no_wrap=True, min_width=11)),
        TimeRemainingColumn(table_column=Column(no_wrap=True, min_width=7)),
        TextColumn("{task.fields[figures]}"),
        BarColumn(),  # last: it is what a narrow window may cut
    )
    return bar, bar.add_task("", total=total, completed=done, figures="")
