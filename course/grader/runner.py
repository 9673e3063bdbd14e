"""Grading from outside: pytest runs in a child process, and this side holds the clock.

An endless loop or a dead interpreter costs its exercise, and no other. Limits inside the child
would not do: a learner's `except BaseException` catches a signal, and a thread cannot stop one.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from course import HERE, ROOT, UsageError
from course.grader import outcomes
from course.grader.outcomes import Outcome
from course.manifest import Exercise
from course.workspace.folder import Workspace

CHILD = {
    "PYTHONDONTWRITEBYTECODE": "1",  # two saves within a second must not share a .pyc file
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # other plugins cost seconds and grade nothing
    "PYTEST_ADDOPTS": "",  # the learner's own settings must not change the grade
    "PYTEST_PLUGINS": "",
    "PYTHONOPTIMIZE": "",
}
IMPORT_SECONDS = 60  # for pytest, NumPy and the learner's modules to load
POLL_SECONDS = 0.02
INTERRUPTED = 2  # pytest's exit code after Ctrl-C or pytest.exit


class GraderError(RuntimeError):
    """The grader itself failed; the learner's code is not to blame."""


def grade(
    exercises: Sequence[Exercise],
    workspace: Workspace | None = None,
    code: Path | str | None = None,
    seconds: float | None = None,
) -> list[Outcome]:
    """One outcome per exercise, whatever the code under test does.

    `code` is "reference" or a folder that holds the package; None grades the workspace. `seconds`
    is a limit in place of that of each exercise.

    Raises:    GraderError: if pytest could not be run, or had no test to run.
    """
    environment = {**os.environ, **CHILD, "GLASSBOX_PARENT": str(os.getpid())}
    if code is not None:
        environment["GLASSBOX_CODE"] = str(code)
    elif workspace is not None:
        environment.pop("GLASSBOX_CODE", None)
        environment["GLASSBOX_WORKSPACE"] = str(workspace.root)
    found: list[Outcome] = []
    unreadable: list[Outcome] = []
    left = list(exercises)
    while left:
        run = _Run(left, environment, seconds)
        found += run.outcomes
        unreadable += run.unreadable
        if run.ended:
            break
        if run.current is None:  # it died while importing: no exercise can be graded
            unreadable.append(run.failure)
            break
        found.append(run.failure)
        left = left[[e.id for e in left].index(run.current) + 1 :]
    return outcomes.summarise(exercises, found, unreadable)


class _Run:
    """One child process, followed until it ends, dies, or is stopped."""

    def __init__(self, exercises: list[Exercise], environment: dict, seconds: float | None) -> None:
        self.limits = {e.id: e.seconds for e in exercises}
        self.asked = _asked_limit() if seconds is None else seconds
        self.outcomes: list[Outcome] = []
        self.unreadable: list[Outcome] = []
        self.began = False
        self.ended = False
        self.current: str | None = None  # the exercise whose test runs now
        self.test = self.where = ""
        self.failure = Outcome("", outcomes.CRASH)
        with tempfile.TemporaryDirectory(prefix="course-") as folder:
            log = Path(folder, "log")
            log.touch()
            with open(Path(folder, "output"), "w+b") as output:
                self._follow(_start(exercises, environment, log, output), log)
                output.seek(0)
                self.output = output.read().decode("utf-8", "replace")
        if not self.began and self.failure.state == outcomes.CRASH:
            raise GraderError(f"pytest could not be started:\n{self.output[-3000:]}")
        if self.ended and self.exit not in (0, 1) and not self.unreadable:
            raise GraderError(f"pytest ended with exit code {self.exit}:\n{self.output[-3000:]}")

    def _follow(self, child: subprocess.Popen, log: Path) -> None:
        since = time.monotonic()
        with open(log, encoding="utf-8") as events:
            try:
                while True:
                    dead = child.poll() is not None  # asked first: what it wrote is then complete
                    for event in _complete_lines(events):
                        before = self.current
                        self._take(event)
                        if self.current != before:
                            since = time.monotonic()
                    if dead:
                        break
                    if not self.ended and time.monotonic() - since > self._limit():
                        self._time_out()
                        break
                    time.sleep(POLL_SECONDS)
            finally:
                _stop(child)
        if not self.ended and self.failure.state == outcomes.CRASH:
            self._crash(child.returncode)

    def _take(self, event: dict) -> None:
        kind = event.pop("event")
        if kind == "begin":
            self.began = True
        elif kind == "start":
            self.current, self.test, self.where = event["exercise"], event["test"], event["where"]
        elif kind == "outcome":
            self.outcomes.append(Outcome(**event))
        elif kind == "unreadable":
            self.unreadable.append(Outcome(**event))
        elif kind == "end":
            self.exit = event["exit"]
            # An interrupt can only come from the code under test: this child has no terminal.
            self.ended = self.exit != INTERRUPTED or self.current is None

    def _limit(self) -> float:
        if self.asked is not None:
            return self.asked
        return IMPORT_SECONDS if self.current is None else self.limits[self.current]

    def _time_out(self) -> None:
        what = "Importing your code" if self.current is None else "This exercise"
        text = f"{what} took more than {self._limit():g} seconds and was stopped."
        text += "\nIs there a loop whose condition never becomes false, or a node that is its own"
        text += " parent?"
        self._fail(outcomes.TIMEOUT, text)

    def _crash(self, code: int) -> None:
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        what = "importing your code" if self.current is None else "this test"
        text = f"Python itself ended during {what}, with {how}."
        text += (
            "\nos._exit, a KeyboardInterrupt of your own and pytest.exit do that; so does memory"
        )
        text += " that runs out."
        self._fail(outcomes.CRASH, text)

    def _fail(self, state: str, text: str) -> None:
        found = Outcome(self.current or "", state, test=self.test, text=text, where=self.where)
        self.failure = found


def _asked_limit() -> float | None:
    """The limit that the environment sets for every exercise.

    Raises:    UsageError: if it is not a number.
    """
    asked = os.environ.get("GLASSBOX_SECONDS")
    try:
        return float(asked) if asked else None
    except ValueError:
        raise UsageError(f"GLASSBOX_SECONDS: expected a number of seconds, got {asked!r}") from None


def _start(exercises: list[Exercise], environment: dict, log: Path, output) -> subprocess.Popen:
    command = [sys.executable, "-m", "pytest", *(str(e.tests) for e in exercises)]
    command += [f"--rootdir={ROOT}", f"--config-file={HERE / 'grader' / 'pytest.ini'}"]
    command += ["--exercises", ",".join(e.id for e in exercises), "--grade-log", str(log)]
    return subprocess.Popen(
        [*command, "-p", "no:cacheprovider"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def _complete_lines(events) -> Iterator[dict]:
    """The events written since the last call; a line still being written waits."""
    while True:
        position = events.tell()
        line = events.readline()
        if not line.endswith("\n"):
            events.seek(position)
            return
        yield json.loads(line)


def _stop(child: subprocess.Popen) -> None:
    """End the child and everything that it started."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()
    child.wait()
