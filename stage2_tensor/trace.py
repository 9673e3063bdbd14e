"""The line of your code that made a node: recorded inside `with trace():`, free outside of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

STAGE = re.compile(r"stage\d_")  # the packages of the stages; each may lie in another folder


class Trace:
    """The switch. Operations read `Trace.on`; `trace` turns it."""

    on = False


@contextmanager
def trace() -> Iterator[None]:
    """Nodes made inside know their line, and the microscope tells it: `with trace():`."""
    before = Trace.on
    Trace.on = True
    try:
        yield
    finally:
        Trace.on = before


def line_of_caller() -> str:
    """`file:line` of the innermost frame that is not part of a stage."""
    frame = sys._getframe(1)
    while frame is not None and STAGE.match(frame.f_globals.get("__package__") or ""):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame else ""
