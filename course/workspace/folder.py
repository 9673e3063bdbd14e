"""The learner's folder: the same packages as the reference, with the exercises left to write.

workspace/stage1_autodiff/          the learner's code
workspace/tests/stage1_autodiff/    copies of the graded tests, to read and for an editor
workspace/notebooks/                their copies of the notebooks
workspace/.course/pristine/         the stubs and notebooks as they were handed out
workspace/.course/backups/          what `reset` and `upgrade` replaced
workspace/.course/state.json        results, hints, choices
workspace/.course/version           which version of the course was handed out
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from platformdirs import user_config_path

from course import INSTALLED, ROOT, UsageError, files
from course.manifest import Exercise, Stage, stages
from course.workspace import state, stubs

# Where `course start` makes a workspace, and the file that holds the path of one made elsewhere.
if INSTALLED:
    DEFAULT = Path("workspace")
    ELSEWHERE = user_config_path("glassbox-course") / "workspace"
else:
    DEFAULT = ROOT / "workspace"
    ELSEWHERE = ROOT / ".workspace"


@dataclass(frozen=True)
class Workspace:
    """A folder that `course start` made."""

    root: Path

    @property
    def course(self) -> Path:
        """The folder of everything that is not the learner's own."""
        return self.root / ".course"

    @property
    def state_path(self) -> Path:
        """Where the state is kept."""
        return self.course / "state.json"

    def state(self) -> state.State:
        """The saved state of the learner, for reading."""
        return state.load(self.state_path)[0]

    def path(self, exercise: Exercise, file: str) -> Path:
        """Where the learner writes this file of the exercise."""
        return self.root / exercise.package / file

    def pristine(self, exercise: Exercise, file: str) -> Path:
        """The same file as it was handed out."""
        return self.course / "pristine" / exercise.package / file

    def fingerprint(self, exercise: Exercise) -> str:
        """A short hash of the learner's functions, which tells whether they changed."""
        text = []
        for file in exercise.files:
            try:
                source = files.read(self.path(exercise, file))
                text += [stubs.extract(source, name) for name in exercise.functions_in(file)]
            except (OSError, SyntaxError, KeyError, UnicodeDecodeError):
                text.append("unreadable")
        return hashlib.sha256("\n".join(text).replace("\r", "").encode()).hexdigest()[:16]

    def complete(self, stage: Stage) -> bool:
        """True if every exercise of the stage, the bonus aside, passed when last graded."""
        known = self.state()
        return all(known.passed(e.id) for e in stage.exercises if not e.bonus)

    def backups(self, what: str) -> Path:
        """A new dated folder for the learner's files, before `what` replaces them."""
        return self.course / "backups" / f"{datetime.now():%Y%m%d-%H%M%S-%f}-{what}"


def untouched(exercise: Exercise, folder: Path) -> bool:
    """True if all functions of the exercise are stubs, in the package that `folder` holds."""
    return len(unwritten(exercise, folder)) == len(exercise.functions)


def unwritten(exercise: Exercise, folder: Path) -> list[str]:
    """The functions of the exercise that are stubs, in the package that `folder` holds."""
    left = []
    for file in exercise.files:
        try:
            found = stubs.functions(files.read(folder / exercise.package / file))
        except (OSError, SyntaxError, UnicodeDecodeError):
            continue
        names = exercise.functions_in(file)
        left += [name for name in names if name in found and stubs.is_stub(found[name])]
    return left


def around(start: Path) -> Workspace | None:
    """The workspace that `start` lies in, if it lies in one."""
    here = start.resolve()
    return next(
        (Workspace(folder) for folder in (here, *here.parents) if is_workspace(folder)), None
    )


def is_workspace(folder: Path) -> bool:
    """True if `course start` made this folder, even if its dotted folder was left behind since.

    A checkout of the course has the packages too; what tells it apart is the course beside them.
    """
    if (folder / ".course" / "pristine").is_dir():
        return True
    packages = any((folder / stage.package / "__init__.py").is_file() for stage in stages())
    return packages and folder != ROOT and not (folder / "course").is_dir()


def find(start: Path | None = None) -> Workspace | None:
    """The workspace around `start` (the working directory), else the one that is remembered."""
    if found := around(start or Path.cwd()):
        return found
    root = place()
    return Workspace(root.resolve()) if is_workspace(root) else None


def place() -> Path:
    """Where the workspace is, or would be made: as GLASSBOX_WORKSPACE says, else as remembered."""
    named = os.environ.get("GLASSBOX_WORKSPACE")
    if named:
        return Path(named)
    if ELSEWHERE.is_file():
        remembered = Path(files.read(ELSEWHERE).strip())
        if is_workspace(remembered):  # else it was moved or deleted
            return remembered
    return DEFAULT


def remember(workspace: Workspace) -> None:
    """Let commands that run in the checkout find a workspace that lies somewhere else."""
    if workspace.root != DEFAULT:
        files.write(ELSEWHERE, f"{workspace.root}\n")
    else:
        ELSEWHERE.unlink(missing_ok=True)


def readable(path: Path, exercise: Exercise) -> str:
    """The text of a learner's file, if Python can read it.

    Raises:    UsageError: if it cannot.
    """
    put_back = f"put back the whole file (a backup is kept): course reset {exercise.id} --file"
    try:
        source = files.read(path)
        stubs.functions(source)
    except FileNotFoundError:
        raise UsageError(f"{path.name}: expected a file, got none; {put_back}") from None
    except UnicodeDecodeError:
        raise UsageError(
            f"{path.name}: expected UTF-8 text, got other bytes; save it as UTF-8, or {put_back}"
        ) from None
    except SyntaxError as error:
        raise UsageError(
            f"{path.name}: expected Python, got a syntax error in line {error.lineno}; mend that "
            f"line, or {put_back}"
        ) from error
    return source
