"""Handing out the course: what a workspace holds when `course start` has just made it."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from filelock import FileLock

from course import HERE, ROOT, UsageError, files
from course.manifest import Exercise, Stage, stages
from course.workspace import editor, stubs
from course.workspace.folder import Workspace, is_workspace


def create(root: Path) -> list[str]:
    """Make the workspace at `root`, or add what is missing there; return what was added.

    Nothing that exists is touched. Each folder and notebook appears whole or not at all, so a
    second `create` completes one that was interrupted; of several at once, one waits for the other.

    Raises:    UsageError: if `root` is a file, or a folder that holds something else.
    """
    root = root.resolve()
    fresh = not root.exists() or (root.is_dir() and not any(root.iterdir()))
    if not fresh and not is_workspace(root) and not (root / ".course").is_dir():
        raise UsageError(
            f"start: expected a new or empty folder, got {root}; name another: course start FOLDER"
        )
    if root == ROOT or HERE in (root, *root.parents):
        raise UsageError(f"start: expected a folder of its own, got {root}; try course start")
    workspace = Workspace(root)
    (workspace.course / "backups").mkdir(parents=True, exist_ok=True)
    with FileLock(workspace.course / "start.lock", timeout=60):
        if not (workspace.course / "pristine").is_dir():
            note_version(
                workspace
            )  # first: what is interrupted may be completed by another version
        added = [name for stage in stages() for name in _add(workspace, stage)]
        editor.set_up(workspace)
    return added


def _add(workspace: Workspace, stage: Stage) -> list[str]:
    """Add what is missing of a stage: its package, its tests, its notebook."""
    added = []
    for name, contents in (
        (stage.package, package_files),
        (f"tests/{stage.package}", test_files),
    ):
        pristine, mine = workspace.course / "pristine" / name, workspace.root / name
        if not pristine.is_dir():
            appear(pristine, lambda folder, contents=contents: _write(contents(stage), folder))
        if not mine.exists():
            appear(mine, lambda folder, pristine=pristine: copy(pristine, folder))
            added.append(name)
        missing = [file for file in handed_out(pristine) if not (mine / file).exists()]
        for file in missing:
            files.write(mine / file, (pristine / file).read_bytes())
            added.append(f"{name}/{file}")
    notebook = workspace.root / stage.notebook
    if not notebook.exists() and (handed := unrun_notebook(stage)):
        files.write(workspace.course / "pristine" / stage.notebook, handed)
        files.write(notebook, handed)
        added.append(stage.notebook)
    return added


def stub_source(stage: Stage, file: str, only: Exercise | None = None) -> str:
    """A file of the reference with its exercises, or only one of them, left to write."""
    exercises = [only] if only else stage.exercises
    unfinished = {name: e.unfinished for e in exercises for name in e.functions_in(file)}
    return stubs.stub(files.read(ROOT / stage.package / file), unfinished)


def without_outputs(notebook: str) -> str:
    """A notebook as it is before its first run: what the cells print is for the reader to find."""
    table = json.loads(notebook)
    for cell in table["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def course_files() -> Iterator[tuple[str, bytes]]:
    """The files that the course hands out now, by their place in a workspace."""
    for stage in stages():
        for file, new in package_files(stage):
            yield f"{stage.package}/{file}", new
        for file, new in test_files(stage):
            yield f"tests/{stage.package}/{file}", new
        if notebook := unrun_notebook(stage):
            yield stage.notebook, notebook.encode()


def pristine_files(workspace: Workspace) -> set[str]:
    """The files that were handed out to a workspace, by their place in it."""
    pristine = workspace.course / "pristine"
    return {p.relative_to(pristine).as_posix() for p in pristine.rglob("*") if p.is_file()}


def package_files(stage: Stage) -> Iterator[tuple[str, bytes]]:
    """Those of its package, by their place in it: code with the exercises left to write."""
    package = ROOT / stage.package
    for file in handed_out(package):
        code = file.endswith(".py")
        yield file, stub_source(stage, file).encode() if code else (package / file).read_bytes()


def test_files(stage: Stage) -> Iterator[tuple[str, bytes]]:
    """Its graded tests: to be read, and for the test panel of an editor."""
    folder = ROOT / "tests" / stage.package
    for file in handed_out(folder):
        yield file, (folder / file).read_bytes()


def unrun_notebook(stage: Stage) -> str:
    """The notebook of a stage before its first run; empty if there is none."""
    path = ROOT / stage.notebook
    return without_outputs(files.read(path)) if path.exists() else ""


def handed_out(package: Path) -> list[str]:
    """The files of a package that a learner gets, in its folders too: code, text and weights."""
    suffixes = (".py", ".md", ".safetensors")
    return sorted(
        p.relative_to(package).as_posix() for p in package.rglob("*") if p.suffix in suffixes
    )


def note_version(workspace: Workspace) -> None:
    """Remember which version of the course the workspace is up to date with."""
    files.write(workspace.course / "version", version() + "\n")


def outdated(workspace: Workspace) -> bool:
    """True if the course has changed since the workspace was handed out or upgraded."""
    try:
        return files.read(workspace.course / "version").strip() != version()
    except (OSError, UnicodeDecodeError):
        return True


def version() -> str:
    """A short hash of all that is handed out, as it stands in the course."""
    read = hashlib.sha256()
    for stage in stages():
        for folder in (ROOT / stage.package, ROOT / "tests" / stage.package):
            for file in handed_out(folder):
                read.update(file.encode() + (folder / file).read_bytes())
        for path in (ROOT / stage.notebook, ROOT / stage.package / "exercises.toml"):
            read.update(path.read_bytes() if path.is_file() else b"")
    return read.hexdigest()[:16]


def _write(contents: Iterable[tuple[str, bytes]], folder: Path) -> None:
    for file, new in contents:
        files.write(folder / file, new)


def copy(source: Path, target: Path) -> None:
    """Write every handed-out file of one folder into another."""
    for file in handed_out(source):
        files.write(target / file, (source / file).read_bytes())


def appear(target: Path, fill) -> None:
    """Fill a folder out of sight, then put it in place in one step."""
    target.parent.mkdir(parents=True, exist_ok=True)
    hidden = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        fill(hidden)
        hidden.chmod(0o755)
        hidden.rename(target)
    finally:
        shutil.rmtree(hidden, ignore_errors=True)
