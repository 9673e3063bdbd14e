"""The outcome of a graded test for its exercise: a state, and the words that explain it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from course.grader.comparison_error import ComparisonError
from course.grader.exceptions import of_exception
from course.grader.failing_lines import script_before
from course.grader.printed import readable
from course.manifest import Exercise

PASSED, NOT_STARTED, BLOCKED = "passed", "not started", "blocked"
WRONG, ERROR, TIMEOUT, CRASH = "wrong", "error", "timeout", "crash"
NO_GRADE = "no grade"

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
    where: str = ""  # file:line of the learner's code: the exception's, or the function's
    printed: str = ""  # the last lines that the code printed during the test
    traceback: str = ""  # all of it, where --tb=long asked for that
    to_write: list[str] = field(default_factory=list)  # functions that still are stubs
    also: list[str] = field(default_factory=list)  # the other tests that fail, in words
    passes: int = 0  # of so many tests
    tests: int = 0

    @property
    def label(self) -> str:
        """The state as it is shown: `blocked by 1.2`, `wrong`, ..."""
        if self.state == BLOCKED:
            return f"blocked by {self.blocked_by}"
        if self.state == NO_GRADE:
            return f"no grade: {self.passes} of {self.tests} tests ran"
        return self.state

    def cleaned(self) -> Outcome:
        """The same, with words that a terminal can show and a reader can take in."""
        return replace(
            self,
            test=readable(self.test, 200),
            text=readable(self.text),
            cause=readable(self.cause),
            traceback=readable(self.traceback, 20_000),
        )


def of_call(exercise: Exercise, item, call) -> Outcome:
    """The outcome of one phase of a test, as pytest reports it."""
    outcome = Outcome(exercise.id, PASSED, test=in_words(item.name))
    if call.excinfo is None:
        return outcome
    error = call.excinfo.value
    outcome.code = script_before(item, call.excinfo)
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
    exercises: Iterable[Exercise],
    outcomes: list[Outcome],
    unreadable: list[Outcome],
    collected: Mapping[str, int],
) -> list[Outcome]:
    """One outcome per exercise: a pass, or the failure that says most.

    That is the first one that knows its cause, else the first of what is written. `collected`
    counts the tests of each exercise: if only some of them ran, there is no grade. No test at all
    is an error too.
    """
    summary = []
    for exercise in exercises:
        mine = [o for o in outcomes if o.exercise == exercise.id]
        failures = [o for o in mine if o.state != PASSED]
        if failures:
            found = min(failures, key=lambda o: (not o.cause, o.state in (NOT_STARTED, BLOCKED)))
        elif unreadable and not mine:
            found = unreadable[0]
        elif len(mine) < collected.get(exercise.id, 0):
            found = Outcome("", NO_GRADE, text="Only all tests of an exercise make a grade.")
        elif mine:
            found = mine[0]
        else:
            found = Outcome("", ERROR, text=NO_TEST)
        summary.append(
            replace(
                found,
                exercise=exercise.id,
                also=_others(found, failures),
                passes=len(mine) - len(failures),
                tests=max(len(mine), collected.get(exercise.id, 0)),
            )
        )
    return summary


def _others(found: Outcome, failures: list[Outcome]) -> list[str]:
    """The other tests that fail, each once, whatever their parameters are."""
    names = [o.test.split(" [")[0] for o in [found, *failures]]
    return list(dict.fromkeys(names))[1:]


def in_words(test: str) -> str:
    """`test_a_plus_a[case]` as `a plus a [case]`."""
    return test.removeprefix("test_").replace("_", " ").replace("[", " [", 1)
