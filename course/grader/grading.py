"""One run of graded tests: the code it grades, its outcomes so far, and the log of both."""

from __future__ import annotations

import json
import os
import threading
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from course import files
from course.grader import outcomes
from course.grader.outcomes import Outcome
from course.manifest import Exercise, exercises
from course.workspace import stubs
from course.workspace.folder import untouched
from course.workspace.imports import Code, activate


class Grading:
    """One run of graded tests: whose code it is, and what came out so far."""

    def __init__(self, config: pytest.Config, under_test: list[str], folder: Path | None) -> None:
        self.under_test = under_test
        self.codes: dict[str, Code] = activate(under_test, folder)
        wanted = config.getoption("--exercises")
        self.wanted = set(wanted.split(",")) if wanted else None
        self.log = config.getoption("--grade-log")
        self.outcomes: list[Outcome] = []
        self.collected: list[str] = []  # exercises that have a test in this run
        self.unreadable: list[Outcome] = []  # test files that could not be imported
        self.quiet = config.get_verbosity() <= 0
        self.places: dict[str, str] = {}
        self.say(event="begin")
        if self.log and os.name == "posix":
            _end_with(int(os.environ["GLASSBOX_PARENT"]))

    def say(self, **event: object) -> None:
        """Append one event to the log that `course test` follows."""
        if self.log:
            with open(self.log, "a", encoding="utf-8") as log:
                log.write(json.dumps(event) + "\n")

    def keep(self, found: Outcome) -> None:
        """Remember an outcome and log it."""
        if found.state == outcomes.BLOCKED and self._untouched(exercises()[found.exercise]):
            found.state, found.blocked_by = outcomes.NOT_STARTED, ""
        if not found.where:
            found.where = self.place(exercises()[found.exercise])
        self.outcomes.append(found)
        self.say(event="outcome", **asdict(found))

    def _untouched(self, exercise: Exercise) -> bool:
        """True if every function of the exercise still is a stub."""
        return untouched(exercise, self.codes[exercise.package].folder)

    def place(self, exercise: Exercise) -> str:
        """file:line of the first function of the exercise, in the code that is graded."""
        if exercise.id not in self.places:
            path = self.codes[exercise.package].folder / exercise.package / exercise.files[0]
            name = exercise.functions_in(exercise.files[0])[0]
            try:
                line = f":{stubs.functions(files.read(path))[name].lineno}"
            except (OSError, SyntaxError, KeyError, UnicodeDecodeError):
                line = ""
            self.places[exercise.id] = f"{path}{line}"
        return self.places[exercise.id]

    @property
    def on_reference(self) -> bool:
        """True if every stage under test is the reference."""
        return all(self.codes[p].whose == "the reference" for p in self.under_test)


def _end_with(parent: int) -> None:
    """End this process when `course test` is gone: no endless loop may outlive it."""

    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
