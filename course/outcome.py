"""What one graded test says about its exercise: a state, and the words that explain it."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from course.grade import MistakeError
from course.manifest import Exercise

PASSED, NOT_STARTED, BLOCKED = "passed", "not started", "blocked"
WRONG, ERROR, TIMEOUT, CRASH = "wrong", "error", "timeout", "crash"

NO_TEST = "No test of this exercise ran. This is a fault of the course; please report it."

ON_WARNING = (
    "\nNumPy warns, and the tests count that as an error: what follows would be infinite or NaN."
)
ON_RECURSION = (
    "\nA function calls itself too often: once per node, or for ever. "
    "A loop with a list as stack does not."
)
ON_OPERATOR = (
    "\nAn operator calls itself without end: with a number on the left, `other + self` asks "
    "__radd__ again. Make the number a node first, or write `self + other`."
)
ON_NUMBER = (
    "\nAn operand may be a plain number: as_value(other), or a.operand(b), makes a node of it."
)
ON_IMPORT = "\nThe course expects this name in that file, and other files use it: put it back."
NO_NODE = re.compile(r"'(int|float)' object has no attribute '(data|shape)'")

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


def of_exception(error: BaseException, package: str) -> tuple[str, str]:
    """An exception in a few lines, and the place in the learner's code where it came from."""
    if isinstance(error, SyntaxError):
        where = f"{error.filename}:{error.lineno}" if error.filename else ""
        line = (error.text or "").strip()
        text = f"Python cannot read this line: {error.msg}\n  {line}".rstrip()
        return f"{text}\n{_advice(error)}", where
    where, frame = "", ""
    traceback = error.__traceback__
    while traceback is not None:
        path = Path(traceback.tb_frame.f_code.co_filename)
        if package in path.parts and "tests" not in path.parts[-3:]:
            where = f"{path}:{traceback.tb_lineno}"
            name = traceback.tb_frame.f_code.co_name
            frame = f"\n  in {name}: {_line(path, traceback.tb_lineno)}"
        traceback = traceback.tb_next
    return f"{type(error).__name__}: {error}{frame}{_advice_on(error, frame)}", where


def _advice_on(error: BaseException, frame: str) -> str:
    """What most often is behind an exception, on a line of its own."""
    if isinstance(error, Warning):
        return ON_WARNING
    if isinstance(error, RecursionError):
        return ON_OPERATOR if frame.startswith("\n  in __") else ON_RECURSION
    if isinstance(error, AttributeError) and NO_NODE.search(str(error)):
        return ON_NUMBER
    if isinstance(error, ImportError) and error.name:
        return ON_IMPORT
    return ""


def _advice(error: SyntaxError) -> str:
    """What most often is behind a line that Python cannot read."""
    if isinstance(error, IndentationError):
        return "The spaces at its beginning must line up with those of the lines around it."
    if "unicode" in error.msg or "null bytes" in error.msg:
        return "The file is not UTF-8 text: let your editor save it as UTF-8."
    return "Often a bracket or a colon is missing here or in the line above."


def in_words(test: str) -> str:
    """`test_a_plus_a[case]` as `a plus a [case]`."""
    return test.removeprefix("test_").replace("_", " ").replace("[", " [")


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
        if statement.lineno > failed:
            break
        if _compares(statement) and statement.end_lineno >= failed and raised:
            shown.append(f"\n{_first_argument(statement)}\n")
        elif not (_is_docstring(statement) or _compares(statement) or _explains(statement)):
            blank = shown and not lines[statement.lineno - 2].strip()
            shown += (["\n"] if blank else []) + lines[statement.lineno - 1 : statement.end_lineno]
    return textwrap.dedent("".join(shown)).rstrip()


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _compares(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func).startswith("grade.")


def _first_argument(statement: ast.stmt) -> str:
    assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    return ast.unparse(statement.value.args[0])


def _explains(statement: ast.stmt) -> bool:
    """Whether it only names wrong values and their causes."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Dict | ast.JoinedStr) or (
        isinstance(value, ast.Constant) and isinstance(value.value, str)
    )


def _line(path: Path, number: int) -> str:
    try:
        return path.read_text(encoding="utf-8").split("\n")[number - 1].strip()
    except (OSError, UnicodeDecodeError, IndexError):
        return "?"
