"""`course reset`: an exercise is a stub again; what was written there is kept as a backup."""

from __future__ import annotations

from rich.console import Console

from course import UsageError, files
from course.manifest import Exercise, stages
from course.workspace.folder import Workspace, readable, state, stubs


def reset(console: Console, workspace: Workspace, exercise: Exercise, whole: bool) -> None:
    """Put the functions of an exercise (or its whole files) back, after a backup of the files.

    Raises:    UsageError: if a file cannot be read as Python, and `whole` is not set.
    """
    new: dict[str, str] = {}
    for file in exercise.files:
        pristine = files.read(workspace.pristine(exercise, file))
        path = workspace.path(exercise, file)
        new[file] = pristine if whole or not path.exists() else readable(path, exercise)
        found = stubs.functions(new[file])
        for name in exercise.functions_in(file):
            if name not in found:
                raise UsageError(
                    f"reset: expected a function {name} in {file}, got none; "
                    f"put back the whole file: course reset {exercise.id} --file"
                )
            new[file] = stubs.replace(new[file], name, stubs.extract(pristine, name))
    for file, source in new.items():
        path = workspace.path(exercise, file)
        if path.exists():
            console.print(f"Kept your {file} as {workspace.backup(exercise, file)}", soft_wrap=True)
        files.write(path, source)
    stage = next(s for s in stages() if s.package == exercise.package)
    gone = [e for e in stage.exercises if e == exercise or (whole and set(e.files) & set(new))]
    with state.change(workspace.state_path) as known:
        for e in gone:
            known.results.pop(e.id, None)
            known.failures.pop(e.id, None)
    for e in gone:
        console.print(f"{e.id} {e.title} is a stub again.")
