"""`course reset`: an exercise is a stub again; what was written there is kept as a backup."""

from __future__ import annotations

from rich.console import Console

from course import UsageError, files
from course.manifest import Exercise, Stage, stages
from course.workspace import state, stubs
from course.workspace.folder import Workspace, readable


def reset(console: Console, workspace: Workspace, asked: Stage | Exercise, whole: bool) -> None:
    """Put the functions of an exercise or a stage back, or its whole files, after a backup.

    Raises:    UsageError: if a file cannot be read as Python, and `whole` is not set.
    """
    stage = next(s for s in stages() if asked == s or asked in s.exercises)
    exercises = [e for e in stage.exercises if asked in (e, stage)]
    names = dict.fromkeys(file for e in exercises for file in e.files)
    new = {file: _put_back(workspace, exercises, file, whole) for file in names}
    backups = workspace.backups(str(stage.number) if asked == stage else exercises[0].id)
    for file, source in new.items():
        path = workspace.root / stage.package / file
        if path.exists():
            files.write(backups / file, path.read_bytes())
            console.print(f"Kept your {file} as {backups / file}", soft_wrap=True)
        files.write(path, source)
    gone = [e for e in stage.exercises if e in exercises or (whole and set(e.files) & set(new))]
    with state.change(workspace.state_path) as known:
        for e in gone:
            known.results.pop(e.id, None)
            known.failures.pop(e.id, None)
    for e in gone:
        console.print(f"{e.id} {e.title} is a stub again.")


def _put_back(workspace: Workspace, exercises: list[Exercise], file: str, whole: bool) -> str:
    """A file with the functions of these exercises as they were handed out."""
    owners = [e for e in exercises if file in e.files]
    pristine = files.read(workspace.pristine(owners[0], file))
    path = workspace.path(owners[0], file)
    if whole or not path.exists():
        return pristine
    source = readable(path, owners[0])
    found = stubs.functions(source)
    for exercise in owners:
        for name in exercise.functions_in(file):
            if name not in found:
                raise UsageError(
                    f"reset: expected a function {name} in {file}, got none; "
                    f"put back the whole file: course reset {exercise.id} --file"
                )
            source = stubs.replace(source, name, stubs.extract(pristine, name))
    return source
