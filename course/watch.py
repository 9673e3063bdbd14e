"""The exercise at hand, graded again at every save."""

from __future__ import annotations

import watchfiles
from rich.console import Console

from course import lessons, render
from course.manifest import Exercise, stages
from course.workspace import Workspace

DEBOUNCE_MILLISECONDS = 200
POLL_MILLISECONDS = 500


def watch(console: Console, workspace: Workspace, exercise: Exercise | None, poll: bool) -> None:
    """Grade now and after every save, until Ctrl-C. Without an exercise: the next one, always."""
    changes = watchfiles.watch(
        *(workspace.root / stage.package for stage in stages()),
        watch_filter=watchfiles.PythonFilter(),
        debounce=DEBOUNCE_MILLISECONDS,
        rust_timeout=DEBOUNCE_MILLISECONDS,
        yield_on_timeout=False,
        force_polling=True if poll else None,
        poll_delay_ms=POLL_MILLISECONDS,
        raise_interrupt=False,
    )
    current = _grade(console, workspace, exercise)
    for _ in changes:
        current = _grade(console, workspace, exercise or current)
    console.print("Stopped watching.")


def _grade(console: Console, workspace: Workspace, exercise: Exercise | None) -> Exercise | None:
    """Grade one exercise; return the one to watch from now on."""
    exercise = exercise or lessons.next_exercise(workspace)
    if exercise is None:
        console.print("Every exercise has passed.")
        return None
    console.rule(f"{exercise.id} {exercise.title}")
    stage = next(s for s in stages() if s.package == exercise.package)
    render.results(console, stage, lessons.grade(workspace, stage, [exercise]))
    console.print("Watching for the next save; Ctrl-C stops.", style="dim")
    return None if workspace.state().passed(exercise.id) else exercise
