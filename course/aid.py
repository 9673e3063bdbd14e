"""Help with an exercise: hints, the reference's way, and a fresh start."""

from __future__ import annotations

import difflib
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from course import ROOT, UsageError, files, render, state, stubs
from course.manifest import Exercise, stages
from course.workspace import Workspace


def show_hint(console: Console, workspace: Workspace, exercise: Exercise) -> None:
    """The hints seen so far and one more; the level is remembered, no points are lost."""
    with state.change(workspace.state_path) as known:
        level = min(known.hints.get(exercise.id, 0) + 1, len(exercise.hints))
        known.hints[exercise.id] = level
    console.print(Text(f"{exercise.id} {exercise.title}", "bold"))
    shown = Table.grid(padding=(0, 1))
    for i, text in enumerate(exercise.hints[:level], 1):
        shown.add_row(f"  {i}.", Text(text))
    console.print(shown)
    left = len(exercise.hints) - level
    if left:
        console.print(f"  {left} more: course hint {exercise.id}", style="dim")
    else:
        console.print("  That was the last one.", style="dim")


def show_solution(
    console: Console, workspace: Workspace, exercise: Exercise, give_up: bool
) -> None:
    """The functions of the reference, for who has passed or gives up."""
    _may_see("solution", workspace, exercise, give_up)
    for file in exercise.files:
        source = files.read(ROOT / exercise.package / file)
        console.print(Text(f"{exercise.package}/{file}", "dim"))
        for name in exercise.functions_in(file):
            render.print_code(console, stubs.extract(source, name), "python")
            console.print()


def show_diff(console: Console, workspace: Workspace, exercise: Exercise, give_up: bool) -> None:
    """Each function as the learner wrote it against the reference's."""
    _may_see("diff", workspace, exercise, give_up)
    for file in exercise.files:
        theirs = files.read(ROOT / exercise.package / file)
        path = workspace.path(exercise, file)
        mine = _readable(path, exercise)
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
            render.print_code(console, text, "diff")


def reset(console: Console, workspace: Workspace, exercise: Exercise, whole: bool) -> None:
    """Put the functions of an exercise (or its whole files) back, after a backup of the files.

    Raises:    UsageError: if a file cannot be read as Python, and `whole` is not set.
    """
    new: dict[str, str] = {}
    for file in exercise.files:
        pristine = files.read(workspace.pristine(exercise, file))
        path = workspace.path(exercise, file)
        new[file] = pristine if whole or not path.exists() else _readable(path, exercise)
        found = stubs.functions(new[file])
        for name in exercise.functions_in(file):
            if name not in found:
                raise UsageError(
                    f"reset: expected a function {name} in {file}, got none; "
                    f"put back the whole file: course reset {exercise.id} --file"
                )
            new[file] = stubs.replace(new[file], name, stubs.extract(pristine, name))
    for file, source in new.items():
        path = workspace.path(exercise, file)
        if path.exists():
            console.print(f"Kept your {file} as {workspace.backup(exercise, file)}", soft_wrap=True)
        files.write(path, source)
    stage = next(s for s in stages() if s.package == exercise.package)
    gone = [e for e in stage.exercises if e == exercise or (whole and set(e.files) & set(new))]
    with state.change(workspace.state_path) as known:
        for e in gone:
            known.results.pop(e.id, None)
            known.failures.pop(e.id, None)
    for e in gone:
        console.print(f"{e.id} {e.title} is a stub again.")


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


def _readable(path: Path, exercise: Exercise) -> str:
    """The text of a learner's file, if Python can read it.

    Raises:    UsageError: if it cannot.
    """
    put_back = f"put back the whole file (a backup is kept): course reset {exercise.id} --file"
    try:
        source = files.read(path)
        stubs.functions(source)
    except FileNotFoundError:
        raise UsageError(f"{path.name}: expected a file, got none; {put_back}") from None
    except UnicodeDecodeError:
        raise UsageError(
            f"{path.name}: expected UTF-8 text, got other bytes; save it as UTF-8, or {put_back}"
        ) from None
    except SyntaxError as error:
        raise UsageError(
            f"{path.name}: expected Python, got a syntax error in line {error.lineno}; mend that "
            f"line, or {put_back}"
        ) from error
    return source
