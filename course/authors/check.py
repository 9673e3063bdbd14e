"""The author's proof that the manifest, the stubs and the graded tests belong together."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.console import Console

from course import ROOT, files
from course.authors.mutants import copy_reference
from course.grader import outcomes, runner
from course.manifest import Exercise, Stage, stages
from course.workspace import handing_out, stubs


def check(console: Console, asked: Stage | None) -> bool:
    """Print every fault found; whether there is none."""
    os.environ["GLASSBOX_SHIPPED_COUNTS"] = "1"  # a copy of the reference has no other run
    listed = [_printed(console, stage, [*_manifest(stage)]) for stage in stages()]
    if any(listed):  # a workspace has the stubs of every stage, so every list must be right
        return False
    faults = []
    for stage in [asked] if asked else stages():
        found = [*_reference(stage)] or [*_all_stubs(stage), *_one_stub_at_a_time(stage)]
        faults += _printed(console, stage, found)
        if not found:
            n = len(stage.exercises)
            console.print(
                f"{stage.package}: {n} exercises, {stage.points} points and {stage.bonus} bonus; "
                f"the reference passes, {n} stubs fail, each fails only what needs it",
                soft_wrap=True,
            )
    return not faults


def _printed(console: Console, stage: Stage, faults: list[str]) -> list[str]:
    """The faults, which the reader has seen by then."""
    for fault in faults:
        console.print(f"{stage.package}: {fault}", style="red", soft_wrap=True)
    return faults


def _manifest(stage: Stage) -> Iterator[str]:
    """Faults of the list itself."""
    if stage.points != 100:
        yield f"expected 100 points without the bonus, got {stage.points}"
    notebook = ROOT / stage.notebook
    text = files.read(notebook) if notebook.exists() else ""
    earlier: set[str] = set()
    owners: dict[str, str] = {}
    for e in stage.exercises:
        if len(e.hints) != 3:
            yield f"{e.id}: expected three hints, got {len(e.hints)}"
        if not 1 <= e.difficulty <= 5:
            yield f"{e.id}: expected a difficulty of 1 to 5, got {e.difficulty}"
        if not re.search(rf'"#+ {re.escape(e.section)}\b', text):
            yield f"{e.id}: expected a heading {e.section} in {stage.notebook}, got none"
        for needed in set(e.prerequisites) - earlier:
            yield f"{e.id}: expected its prerequisites to come before it, got {needed}"
        earlier.add(e.id)
        for file in e.files:
            source = ROOT / stage.package / file
            known = stubs.functions(files.read(source)) if source.exists() else {}
            for name in e.functions_in(file):
                if name not in known:
                    yield f"{e.id}: expected a function {name} in {file}, got none"
        for name in e.functions:
            if name in owners:
                yield f"{e.id}: {name} belongs to {owners[name]} already"
            owners[name] = e.id


def _reference(stage: Stage) -> Iterator[str]:
    """Exercises that the reference does not pass, or that no test grades."""
    for found in runner.grade(stage.exercises, code="reference"):
        if found.state != outcomes.PASSED:
            yield f"{found.exercise}: the reference is {found.label}. {found.test} {found.text}"


def _all_stubs(stage: Stage) -> Iterator[str]:
    """Exercises that are anything but `not started` in a fresh workspace."""
    with tempfile.TemporaryDirectory(prefix="course-check-") as folder:
        fresh = Path(folder, "workspace")
        handing_out.create(fresh)
        for found in runner.grade(stage.exercises, code=fresh):
            if found.state != outcomes.NOT_STARTED:
                yield f"{found.exercise}: expected a stub to be not started, got {found.label}"


def _one_stub_at_a_time(stage: Stage) -> Iterator[str]:
    """Exercises that fail although they do not need the one that is missing."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for faults in pool.map(lambda e: list(_without(stage, e)), stage.exercises):
            yield from faults


def _without(stage: Stage, missing: Exercise) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="course-check-") as folder:
        package = copy_reference(stage, Path(folder))
        for file in missing.files:
            files.write(package / file, handing_out.stub_source(stage, file, only=missing))
        for found in runner.grade(stage.exercises, code=folder):
            if found.exercise == missing.id:
                if found.state != outcomes.NOT_STARTED:
                    yield f"{missing.id}: expected its stub to be not started, got {found.label}"
            elif found.state != outcomes.PASSED and missing.id not in needs(stage, found.exercise):
                yield (
                    f"{found.exercise}: it is {found.label} without {missing.id}, which is not "
                    f"among its prerequisites. {found.test}"
                )


def needs(stage: Stage, exercise: str) -> set[str]:
    """Every exercise that this one needs, directly or through another."""
    by_id = {e.id: e for e in stage.exercises}
    needed: set[str] = set()
    left = [exercise]
    while left:
        e = by_id[left.pop()]
        left += [p for p in (*e.prerequisites, *e.reference_uses) if p not in needed]
        needed.update((*e.prerequisites, *e.reference_uses))
    return needed
