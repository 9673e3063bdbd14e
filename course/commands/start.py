"""`course start`: make the workspace, or add what is missing to it."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from course.commands.next_exercise import show_next
from course.workspace import folder
from course.workspace.folder import Workspace
from course.workspace.handing_out import create, outdated


def start(console: Console, asked: Path | None) -> None:
    """Make the workspace at `asked`, else where one is or would be; then show what to write."""
    existing = folder.find() if asked is None else None
    root = existing.root if existing else (asked or folder.place())
    added = create(root)
    mine = Workspace(root.resolve())
    folder.remember(mine)
    if added:
        console.print(f"Added to {mine.root}: {', '.join(added)}", soft_wrap=True)
    else:
        console.print(
            f"Your workspace {mine.root} is there already: nothing changed.", soft_wrap=True
        )
    if outdated(mine):
        console.print("The course has changed since: course upgrade brings it in.")
    console.print()
    show_next(console, mine)
