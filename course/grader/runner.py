"""Grading from outside: pytest runs in a child process, and this side holds the clock.

An endless loop or a dead interpreter costs its exercise, and no other. Limits inside the child
would not do: a learner's `except BaseException` catches a signal, and a thread cannot stop one.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from course import HERE, ROOT, UsageError
from course.grader import outcomes
from course.grader.outcomes import Outcome
from course.grader.printed import last_lines
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
STACK_SECONDS = 0.5  # for a child to say where it is
STACK_LINE = re.compile(r'File "(.+)", line (\d+) in (.+)')


class GraderError(RuntimeError):
    """The grader itself failed; the learner's code is not to blame."""


def grade(
    exercises: Sequence[Exercise],
    workspace: Workspace | None = None,
    code: Path | str | None = None,
    traceback: str = "auto",
) -> list[Outcome]:
    """One outcome per exercise, whatever the code under test does.

    `code` is "reference" or a folder that holds the package; None grades the workspace. With the
    `traceback` "long" the outcomes have all of it.

    Raises:    GraderError: if pytest could not be run, or had no test to run.
    """
    environment = _environment(workspace, code)
    found: list[Outcome] = []
    unreadable: list[Outcome] = []
    collected: dict[str, int] = {}
    left = list(exercises)
    while left:
        run = _Run(left, environment, traceback)
        found += run.outcomes
        unreadable += run.unreadable
        collected |= run.collected
        if run.ended:
            break
        if run.current is None:  # it died while importing: no exercise can be graded
            unreadable.append(run.failure)
            break
        found.append(run.failure)
        left = left[[e.id for e in left].index(run.current) + 1 :]
    return outcomes.summarise(exercises, found, unreadable, collected)


def debug(exercise: Exercise, workspace: Workspace) -> None:
    """Run the tests of an exercise in this terminal, without a limit: a failure opens pdb."""
    subprocess.run(
        [*_command([exercise]), "--exercises", exercise.id, "--pdb", "--tb=short"],
        cwd=ROOT,
        env=_environment(workspace, None),
    )


def _environment(workspace: Workspace | None, code: Path | str | None) -> dict[str, str]:
    """The environment of a run that grades this code."""
    environment = {**os.environ, **CHILD, "GLASSBOX_PARENT": str(os.getpid())}
    if code is not None:
        environment["GLASSBOX_CODE"] = str(code)
    elif workspace is not None:
        environment.pop("GLASSBOX_CODE", None)
        environment["GLASSBOX_WORKSPACE"] = str(workspace.root)
    return environment


class _Run:
    """One child process, followed until it ends, dies, or is stopped."""

    def __init__(self, exercises: list[Exercise], environment: dict, traceback: str) -> None:
        self.limits = {e.id: e.seconds for e in exercises}
        self.packages = {e.package for e in exercises}
        self.asked = _asked_limit()
        self.outcomes: list[Outcome] = []
        self.unreadable: list[Outcome] = []
        self.collected: dict[str, int] = {}  # the tests of each exercise
        self.began = False
        self.ended = False
        self.current: str | None = None  # the exercise whose test runs now
        self.test = self.where = ""
        self.failure = Outcome("", outcomes.CRASH)
        with tempfile.TemporaryDirectory(prefix="course-") as folder:
            self.folder = Path(folder)
            log = self.folder / "log"
            log.touch()
            with open(self.folder / "output", "w+b") as output:
                asked = ["--exercises", ",".join(e.id for e in exercises), f"--tb={traceback}"]
                command = [*_command(exercises), *asked, "--grade-log", str(log)]
                self._follow(_start(command, environment, output), log)
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
                        self._time_out(child)
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
            # A test that never reported was ended by the code under test, whatever the exit code.
            self.ended = self.current is None or self._all_reported()
        elif kind == "collected":
            self.collected = event["tests"]

    def _all_reported(self) -> bool:
        told = Counter(o.exercise for o in self.outcomes)
        return all(told[exercise] >= n for exercise, n in self.collected.items())

    def _limit(self) -> float:
        if self.asked is not None:
            return self.asked
        return IMPORT_SECONDS if self.current is None else self.limits[self.current]

    def _time_out(self, child: subprocess.Popen) -> None:
        what = "Importing your code" if self.current is None else "This exercise"
        text = f"{what} took more than {self._limit():g} seconds and was stopped"
        line, self.where = self._where_it_was(child)
        text += f" {line}.\n" if line else ".\n"
        text += (
            "Is there a loop whose condition never becomes false, a node that is its own parent,"
        )
        text += " or a walk along every path, where each node is to be visited once?"
        self._fail(outcomes.TIMEOUT, text)

    def _where_it_was(self, child: subprocess.Popen) -> tuple[str, str]:
        """The line of the code under test that runs now, in words, and its place."""
        if os.name != "posix":
            return "", self.where
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGUSR1)
        stack = self.folder / "stack"
        until = time.monotonic() + STACK_SECONDS
        while time.monotonic() < until and not (stack.exists() and stack.stat().st_size):
            time.sleep(POLL_SECONDS)
        told = stack.read_text(encoding="utf-8") if stack.exists() else ""
        for path, line, name in STACK_LINE.findall(told):
            if Path(path).parent.name in self.packages:
                return f"in {name}, at {Path(path).name}:{line}", f"{path}:{line}"
        return "", self.where

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
        printed = self.folder / "printed"
        if printed.exists():
            found.printed = last_lines(printed.read_text(encoding="utf-8", errors="replace"))
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


def _command(exercises: list[Exercise]) -> list[str]:
    """The command that runs the tests of some exercises."""
    command = [sys.executable, "-m", "pytest", *(str(e.tests) for e in exercises)]
    command += [f"--rootdir={ROOT}", f"--config-file={HERE / 'grader' / 'pytest.ini'}"]
    return [*command, "-p", "no:cacheprovider"]


def _start(command: list[str], environment: dict, output) -> subprocess.Popen:
    return subprocess.Popen(
        command,
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
