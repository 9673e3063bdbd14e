"""`course solution` and `course diff`: the reference's way, once the learner's own passes."""

from __future__ import annotations

import difflib

from rich.console import Console
from rich.text import Text

from course import ROOT, UsageError, files
from course.grader import rendering
from course.manifest import Exercise
from course.workspace import state, stubs
from course.workspace.folder import Workspace, readable


def show_solution(
    console: Console, workspace: Workspace, exercise: Exercise, give_up: bool
) -> None:
    """The functions of the reference, for who has passed or gives up."""
    _may_see("solution", workspace, exercise, give_up)
    for file in exercise.files:
        source = files.read(ROOT / exercise.package / file)
        console.print(Text(f"{exercise.package}/{file}", "dim"))
        for name in exercise.functions_in(file):
            rendering.print_code(console, stubs.extract(source, name), "python")
            console.print()


def show_diff(console: Console, workspace: Workspace, exercise: Exercise, give_up: bool) -> None:
    """Each function as the learner wrote it against the reference's."""
    _may_see("diff", workspace, exercise, give_up)
    for file in exercise.files:
        theirs = files.read(ROOT / exercise.package / file)
        path = workspace.path(exercise, file)
        mine = readable(path, exercise)
        for name in exercise.functions_in(file):
            own = stubs.extract(mine, name) if name in stubs.functions(mine) else ""
            lines = difflib.unified_diff(
                own.replace("\r", "").split("\n"),
                stubs.extract(theirs, name).split("\n"),
                f"yours: {name}",
                "the reference's",
                lineterm="",
            )
            text = "\n".join(lines) or f"{name}: the same, line by line"
            rendering.print_code(console, text, "diff")


def _may_see(command: str, workspace: Workspace, exercise: Exercise, give_up: bool) -> None:
    known = workspace.state()
    if known.passed(exercise.id) or exercise.id in known.given_up:
        return
    if not give_up:
        raise UsageError(
            f"{command}: expected {exercise.id} to have passed, got "
            f"{known.results.get(exercise.id, {}).get('state', 'no result')!r}; "
            f"try course hint {exercise.id}, or add --give-up"
        )
    with state.change(workspace.state_path) as changed:
        changed.given_up.append(exercise.id)
