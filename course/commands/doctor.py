"""Faults of the set-up and how to mend them; a line for all that is right."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement
from rich.console import Console
from rich.text import Text

from course import ROOT, files
from course.manifest import Stage, stages
from course.workspace import state, stubs
from course.workspace.folder import Workspace
from course.workspace.handing_out import handed_out, outdated
from course.workspace.imports import choose

OLDEST_PYTHON = (3, 11)
INSTALL = "type: make start (or: pip install -e .[course] -c constraints.txt)"

MAKE_WHOLE = "type: course start"

Finding = tuple[str, str]  # what was found, and how to mend it; "" if nothing is wrong


def examine(console: Console, workspace: Workspace | None) -> bool:
    """Print every finding; whether nothing is wrong."""
    healthy = True
    for found, mend in [*_python(), *_packages(), *_workspace(workspace)]:
        if mend:
            healthy = False
            console.print(Text.assemble(("wrong  ", "bold red"), found), soft_wrap=True)
            console.print(Text(f"       {mend}"), soft_wrap=True)
        else:
            console.print(Text.assemble(("ok     ", "green"), found), soft_wrap=True)
    return healthy


def _python() -> Iterator[Finding]:
    old = sys.version_info < OLDEST_PYTHON
    mend = "the course needs Python 3.11 or newer: install one, then type make start"
    yield f"Python {sys.version.split()[0]} at {sys.executable}", mend if old else ""
    if sys.prefix == sys.base_prefix:
        yield "no virtual environment", f"activate the course's: source {ROOT}/.venv/bin/activate"

    if "course.startup" not in sys.modules:
        yield "a program in your workspace runs on the reference, not on your code", INSTALL


def _packages() -> Iterator[Finding]:
    try:
        needed = [Requirement(line) for line in requires("glassbox-course") or []]
    except PackageNotFoundError:
        yield "the course is not installed in this Python", INSTALL
        return
    for need in needed:
        if need.marker is not None and not need.marker.evaluate({"extra": "course"}):
            continue
        try:
            have = version(need.name)
        except PackageNotFoundError:
            yield f"the package {need.name} is missing", INSTALL
            continue
        fits = need.specifier.contains(have, prereleases=True)
        yield f"{need.name} {have}", "" if fits else f"{need} is needed; {INSTALL}"


def _workspace(workspace: Workspace | None) -> Iterator[Finding]:
    if workspace is None:
        yield "there is no workspace", "type: course start"
        return
    yield f"workspace {workspace.root}", ""
    if not os.access(workspace.root, os.W_OK):
        yield "the workspace cannot be written", f"type: chmod -R u+w {workspace.root}"
    if shutil.disk_usage(workspace.root).free < 50_000_000:
        yield "the disk is nearly full", "free some space: results are saved after every run"
    try:
        _, aside = state.load(workspace.state_path)
    except OSError as error:
        yield (
            f"the state file cannot be read: {error.strerror}",
            f"move it away, then type course status: {workspace.state_path}",
        )
        return
    if aside is not None:
        yield f"the state file was damaged and is kept as {aside}", "type: course test"
    if outdated(workspace):
        yield "the course has changed since this workspace", "type: course upgrade"
    for stage in stages():
        yield from _stage(workspace, stage)
    for code in choose([], workspace).values():
        yield f"later stages import {code}", ""


def _stage(workspace: Workspace, stage: Stage) -> Iterator[Finding]:
    if not (workspace.root / stage.package).is_dir():
        yield f"{stage.package} is missing from the workspace", MAKE_WHOLE
        return
    broken = False
    if not (workspace.course / "pristine" / stage.package).is_dir():
        broken = True
        yield f"the stubs of {stage.package} as they were handed out are missing", MAKE_WHOLE
    if (ROOT / stage.notebook).is_file() and not (workspace.root / stage.notebook).is_file():
        broken = True
        yield f"{stage.notebook} is missing from the workspace", MAKE_WHOLE
    for file in [name for name in handed_out(ROOT / stage.package) if name.endswith(".py")]:
        path = workspace.root / stage.package / file
        owners = [e for e in stage.exercises if file in e.files]
        mend = _wrong_with(path, owners)
        if mend:
            broken = True
            yield f"{path}", mend
    if not broken:
        yield f"every file of {stage.package} is there and can be read", ""


def _wrong_with(path, owners) -> str:
    """How to mend a learner's file; "" if nothing is wrong with it."""
    put_back = (
        f"put it back: course reset {owners[0].id} --file"
        if owners
        else "put it back: course start"
    )
    if not path.is_file():
        return f"it is missing; {put_back}"
    try:
        found = stubs.functions(files.read(path))
    except SyntaxError as error:
        return f"it has a syntax error in line {error.lineno}: {error.msg}; mend that line"
    except UnicodeDecodeError:
        return "it is not UTF-8 text; save it as UTF-8"
    for exercise in owners:
        for name in exercise.functions_in(path.name):
            if name not in found:
                return (
                    f"the function {name} of exercise {exercise.id} is missing; "
                    f"put it back: course reset {exercise.id} --file"
                )
    return ""
