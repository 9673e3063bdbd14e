"""The lines of a graded test that led to its failure, as the learner is shown them."""

from __future__ import annotations

import ast
import inspect
import textwrap

from course.grader.comparison_error import ComparisonError


def statements_before(item, excinfo) -> str:
    """The test's own lines up to the one that failed, without its comparisons.

    If something else than the comparison failed there, what was to be compared is shown.
    """
    raised = not isinstance(excinfo.value, ComparisonError)
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
    """The computation that a comparison judges: its `what`, where that is given, else its first."""
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
    """True if it only names wrong values and their causes."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Dict | ast.JoinedStr) or (
        isinstance(value, ast.Constant) and isinstance(value.value, str)
    )
