"""The exercise at hand, graded again at every save."""

from __future__ import annotations

import logging

import watchfiles
from rich.console import Console

from course import UsageError
from course.commands.next_exercise import next_exercise
from course.commands.test import grade
from course.manifest import Exercise, stages
from course.workspace.folder import Workspace

DEBOUNCE_MILLISECONDS = 200
POLL_MILLISECONDS = 500


def watch(
    console: Console,
    workspace: Workspace,
    exercise: Exercise | None,
    poll: bool = False,
    traceback: str = "auto",
) -> None:
    """Grade now and after every save, until Ctrl-C. Without an exercise: the next one, always."""
    folders = [workspace.root / stage.package for stage in stages()]
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"watch: expected a folder {folder}, got none; type: course start")
    changes = watchfiles.watch(
        *folders,
        watch_filter=watchfiles.PythonFilter(),
        debounce=DEBOUNCE_MILLISECONDS,
        rust_timeout=DEBOUNCE_MILLISECONDS,
        yield_on_timeout=True,
        force_polling=True if poll else None,
        poll_delay_ms=POLL_MILLISECONDS,
        raise_interrupt=False,
    )
    logging.getLogger("watchfiles").setLevel(logging.ERROR)  # it reports Ctrl-C in its own words
    next(changes)  # it watches from now on, so a save during the first grading is not missed
    current = _grade(console, workspace, exercise, traceback)
    for saved in changes:
        if saved:
            current = _grade(console, workspace, exercise or current, traceback)
    console.print("Stopped watching.")


def _grade(
    console: Console, workspace: Workspace, exercise: Exercise | None, traceback: str
) -> Exercise | None:
    """Grade one exercise; return the one to watch from now on."""
    exercise = exercise or next_exercise(workspace)
    if exercise is None:
        console.print("Every exercise has passed.")
        return None
    console.rule(f"{exercise.id} {exercise.title}")
    stage = next(s for s in stages() if s.package == exercise.package)
    grade(workspace, stage, [exercise], console, traceback)
    console.print("Watching for the next save; Ctrl-C stops.", style="dim")
    return None if workspace.state().passed(exercise.id) else exercise
