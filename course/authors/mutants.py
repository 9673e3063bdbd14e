"""Packages that differ from the reference: with a mistake in them, or of another design.

The proof of the grade is made of both: every mistake must be found, and no design, be it of a
stage or of a single exercise, may be refused.
"""

from __future__ import annotations

import shutil
import textwrap
from dataclasses import dataclass
from pathlib import Path

from course import ROOT, files
from course.manifest import Stage
from course.workspace import stubs


@dataclass(frozen=True)
class Edit:
    """A piece of text of the reference, and what stands in its place."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Mutant:
    """The reference with one mistake, and the exercise whose tests must find it."""

    name: str  # begins with the row of the list of mistakes, if it stands there
    exercise: str
    edits: tuple[Edit, ...]
    cause: str = ""  # words that the feedback must contain, where the wrong value is tell-tale
    state: str = "wrong"


@dataclass(frozen=True)
class Variety:
    """One exercise of the reference, written otherwise and rightly."""

    exercise: str
    name: str
    file: str
    code: str  # its functions; methods stand below the name of their class


def mutant(name: str, exercise: str, file: str, old: str, new: str, cause: str = "", **more):
    """A mutant with a single edit."""
    return Mutant(name, exercise, (Edit(file, old, new),), cause, **more)


def in_file(file: str):
    """A function that makes mutants of one file: exercise, name, old text, new text, cause."""

    def make(exercise: str, name: str, old: str, new: str, cause: str = "", state: str = "wrong"):
        return mutant(name, exercise, file, old, new, cause, state=state)

    return make


def copy_reference(stage: Stage, folder: Path) -> Path:
    """Copy the reference of a stage into `folder`; return the copied package."""
    package = folder / stage.package
    shutil.copytree(ROOT / stage.package, package, ignore=shutil.ignore_patterns("__pycache__"))
    return package


def make_mutant(stage: Stage, mutant: Mutant, folder: Path) -> None:
    """Write the package with the mistake into `folder`.

    Raises:    ValueError: if the text to replace is not in the reference exactly once.
    """
    package = copy_reference(stage, folder)
    for edit in mutant.edits:
        source = files.read(package / edit.file)
        if source.count(edit.old) != 1:
            raise ValueError(
                f"mutant {mutant.name}: expected its old text in {edit.file} once, got "
                f"{source.count(edit.old)} times; bring it up to date with the reference"
            )
        files.write(package / edit.file, source.replace(edit.old, edit.new))


def make_alternative(stage: Stage, source: Path, folder: Path) -> None:
    """Write the reference with the files of another design laid over it into `folder`."""
    package = copy_reference(stage, folder)
    for path in source.rglob("*.py"):
        shutil.copy(path, package / path.relative_to(source))


def make_variety(stage: Stage, variety: Variety, folder: Path) -> None:
    """Write the package with the functions of the variety in place of the reference's.

    Raises:    KeyError: if the reference has no function of that name.
    """
    path = copy_reference(stage, folder) / variety.file
    source, code = files.read(path), textwrap.dedent(variety.code)
    for name in stubs.functions(code):
        source = stubs.replace(source, name, stubs.extract(code, name))
    files.write(path, source)
