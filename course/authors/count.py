"""How long the stages are, and how much of them refuses: `python -m course.authors.count`.

A line of code is one that is neither blank nor a comment nor part of a docstring. The folder `more`
of a stage is not counted, since no exercise needs it. Refusals are counted in the files that
learners write: a `raise` with the `if` or the `except` that guards it, a
statement that calls a `check_...`, and a function of which two thirds are such lines.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from course import ROOT
from course.manifest import Stage, stages

# Lines of code that a stage may have: what it had on 2026-12-01, and five in a hundred more. Stages
# 3 to 5 were given more for files that carry a checksum, stage 2 for NumPy's functions on a Tensor,
# all of them for refusing what a fuzz came with, and 2, 4 and 5 for a training step at the speed of
# PyTorch: what is one node, what its edges share, and a batch in parts.
BUDGET = {1: 1435, 2: 1775, 3: 1090, 4: 1325, 5: 1720}
UNCOUNTED = "more"  # the folder of a stage that holds wider forms of its operations
LARGEST_SHARE = 0.15  # of refusals
MOST_CALLS = 5  # of Python functions, for `a + 1.0`

CALLS = """
import sys
from stage2_tensor import Tensor

def note(frame, event, argument):
    if event == "call":
        called.append(frame.f_code.co_name)

a, called = Tensor([1.0, 2.0], requires_grad=True), []
sys.setprofile(note)
a + 1.0
sys.setprofile(None)
print(*called)
"""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Count:
    """The lines of code of a stage, and of the files of it that learners write."""

    stage: Stage
    lines: int
    written: int  # by learners
    refusing: int  # of those

    @property
    def share(self) -> float:
        """The share of refusals in what learners write."""
        return self.refusing / self.written


def count(stage: Stage) -> Count:
    """The lines of a stage of the reference."""
    package = ROOT / stage.package
    written = {package / file for exercise in stage.exercises for file in exercise.files}
    code = {path: lines_of_code(read(path)) for path in counted(package)}
    refusing = sum(len(code[path] & lines_that_refuse(read(path))) for path in written)
    return Count(
        stage,
        sum(map(len, code.values())),
        sum(len(code[path]) for path in written),
        refusing,
    )


def counted(package: Path) -> list[Path]:
    """The files of a stage that its budget is for."""
    files = sorted(package.rglob("*.py"))
    return [path for path in files if path.relative_to(package).parts[0] != UNCOUNTED]


def read(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")


def lines_of_code(source: str) -> set[int]:
    """The numbers of the lines that hold code."""
    told = set()
    for node in ast.walk(ast.parse(source)):
        documented = isinstance(node, ast.Module | ast.ClassDef | Function)
        if documented and ast.get_docstring(node) is not None:
            told |= lines_of(node.body[0])
    lines = enumerate(source.split("\n"), start=1)
    return {n for n, text in lines if text.strip() and text.strip()[0] != "#"} - told


def lines_that_refuse(source: str) -> set[int]:
    """The numbers of the lines that check what came, and raise."""
    nodes = list(ast.walk(ast.parse(source)))
    found = set()
    for node in nodes:
        if isinstance(node, ast.If | ast.ExceptHandler) and refuses(node.body):
            found |= set(range(node.lineno, last_line(node.body[-1]) + 1))
        elif isinstance(node, ast.Raise) or calls_a_check(node):
            found |= lines_of(node)
    code = lines_of_code(source)
    for node in nodes:
        if isinstance(node, Function):
            body = lines_of(node).intersection(code) - set(range(node.lineno, first_line(node)))
            if 3 * len(found & body) >= 2 * len(body):
                found |= lines_of(node)
    return found


def refuses(body: list[ast.stmt]) -> bool:
    """True if statements end in a `raise`, and do nothing before but put its words together."""
    return isinstance(body[-1], ast.Raise) and all(
        isinstance(statement, ast.Assign | ast.If) for statement in body[:-1]
    )


def calls_a_check(node: ast.AST) -> TypeGuard[ast.Expr]:
    """True for a statement such as `check_axis("sum", shape, axis)`."""
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return False
    return ast.unparse(node.value.func).split(".")[-1].startswith("check_")


def lines_of(node: ast.stmt) -> set[int]:
    """The numbers of the lines of a statement."""
    return set(range(node.lineno, last_line(node) + 1))


def first_line(function: Function) -> int:
    """The number of the first line below its signature and its docstring."""
    told = ast.get_docstring(function) is not None and len(function.body) > 1
    return function.body[told].lineno


def last_line(node: ast.stmt) -> int:
    """The number of its last line, which everything that was parsed has."""
    assert node.end_lineno is not None
    return node.end_lineno


def calls_of_a_sum() -> list[str]:
    """The Python functions that `a + 1.0` calls, for a Tensor of the reference."""
    command = [sys.executable, "-c", CALLS]
    return subprocess.check_output(command, cwd=ROOT, text=True).split()


def report() -> Iterator[str]:
    """The counts as lines of a table."""
    yield f"{'stage':<20}  {'lines':>5}  {'budget':>6}  {'refusals':>8}"
    for stage in stages():
        c = count(stage)
        yield f"{stage.package:<20}  {c.lines:>5}  {BUDGET[stage.number]:>6}  {c.share:>8.1%}"
    called = calls_of_a_sum()
    yield f"a + 1.0 calls {len(called)} functions: {', '.join(called)}"


if __name__ == "__main__":
    print(*report(), sep="\n")
