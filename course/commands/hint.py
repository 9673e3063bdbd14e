"""`course hint`: three hints an exercise, from the idea to near-code."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.manifest import Exercise
from course.workspace import state
from course.workspace.folder import Workspace


def show_hint(console: Console, workspace: Workspace, exercise: Exercise) -> None:
    """The hints seen so far and one more; the level is remembered, no points are lost."""
    with state.change(workspace.state_path) as known:
        level = min(known.hints.get(exercise.id, 0) + 1, len(exercise.hints))
        known.hints[exercise.id] = level
    console.print(Text(f"{exercise.id} {exercise.title}", "bold"))
    shown = Table.grid(padding=(0, 1))
    for i, text in enumerate(exercise.hints[:level], 1):
        shown.add_row(f"  {i}.", Text(text.rstrip()))
    console.print(shown)
    left = len(exercise.hints) - level
    if left:
        console.print(f"  {left} more: course hint {exercise.id}", style="dim")
    else:
        console.print("  That was the last one.", style="dim")
