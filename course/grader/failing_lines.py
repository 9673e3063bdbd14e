"""The lines of a graded test that led to its failure, as a script that can be pasted and run."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any, TypeGuard

from course.grader.comparison_error import ComparisonError

LONGEST = 40  # lines; helpers that would make it longer are named only
BY_SLOPE = ("grade.vjps", "grade.gradients")  # these say in words what they compare
EVERYWHERE = "import tempfile\nfrom pathlib import Path\nimport numpy as np\nimport pytest\n"
FIXTURES = {"tmp_path": "Path(tempfile.mkdtemp())", "monkeypatch": "pytest.MonkeyPatch()"}


def script_before(item, excinfo) -> str:
    """The test's own lines up to the one that failed; what they compare is printed.

    In front of them stands what they use: imports, helpers of the test file, and the values of the
    parameters. What was to be compared is shown last, if that is more than a name.
    """
    entries = [e for e in excinfo.traceback if e.frame.code.raw is item.function.__code__]
    if not entries:
        return ""
    raised = not isinstance(excinfo.value, ComparisonError)
    failed = entries[0].lineno + 1  # pytest counts from 0
    return script(item, failed, entries[0].frame, raised)


def script(item, failed: int, frame=None, raised: bool = False) -> str:
    """The lines of a test up to the one with this number, where `frame` stands.

    There either a comparison failed, or it `raised` something else.
    """
    body = _statements(item.function, failed, frame, raised)
    if not body:
        return ""
    lines = _parameters(item, body) + body
    imports, helpers = _needed(inspect.getmodule(item.function), lines)
    return "\n\n".join(part for part in ("\n".join(imports), *helpers, lines) if part)


def lines_of_statement(test, line: int) -> tuple[int, int]:
    """The first and the last line of the statement of a test that this line belongs to."""
    definition, offset = _definition(test.function)
    for statement in definition.body:
        first, last = _first_line(statement) + offset, (statement.end_lineno or 0) + offset
        if first <= line <= last:
            return first, last
    return line, line


def _definition(function: Callable) -> tuple[ast.FunctionDef, int]:
    """The syntax of a function, and how far its lines are from those of its file."""
    lines, first = inspect.getsourcelines(function)
    definition = ast.parse(textwrap.dedent("".join(lines))).body[0]
    assert isinstance(definition, ast.FunctionDef)
    return definition, first - 1


def _statements(function: Callable, failed: int, frame, raised: bool) -> str:
    """The statements up to the failing one, apart from words that only explain it."""
    lines, _ = inspect.getsourcelines(function)
    definition, offset = _definition(function)
    shown: list[tuple[ast.stmt, str]] = []
    for statement in definition.body:
        first = _first_line(statement)
        if first > failed - offset:
            break
        blank = "\n" if shown and not lines[first - 2].strip() else ""
        if _compares(statement):
            here = frame is not None and (statement.end_lineno or 0) >= failed - offset
            if here and (raised or _computes(statement)):
                shown.append((statement, f"\n{_compared(statement, frame)}\n"))
        elif not _is_docstring(statement):
            text = textwrap.dedent("".join(_without_comparisons(lines, statement)))
            shown.append((statement, blank + text))
    used = _names("".join(text for statement, text in shown if not _explains(statement)))
    kept = [text for node, text in shown if not _explains(node) or _assigned(node) & used]
    return "".join(kept).strip("\n")


def _without_comparisons(lines: list[str], outer: ast.stmt) -> list[str]:
    """The lines of a statement; a comparison inside it becomes a print of what it judges."""
    text = lines[: outer.end_lineno]
    for node in ast.walk(outer):
        if not isinstance(node, ast.stmt) or node is outer:
            continue
        if _compares(node):
            _put(text, [node], _printed(node))
        elif _explains(node):
            _put(text, [node], "")
    for node in ast.walk(outer):
        for block in (getattr(node, name, []) for name in ("body", "orelse", "finalbody")):
            empty = isinstance(block, list) and block and all(map(_explains, block))
            if empty and not _explains(node):
                _put(text, block, "pass")
    return text[_first_line(outer) - 1 :]


def _put(text: list[str], block: list[ast.stmt], line: str) -> None:
    """Put one line, or none, in the place of some statements."""
    first, last = block[0].lineno - 1, block[-1].end_lineno or 0
    indent = " " * block[0].col_offset
    text[first:last] = [f"{indent}{line}\n" if line else "", *[""] * (last - first - 1)]


def _parameters(item, body: str) -> str:
    """A line for each parameter of the test that the lines use and that can be written down."""
    given = getattr(getattr(item, "callspec", None), "params", {})
    shown = [f"{name} = {_written(given[name])}" for name in given if name in _names(body)]
    shown += [f"{name} = {text}" for name, text in FIXTURES.items() if name in _names(body)]
    return "".join(f"{line}\n" for line in shown if "<" not in line and len(line) < 100)


def _written(x: Any) -> str:
    """A value as one would type it."""
    if inspect.isclass(x) or inspect.isfunction(x):
        return f"np.{x.__name__}" if x.__module__ == "numpy" else x.__name__
    text = f"np.array({x.tolist()!r})" if type(x).__name__ == "ndarray" else repr(x)
    return re.sub(r"(?<![\w.'\"])(nan|inf)\b", r'float("\1")', text)


def _needed(module, code: str) -> tuple[list[str], list[str]]:
    """The imports and the helpers of a test file that some lines use."""
    source = inspect.getsource(module)
    lines = source.splitlines(keepends=True)
    used, helpers = _names(code), []
    statements = ast.parse(EVERYWHERE + source).body
    ast.increment_lineno(ast.Module(statements, []), -EVERYWHERE.count("\n"))
    for statement in reversed(statements):  # a helper may use one above it
        name = _assigned(statement) | {getattr(statement, "name", "")}
        if used & name and not isinstance(statement, ast.Import | ast.ImportFrom):
            text = "".join(_without_comparisons(lines, statement))
            used |= _names(text)
            helpers.insert(0, text.rstrip())
    imports = []
    for statement in statements:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            names = [n for n in statement.names if (n.asname or n.name).split(".")[0] in used]
            statement.names = names
            imports += [ast.unparse(statement)] if names else []
    room = LONGEST - code.count("\n")
    for i, text in enumerate(helpers):
        room -= text.count("\n") + 2
        if room < 0 and text.count("\n") > 1:
            helpers[i] = f"# {text.split('(')[0].split()[-1]}: see {module.__name__}.py"
    return list(dict.fromkeys(imports)), helpers


def _names(code: str) -> set[str]:
    """Every name that some code mentions."""
    return {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}


def _assigned(statement: ast.stmt) -> set[str]:
    """The names that an assignment sets, if it is one."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _compares(statement: ast.stmt) -> TypeGuard[ast.Expr]:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func).startswith("grade.")


