"""Handing out the course: what a workspace holds when `course start` has just made it."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from course import ROOT, UsageError, files
from course.manifest import Exercise, Stage, stages
from course.workspace.folder import Workspace, stubs


def create(root: Path) -> list[str]:
    """Make the workspace at `root`, or add what is missing there; return what was added.

    Nothing that exists is touched. Each package and notebook appears whole or not at all, so a
    second `create` completes one that was interrupted.

    Raises:    UsageError: if `root` is a file, or a folder that holds something else.
    """
    if root.is_file() or (
        root.is_dir() and any(root.iterdir()) and not (root / ".course").is_dir()
    ):
        raise UsageError(
            f"start: expected a new or empty folder, got {root}; name another: course start FOLDER"
        )
    if root.resolve() == ROOT or ROOT / "course" in [root.resolve(), *root.resolve().parents]:
        raise UsageError(f"start: expected a folder of its own, got {root}; try course start")
    workspace = Workspace(root.resolve())
    (workspace.course / "backups").mkdir(parents=True, exist_ok=True)
    added = []
    for stage in stages():
        pristine = workspace.course / "pristine" / stage.package
        if not pristine.is_dir():
            _appear(pristine, lambda folder, stage=stage: _write_stubs(stage, folder))
        package = workspace.root / stage.package
        if not package.exists():
            _appear(package, lambda folder, pristine=pristine: _copy(pristine, folder))
            added.append(stage.package)
        added += _add_missing_files(pristine, package)
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


def course_files(stage: Stage) -> Iterator[tuple[str, bytes]]:
    """The files of a stage as the course hands them out now, by their place in a workspace."""
    for file, new in package_files(stage):
        yield f"{stage.package}/{file}", new
    if notebook := unrun_notebook(stage):
        yield stage.notebook, notebook.encode()


def package_files(stage: Stage) -> Iterator[tuple[str, bytes]]:
    """Those of its package, by their place in it: code with the exercises left to write."""
    package = ROOT / stage.package
    for file in handed_out(package):
        code = file.endswith(".py")
        yield file, stub_source(stage, file).encode() if code else (package / file).read_bytes()


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


def _write_stubs(stage: Stage, folder: Path) -> None:
    for file, new in package_files(stage):
        files.write(folder / file, new)


def _add_missing_files(pristine: Path, package: Path) -> list[str]:
    """Put back the files of a package that were deleted; return their names."""
    missing = [file for file in handed_out(pristine) if not (package / file).exists()]
    for file in missing:
        files.write(package / file, (pristine / file).read_bytes())
    return [f"{package.name}/{file}" for file in missing]


def _copy(pristine: Path, folder: Path) -> None:
    for file in handed_out(pristine):
        files.write(folder / file, (pristine / file).read_bytes())


def _appear(target: Path, fill) -> None:
    """Fill a folder out of sight, then put it in place in one step."""
    target.parent.mkdir(parents=True, exist_ok=True)
    hidden = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        fill(hidden)
        hidden.chmod(0o755)
        hidden.rename(target)
    finally:
        shutil.rmtree(hidden, ignore_errors=True)
