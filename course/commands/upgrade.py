"""`course upgrade`: a new version of the course comes in beside what the learner wrote."""

from __future__ import annotations

from filelock import FileLock
from rich.console import Console
from rich.text import Text

from course.workspace.folder import Workspace
from course.workspace.handing_out import (
    course_files,
    create,
    note_version,
    outdated,
    pristine_files,
)
from course.workspace.merging import renew, retire


def upgrade(console: Console, workspace: Workspace) -> None:
    """Bring every file up to date, and say what became of those that changed."""
    backups = workspace.backups("upgrade")
    with FileLock(workspace.course / "upgrade.lock", timeout=10):
        told = [f"new     {name}" for name in create(workspace.root)]
        current = dict(course_files())
        for name, new in current.items():
            told.append(renew(workspace, name, new, backups))
        for name in pristine_files(workspace) - current.keys():
            told.append(retire(workspace, name, backups))
        if outdated(workspace):
            note_version(workspace)
    changes = [line for line in told if line]
    for line in changes or ["Your workspace is up to date."]:
        console.print(Text(line), soft_wrap=True)
    if backups.is_dir():
        console.print(f"What you had is in {backups}", soft_wrap=True)
    if changes:
        console.print("Grade again: course test")
