"""The outcome of a graded test for its exercise: a state, and the words that explain it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from course.grader.comparison_error import ComparisonError
from course.grader.exceptions import of_exception
from course.grader.failing_lines import statements_before
from course.manifest import Exercise

PASSED, NOT_STARTED, BLOCKED = "passed", "not started", "blocked"
WRONG, ERROR, TIMEOUT, CRASH = "wrong", "error", "timeout", "crash"

NO_TEST = "No test of this exercise ran. This is a fault of the course; please report it."

STUB = re.compile(r"exercise (\d+\.\d+)\b")


@dataclass
class Outcome:
    """The state of an exercise after one test, or after all of them."""

    exercise: str
    state: str
    blocked_by: str = ""
    test: str = ""  # the name of the test, in words
    code: str = ""  # the lines of the test that led here
    text: str = ""  # what came of them
    cause: str = ""  # the mistake behind it, where the wrong value gives it away
    where: str = ""  # file:line of the learner's code, when an exception came out of it
    passes: int = 0  # of so many tests
    tests: int = 0

    @property
    def label(self) -> str:
        """The state as it is shown: `blocked by 1.2`, `wrong`, ..."""
        return f"blocked by {self.blocked_by}" if self.state == BLOCKED else self.state


def of_call(exercise: Exercise, item, call) -> Outcome:
    """The outcome of one phase of a test, as pytest reports it."""
    outcome = Outcome(exercise.id, PASSED, test=in_words(item.name))
    if call.excinfo is None:
        return outcome
    error = call.excinfo.value
    outcome.code = statements_before(item, call.excinfo)
    if isinstance(error, NotImplementedError) and (stub := STUB.match(str(error))):
        if stub[1] == exercise.id:
            outcome.state = NOT_STARTED
        else:
            outcome.state, outcome.blocked_by = BLOCKED, stub[1]
    elif isinstance(error, ComparisonError):
        outcome.state, outcome.text = WRONG, str(error)
        outcome.cause = (error.cause or "") if error.certain else ""
    else:
        outcome.state = ERROR
        outcome.text, outcome.where = of_exception(error, exercise.package)
    return outcome


def summarise(
    exercises: Iterable[Exercise], outcomes: list[Outcome], unreadable: list[Outcome]
) -> list[Outcome]:
    """One outcome per exercise: a pass, or the failure that says most.

    That is the first one that knows its cause, else the first. No test at all is an error too.
    """
    summary = []
    for exercise in exercises:
        mine = [o for o in outcomes if o.exercise == exercise.id]
        failures = [o for o in mine if o.state != PASSED]
        if failures:
            found = next((o for o in failures if o.cause), failures[0])
        elif mine:
            found = mine[0]
        elif unreadable:
            found = unreadable[0]
        else:
            found = Outcome("", ERROR, text=NO_TEST)
        passes = len(mine) - len(failures)
        summary.append(replace(found, exercise=exercise.id, passes=passes, tests=len(mine)))
    return summary


def in_words(test: str) -> str:
    """`test_a_plus_a[case]` as `a plus a [case]`."""
    return test.removeprefix("test_").replace("_", " ").replace("[", " [", 1)
