"""`course upgrade`: a new version of the course comes in beside what the learner wrote."""

from __future__ import annotations

import shutil

from filelock import FileLock
from rich.console import Console
from rich.text import Text

from course.workspace.folder import Workspace
from course.workspace.handing_out import (
    appear,
    copy,
    course_files,
    create,
    note_version,
    outdated,
    pristine_files,
)
from course.workspace.merging import Versions, renew, retire

BEFORE = "before-upgrade"  # the pristine files, as long as an upgrade is under way


def upgrade(console: Console, workspace: Workspace) -> None:
    """Bring every file up to date, and say what became of those that changed."""
    backups = workspace.backups("upgrade")
    with FileLock(workspace.course / "upgrade.lock", timeout=10):
        versions = Versions(before(workspace), dict(course_files()))
        told = [f"new     {name}" for name in create(workspace.root)]
        told += [renew(workspace, name, versions, backups) for name in versions.new]
        for name in pristine_files(workspace) - versions.new.keys():
            told.append(retire(workspace, name, backups))
        if outdated(workspace):
            note_version(workspace)
        shutil.rmtree(workspace.course / BEFORE)
    changes = [line for line in told if line]
    for line in changes or ["Your workspace is up to date."]:
        console.print(Text(line), soft_wrap=True)
    if backups.is_dir():
        console.print(f"What you had is in {backups}", soft_wrap=True)
    if changes:
        console.print("Grade again: course test")


def before(workspace: Workspace) -> dict[str, bytes]:
    """The course as it was handed out, also if an upgrade was interrupted since."""
    folder = workspace.course / BEFORE
    if not folder.is_dir():
        appear(folder, lambda hidden: copy(workspace.course / "pristine", hidden))
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
