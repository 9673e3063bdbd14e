"""The functions of an exercise that a failing test called: it runs once more, watched."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Mapping
from types import FrameType, TracebackType

import pytest

from course.grader.failing_lines import lines_of_statement

SECONDS = 1  # for the second run
SHOWN = 3

Place = tuple[str, str]  # a file, and the dotted name of a function in it


def called_by(
    test: pytest.Function, error: BaseException, wanted: Mapping[Place, str]
) -> list[str]:
    """The names, out of `wanted`, of what the failing statement called, the last one first.

    If it called none of them it compares what was computed before: then what the whole test called.
    A function that was called by another of them is left out.
    """
    calls = _calls(test, wanted)
    failed = _failing_line(error.__traceback__, test)
    first, last = lines_of_statement(test, failed)
    there = [name for line, name in calls if first <= line <= last]
    before = [name for line, name in calls if line < first]
    return list(dict.fromkeys(reversed(there or before)))[:SHOWN]


def _calls(test: pytest.Function, wanted: Mapping[Place, str]) -> list[tuple[int, str]]:
    """Each call of a wanted function, with the line of the test that led to it."""
    found: list[tuple[int, str]] = []
    code = test.function.__code__
    end = time.monotonic() + SECONDS

    def watch(frame: FrameType, event: str, argument: object) -> None:
        if event != "call":
            return
        if time.monotonic() > end:
            raise TimeoutError
        name = wanted.get(_place(frame))
        above = frame.f_back if name else None
        while above is not None and above.f_code is not code:
            above = None if _place(above) in wanted else above.f_back
        if name and above is not None:
            found.append((above.f_lineno, name))

    arguments = {name: test.funcargs[name] for name in test._fixtureinfo.argnames}
    with contextlib.suppress(BaseException):  # it fails again, or differently: no matter
        sys.setprofile(watch)
        try:
            test.obj(**arguments)
        finally:
            sys.setprofile(None)
    return found


def _place(frame: FrameType) -> Place:
    """Where the function of a frame stands; what is defined inside a function counts as it."""
    return frame.f_code.co_filename, frame.f_code.co_qualname.split(".<locals>")[0]


def _failing_line(traceback: TracebackType | None, test: pytest.Function) -> int:
    """The line of the test in a traceback."""
    while traceback is not None and traceback.tb_frame.f_code is not test.function.__code__:
        traceback = traceback.tb_next
    return traceback.tb_lineno if traceback else 0
