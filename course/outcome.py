"""What one graded test says about its exercise: a state, and the words that explain it."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, replace

from course.advice import of_exception
from course.grade import MistakeError
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
    elif isinstance(error, MistakeError):
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


def statements_before(item, excinfo) -> str:
    """The test's own lines up to the one that failed, without its comparisons.

    If something else than the comparison failed there, what was to be compared is shown.
    """
    raised = not isinstance(excinfo.value, MistakeError)
    function = item.function
    entries = [e for e in excinfo.traceback if e.frame.code.raw is function.__code__]
    if not entries:
        return ""
    lines, first = inspect.getsourcelines(function)
    failed = entries[0].lineno + 1 - first + 1  # both counted from 1
    definition = ast.parse(textwrap.dedent("".join(lines))).body[0]
    assert isinstance(definition, ast.FunctionDef)
    shown = []
    for statement in definition.body:
        first_line = _first_line(statement)
        if first_line > failed:
            break
        if _compares(statement) and statement.end_lineno >= failed and raised:
            shown.append(f"\n{_compared(statement, entries[0].frame)}\n")
        elif not (_is_docstring(statement) or _compares(statement) or _explains(statement)):
            blank = shown and not lines[first_line - 2].strip()
            shown += (["\n"] if blank else []) + lines[first_line - 1 : statement.end_lineno]
    return textwrap.dedent("".join(shown)).rstrip()


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _compares(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func).startswith("grade.")


def _compared(statement: ast.stmt, frame) -> str:
    """What a comparison computes: its `what` if its first argument is a function, else that."""
    assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    call = statement.value
    if ast.unparse(call.func) in ("grade.vjps", "grade.gradients"):
        what = next(keyword.value for keyword in call.keywords if keyword.arg == "what")
        return str(frame.eval(ast.unparse(what)))
    return ast.unparse(call.args[0])


def _first_line(statement: ast.stmt) -> int:
    """Where a statement begins: with its decorators, if it has some."""
    decorators = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(d.lineno for d in decorators)])


def _explains(statement: ast.stmt) -> bool:
    """Whether it only names wrong values and their causes."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Dict | ast.JoinedStr) or (
        isinstance(value, ast.Constant) and isinstance(value.value, str)
    )
