"""Three versions of a file put together: as handed out, as the learner has it, as it is now.

Where only the course changed a file, the learner gets the new one. Where both did, the changes are
put together, and a backup is kept. What does not go together stays as it is, and the new version
is laid aside.
"""

from __future__ import annotations

import ast
import json
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from course import files
from course.workspace import stubs
from course.workspace.folder import Workspace
from course.workspace.mending import mend
from course.workspace.renaming import carry_new_names


@dataclass(frozen=True)
class Versions:
    """The course as a workspace knows it, and as it is now, by the places of its files."""

    old: Mapping[str, bytes]
    new: Mapping[str, bytes]

    def code(self) -> tuple[dict[str, str], dict[str, str]]:
        """The text of the Python files of both."""
        old, new = (
            {n: text.decode() for n, text in files.items() if n.endswith(".py")}
            for files in (self.old, self.new)
        )
        return old, new


def renew(workspace: Workspace, name: str, versions: Versions, backups: Path) -> str:
    """Bring one file up to date; what became of it, in a line, or nothing if nothing changed."""
    new = versions.new[name]
    mine, pristine = workspace.root / name, workspace.course / "pristine" / name
    old, own = content(pristine), content(mine)
    if new == old:
        return ""
    told = ""
    if own is None or same(name, own, old):
        files.write(mine, new)
        told = f"new     {name}"
    elif not same(name, own, new):
        together = merged(name, own, versions)
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


def retire(workspace: Workspace, name: str, backups: Path) -> str:
    """Take away a file that the course no longer has, unless the learner changed it."""
    mine, pristine = workspace.root / name, workspace.course / "pristine" / name
    own = content(mine)
    told = ""
    if own is not None and same(name, own, content(pristine)):
        files.write(backups / name, own)
        mine.unlink()
        told = f"gone    {name}: the course no longer has it"
    elif own is not None:
        told = f"kept    {name}: the course no longer has it, but you changed it"
    pristine.unlink(missing_ok=True)
    return told


def content(path: Path) -> bytes | None:
    """The bytes of a file; None if there is none."""
    return path.read_bytes() if path.is_file() else None


def same(name: str, a: bytes, b: bytes | None) -> bool:
    """True if two versions say the same: line ends do not count, nor what a notebook printed."""
    if b is None or a == b:
        return a == b
    try:
        return cells(a) == cells(b) if name.endswith(".ipynb") else unix(a) == unix(b)
    except (ValueError, KeyError, TypeError):  # no notebook any more
        return False


def cells(notebook: bytes) -> list[tuple[str, str]]:
    """The kind and the text of every cell of a notebook."""
    return [(c["cell_type"], "".join(c["source"])) for c in json.loads(notebook)["cells"]]


def unix(text: bytes) -> bytes:
    """The same with line ends as Unix has them."""
    return text.replace(b"\r\n", b"\n")


def merged(name: str, own: bytes, versions: Versions) -> bytes | None:
    """The learner's changes and the course's in one file; None if they do not go together."""
    if not name.endswith(".py"):
        return None
    handed_out = versions.old.get(name, b"")
    try:
        texts = [unix(text).decode("utf-8-sig") for text in (own, handed_out, versions.new[name])]
        three = carry_new_names(*texts)
        together = line_by_line(*three) or function_by_function(*three)
        if together is not None:
            together = mend(name, together, *versions.code())
    except (SyntaxError, ValueError):  # a version that is no Python, or no text
        return None
    if together is None:
        return None
    return together.replace("\n", "\r\n" if b"\r\n" in own else "\n").encode()


def line_by_line(own: str, old: str, new: str, *options: str) -> str | None:
    """The merge that `git merge-file` makes; None if lines that meet were changed on both sides.

    Raises:    SyntaxError: if Python cannot read the result.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / version for version in ("own", "old", "new")]
        for path, text in zip(paths, (own, old, new)):
            path.write_bytes(text.encode())
        command = ["git", "merge-file", "-p", *options, *paths]
        try:
            done = subprocess.run(command, capture_output=True)
        except FileNotFoundError:  # there is no git here
            return None
    if done.returncode:
        return None
    ast.parse(done.stdout)
    return done.stdout.decode()


def function_by_function(own: str, old: str, new: str) -> str | None:
    """The new version with the learner's functions; None if what is between them does not fit.

    Where lines between functions meet, those of both sides stay.

    Raises:    SyntaxError: if Python cannot read a version.
    """
    written = {}
    for name in stubs.functions(own).keys() & stubs.functions(old).keys():
        text = stubs.extract(own, name)
        if name in stubs.functions(new):
            if text != stubs.extract(old, name):
                written[name] = text
            given = stubs.extract(new, name)
            own, old = stubs.replace(own, name, given), stubs.replace(old, name, given)
    together = new if own == old else line_by_line(own, old, new, "--union")
    if together is None:
        return None
    for name, text in written.items():
        together = stubs.replace(together, name, text)
    return together
