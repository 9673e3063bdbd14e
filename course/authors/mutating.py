"""Mutants by machine: every operator at every place of what learners write.

A mutant is the reference's text with one node of its syntax tree exchanged. Those that the tests
of their own exercise cannot tell from the reference are listed with a reason in SURVIVORS, each
by its function, its operator and the text that changes, so that a row outlives a moved line.
"""

from __future__ import annotations

import ast
import math
import tempfile
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from course import ROOT, files
from course.authors.mutants import copy_reference
from course.authors.operators import replacements
from course.grader import outcomes, runner
from course.grader.outcomes import Outcome
from course.manifest import Exercise, Stage, find_stage
from course.workspace import stubs

SURVIVORS = ROOT / "tests/proof/mutants/survivors.toml"
TIMES, SECONDS = 3, 2  # the limit of a mutant: so many times the reference's seconds, and more
OPERATIONS = ast.BinOp | ast.UnaryOp | ast.BoolOp


@dataclass(frozen=True)
class Mutation:
    """A file of the reference with one mistake, made by an operator."""

    exercise: Exercise
    file: str
    function: str
    operator: str
    line: int
    old: tuple[str, ...]  # the lines that change
    new: tuple[str, ...]
    source: str  # of the whole file, with the mistake

    @property
    def key(self) -> tuple[str, str, str, str]:
        """The function, the operator and both texts: a row of the list of survivors."""
        name = f"{self.exercise.package}.{self.file.removesuffix('.py')}.{self.function}"
        return name, self.operator, squeezed(self.old), squeezed(self.new)

    @property
    def place(self) -> str:
        """file:line, from the root of the project."""
        return f"{self.exercise.package}/{self.file}:{self.line}"


def mutations(stage: Stage) -> list[Mutation]:
    """Every mutant of the functions of a stage, each text once."""
    found: dict[tuple[str, str], Mutation] = {}
    for exercise in stage.exercises:
        for file in exercise.files:
            source = files.read(ROOT / stage.package / file)
            known = stubs.functions(source)
            for name in exercise.functions_in(file):
                for mutation in _of_function(exercise, file, name, source, known[name]):
                    found.setdefault((file, mutation.source), mutation)
    return list(found.values())


def _of_function(
    exercise: Exercise, file: str, name: str, source: str, function: ast.AST
) -> Iterator[Mutation]:
    lines = source.split("\n")
    bound = set(operands(function))
    for operator, old, new in replacements(function):
        text = ast.unparse(new).replace("'", '"')
        (first, start), (last, end) = extent(old)
        before = lines[first - 1 : last]
        needs_brackets = old in bound and isinstance(new, OPERATIONS)
        after = splice(before, start, end, text, needs_brackets)
        whole = "\n".join([*lines[: first - 1], *after, *lines[last:]])
        yield Mutation(exercise, file, name, operator, first, tuple(before), tuple(after), whole)


def operands(function: ast.AST) -> Iterator[ast.AST]:
    """Every node whose text needs brackets if it becomes an operation."""
    for node in ast.walk(function):
        if isinstance(node, OPERATIONS):
            yield from ast.iter_child_nodes(node)
        elif isinstance(node, ast.Attribute | ast.Subscript):
            yield node.value


def extent(node: ast.AST) -> tuple[tuple[int, int], tuple[int, int]]:
    """Line and column where the text of a node begins, and where it ends."""
    assert isinstance(node, ast.stmt | ast.expr)
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def splice(lines: list[str], start: int, end: int, text: str, brackets: bool) -> list[str]:
    """Lines with another text between two columns, counted in bytes as `ast` does."""
    head = lines[0].encode()[:start].decode()
    tail = lines[-1].encode()[end:].decode()
    if brackets and not (head.endswith("(") and tail.startswith(")")):
        text = f"({text})"
    return f"{head}{text}{tail}".split("\n")


def squeezed(lines: tuple[str, ...]) -> str:
    """Lines as one, with single spaces."""
    return " ".join(" ".join(lines).split())


def plant(mutation: Mutation, folder: Path) -> None:
    """Write the package with the mistake into `folder`."""
    package = copy_reference(find_stage(mutation.exercise.package), folder)
    files.write(package / mutation.file, mutation.source)


def state(mutation: Mutation, exercise: Exercise | None = None) -> str:
    """The state that its own exercise, or another, gives a mutant; one that `passed` survives."""
    return outcome(mutation, exercise).state


def outcome(mutation: Mutation, exercise: Exercise | None = None) -> Outcome:
    """The outcome for a learner with this mistake, in its own exercise or in another."""
    judge = exercise or mutation.exercise
    with tempfile.TemporaryDirectory(prefix="course-mutant-") as folder:
        plant(mutation, Path(folder))
        (found,) = runner.grade([replace(judge, seconds=seconds(judge))], code=folder)
        return found


def found_elsewhere(mutation: Mutation, stage: Stage) -> str:
    """The first other exercise of the stage that finds a mutant; "" if none does."""
    others = [e for e in stage.exercises if e != mutation.exercise]
    with tempfile.TemporaryDirectory(prefix="course-mutant-") as folder:
        plant(mutation, Path(folder))
        found = runner.grade(others, code=folder)
    return next((f.exercise for f in found if f.state != outcomes.PASSED), "")


@cache
def seconds(exercise: Exercise) -> int:
    """The limit of the mutants of an exercise, by what the reference takes."""
    began = time.monotonic()
    runner.grade([exercise], code="reference")
    return math.ceil(TIMES * (time.monotonic() - began) + SECONDS)


def survivors() -> dict[tuple[str, str, str, str], str]:
    """The reason of every survivor that is listed."""
    rows = tomllib.loads(files.read(SURVIVORS)).get("survivor", [])
    return {
        (row["function"], row["operator"], row["old"], row["new"]): row["reason"] for row in rows
    }
