"""One run of graded tests: the code it grades, its outcomes so far, and the log of both."""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import asdict
from functools import cache
from pathlib import Path

import pytest

from course import files
from course.grader import outcomes
from course.grader.interpreter import Interpreter
from course.grader.outcomes import Outcome
from course.grader.printed import Printed
from course.manifest import Exercise, exercises
from course.workspace import stubs
from course.workspace.folder import unwritten
from course.workspace.imports import Code, activate


class Grading:
    """One run of graded tests: whose code it is, and what came out so far."""

    def __init__(self, config: pytest.Config, under_test: list[str], folder: Path | None) -> None:
        self.under_test = under_test
        self.codes: dict[str, Code] = activate(under_test, folder)
        wanted = config.getoption("--exercises")
        self.wanted = set(wanted.split(",")) if wanted else None
        self.log = config.getoption("--grade-log")
        self.interpreter = Interpreter()
        self.printed = Printed(Path(self.log).with_name("printed")) if self.log else None
        self.outcomes: list[Outcome] = []
        self.tests: Counter[str] = Counter()  # of each exercise in the test files that were read
        self.unreadable: list[Outcome] = []  # test files that could not be imported
        self.called: list[str] = []  # by the test that failed last, of its own exercise
        self.quiet = config.get_verbosity() <= 0
        self.say(event="begin")
        if self.log and os.name == "posix":
            _end_with(int(os.environ["GLASSBOX_PARENT"]))
            self.stack = Path(self.log).with_name("stack").open("w")
            faulthandler.register(signal.SIGUSR1, self.stack)

    def say(self, **event: object) -> None:
        """Append one event to the log that `course test` follows."""
        if self.log:
            with open(self.log, "a", encoding="utf-8") as log:
                log.write(json.dumps(event) + "\n")

    def keep(self, found: Outcome) -> None:
        """Remember an outcome and log it."""
        exercise = exercises()[found.exercise]
        if found.state in (outcomes.BLOCKED, outcomes.NOT_STARTED):
            found.to_write = unwritten(exercise, self.codes[exercise.package].folder)
            if len(found.to_write) == len(exercise.functions):
                found.state, found.blocked_by = outcomes.NOT_STARTED, ""
        if not found.where:
            found.where = self.place(exercise, *found.to_write[:1])
        found = found.cleaned()
        self.outcomes.append(found)
        self.say(event="outcome", **asdict(found))

    @contextmanager
    def keep_printed(self) -> Iterator[None]:
        """Let what is printed go where the parent can read it; without one, pytest keeps it."""
        if self.printed is None:
            yield
            return
        self.printed.forget()
        with redirect_stdout(self.printed), redirect_stderr(self.printed):
            yield

    def functions(self, exercise: Exercise) -> dict[tuple[str, str], str]:
        """The functions of the exercise by file and name, in the code that is graded."""
        package = self.codes[exercise.package].folder / exercise.package
        return {
            (str(package / file), name): name
            for file in exercise.files
            for name in exercise.functions_in(file)
        }

    def place(self, exercise: Exercise, name: str = "") -> str:
        """file:line of a function of the exercise, of its first one if none is named."""
        known = self.functions(exercise)
        return _line_of(*next(place for place in known if name in (known[place], "")))

    @property
    def on_reference(self) -> bool:
        """True if every stage under test is the reference."""
        return all(self.codes[p].whose == "the reference" for p in self.under_test)


@cache
def _line_of(path: str, name: str) -> str:
    """file:line of a function; the file, if it cannot be found in there."""
    try:
        return f"{path}:{stubs.functions(files.read(Path(path)))[name].lineno}"
    except (OSError, SyntaxError, KeyError, UnicodeDecodeError):
        return path


def _end_with(parent: int) -> None:
    """End this process when `course test` is gone: no endless loop may outlive it."""

    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