def _computes(statement: ast.Expr) -> bool:
    """True if what a comparison is given first is more than the name of a result."""
    assert isinstance(statement.value, ast.Call)
    by_slope = ast.unparse(statement.value.func) in BY_SLOPE
    return not by_slope and any(isinstance(n, ast.Call) for n in ast.walk(statement.value.args[0]))


def _compared(statement: ast.Expr, frame) -> str:
    """The computation that a comparison judges."""
    assert isinstance(statement.value, ast.Call)
    judged = ast.unparse(_judged(statement.value))
    by_slope = ast.unparse(statement.value.func) in BY_SLOPE
    return f"# {frame.eval(judged)}" if by_slope else judged


def _printed(statement: ast.Expr) -> str:
    """A line that shows what a comparison inside a loop or a block judges."""
    assert isinstance(statement.value, ast.Call)
    return f"print({ast.unparse(_judged(statement.value))})"


def _judged(call: ast.Call) -> ast.expr:
    """The first argument of a comparison; if that is a call to be made, the call itself."""
    first = call.args[0]
    if ast.unparse(call.func) in BY_SLOPE:
        return next(keyword.value for keyword in call.keywords if keyword.arg == "what")
    return first.body if isinstance(first, ast.Lambda) and not first.args.args else first


def _first_line(statement: ast.stmt) -> int:
    """Where a statement begins: with its decorators, if it has some."""
    decorators = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(d.lineno for d in decorators)])


def _explains(statement: ast.AST) -> bool:
    """True if it only names wrong values and their causes, or chooses among them."""
    if isinstance(statement, ast.If | ast.For):
        return all(map(_explains, [*statement.body, *statement.orelse]))
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Dict | ast.JoinedStr) or (
        isinstance(value, ast.Constant) and isinstance(value.value, str)
    )
