"""`course next`: the exercise to write now, and where to read about it."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from course import files
from course.manifest import Exercise, Stage, stages
from course.workspace import stubs
from course.workspace.folder import Workspace


def next_exercise(workspace: Workspace, after: Stage | Exercise | None = None) -> Exercise | None:
    """The first exercise that has not passed; those of the bonus wait for the others.

    After a stage or one of its exercises, the stages from that one on come before those it skipped.
    """
    known = workspace.state()
    left = [e for stage in stages() for e in stage.exercises if not known.passed(e.id)]
    package = getattr(after, "package", "")
    return min(left, key=lambda e: (e.bonus, e.package < package), default=None)


def show_next(
    console: Console, workspace: Workspace, after: Stage | Exercise | None = None
) -> None:
    """The next exercise: what to write, where, and what to read first."""
    exercise = next_exercise(workspace, after)
    if exercise is None:
        console.print("Every exercise has passed. The rest of the course is yours to read.")
        return
    bonus = ", a bonus" if exercise.bonus else ""
    console.print(Text.assemble("Next: ", (f"{exercise.id} {exercise.title}", "bold"), bonus))
    console.print(
        f"  difficulty {exercise.difficulty} of 5, about {exercise.minutes} minutes, "
        f"{exercise.points} points",
        soft_wrap=True,
    )
    for file in exercise.files:
        for name in exercise.functions_in(file):
            path = workspace.path(exercise, file)
            console.print(f"  write  {path}{line_of(path, name)}  {name}", soft_wrap=True)
    read = f"notebooks/{exercise.package}.ipynb, section {exercise.section}"
    console.print(f"  read   {read}", soft_wrap=True)
    console.print(f"  then   course test {exercise.id}")


def line_of(path: Path, name: str) -> str:
    try:
        return f":{stubs.functions(files.read(path))[name].lineno}"
    except (OSError, SyntaxError, KeyError, UnicodeDecodeError):
        return ""
