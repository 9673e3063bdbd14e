"""A new version of the course, brought into a workspace beside what the learner wrote.

There are three versions of a file: as it was handed out, as the learner has it, and as the course
has it now. Where only the course changed a file, the learner gets the new one. Where both did, the
changes are put together, and a backup is kept. What does not go together stays as it is, and the
new version is laid aside.
"""

from __future__ import annotations

import ast
import json
import subprocess
import tempfile
from pathlib import Path

from filelock import FileLock
from rich.console import Console
from rich.text import Text

from course import files
from course.manifest import stages
from course.workspace import stubs
from course.workspace.folder import Workspace
from course.workspace.handing_out import course_files, create


def upgrade(console: Console, workspace: Workspace) -> None:
    """Bring every file up to date, and say what became of those that changed."""
    backups = workspace.backups("upgrade")
    with FileLock(workspace.course / "upgrade.lock", timeout=10):
        told = [f"new     {name}" for name in create(workspace.root)]
        for stage in stages():
            for name, new in course_files(stage):
                told.append(renew(workspace, name, new, backups))
    changes = [line for line in told if line]
    for line in changes or ["Your workspace is up to date."]:
        console.print(Text(line), soft_wrap=True)
    if backups.is_dir():
        console.print(f"What you had is in {backups}", soft_wrap=True)
    if changes:
        console.print("Grade again: course test")


def outdated(workspace: Workspace) -> bool:
    """Whether the course has changed since it was handed out."""
    pristine = workspace.course / "pristine"
    return any(
        content(pristine / name) != new for stage in stages() for name, new in course_files(stage)
    )


def renew(workspace: Workspace, name: str, new: bytes, backups: Path) -> str:
    """Bring one file up to date; what became of it, in a line, or nothing if nothing changed."""
    mine, pristine = workspace.root / name, workspace.course / "pristine" / name
    old, own = content(pristine), content(mine)
    if new == old:
        return ""
    told = ""
    if own is None or same(name, own, old):
        files.write(mine, new)
        told = f"new     {name}"
    elif not same(name, own, new):
        together = merged(name, own, old or b"", new)
        if together is None:
            aside = workspace.course / "new" / name
            files.write(aside, new)
            told = f"kept    {name}: you changed it too; the new version is {aside}"
        elif together != own:
            files.write(backups / name, own)
            files.write(mine, together)
            told = f"merged  {name}"
    files.write(pristine, new)  # last: if this is interrupted, it begins again
    return told


def content(path: Path) -> bytes | None:
    """What a file holds; None if there is none."""
    return path.read_bytes() if path.is_file() else None


def same(name: str, a: bytes, b: bytes | None) -> bool:
    """Whether two versions say the same: line ends do not count, nor what a notebook printed."""
    if b is None or a == b:
        return a == b
    try:
        return cells(a) == cells(b) if name.endswith(".ipynb") else unix(a) == unix(b)
    except (ValueError, KeyError, TypeError):  # no notebook any more
        return False


def cells(notebook: bytes) -> list[tuple[str, str]]:
    """What the cells of a notebook are and say."""
    return [(c["cell_type"], "".join(c["source"])) for c in json.loads(notebook)["cells"]]


def unix(text: bytes) -> bytes:
    """The same with line ends as Unix has them."""
    return text.replace(b"\r\n", b"\n")


def merged(name: str, own: bytes, old: bytes, new: bytes) -> bytes | None:
    """The changes from `old` to `own` and to `new` in one file; None if they do not go together."""
    if not name.endswith(".py"):
        return None
    try:
        versions = [text.decode("utf-8-sig").replace("\r\n", "\n") for text in (own, old, new)]
        together = line_by_line(*versions) or function_by_function(*versions)
    except (SyntaxError, ValueError):  # a version that is no Python, or no text
        return None
    if together is None:
        return None
    return together.replace("\n", "\r\n" if b"\r\n" in own else "\n").encode()


def line_by_line(own: str, old: str, new: str) -> str | None:
    """What `git merge-file` makes of it; None if lines that meet were changed on both sides.

    Raises:    SyntaxError: if Python cannot read the result.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / version for version in ("own", "old", "new")]
        for path, text in zip(paths, (own, old, new)):
            path.write_bytes(text.encode())
        try:
            done = subprocess.run(["git", "merge-file", "-p", *paths], capture_output=True)
        except FileNotFoundError:  # there is no git here
            return None
    if done.returncode:
        return None
    ast.parse(done.stdout)
    return done.stdout.decode()


def function_by_function(own: str, old: str, new: str) -> str | None:
    """The new version with the learner's functions; None if they changed more than functions.

    Raises:    SyntaxError: if Python cannot read a version.
    """
    known = stubs.functions(old).keys() & stubs.functions(new).keys()
    for name in stubs.functions(own).keys() & known:
        written = stubs.extract(own, name)
        own = stubs.replace(own, name, stubs.extract(old, name))
        new = stubs.replace(new, name, written)
    return new if own == old else None
