"""The way through the exercises: what is next, how it went, what is left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from course import files, outcome, render, runner, state, stubs
from course.finder import choose
from course.manifest import Exercise, Stage, stages
from course.outcome import Outcome
from course.workspace import Workspace, untouched

FAILURES_BEFORE_A_WORD_ABOUT_HINTS = 3


def test(console: Console, workspace: Workspace, asked: Stage | Exercise | None) -> bool:
    """Grade, show and remember; whether everything asked for passed, the bonus aside."""
    complete = True
    for stage in stages():
        if asked is None or asked == stage:
            exercises: Sequence[Exercise] = stage.exercises
        elif asked in stage.exercises:
            exercises = [e for e in stage.exercises if e == asked]
        else:
            continue
        line = Text(f"grading {stage.package}: yours ({workspace.root})", "dim")
        console.print(line, soft_wrap=True)
        for below in what_it_is_built_on(workspace, stage):
            console.print(Text(below, "dim"), soft_wrap=True)
        console.print()
        found = grade(workspace, stage, exercises, console)
        passed = {o.exercise for o in found if o.state == outcome.PASSED}
        required = [e for e in exercises if not e.bonus or e == asked]
        complete &= all(e.id in passed for e in required)
        _suggest_a_hint(console, workspace, stage, found)
    if complete:
        console.print()
        show_next(console, workspace)
    return complete


def grade(
    workspace: Workspace,
    stage: Stage,
    exercises: Sequence[Exercise],
    console: Console | None = None,
) -> list[Outcome]:
    """Grade some exercises of the workspace, show how it went, and remember it."""
    code = {e.id: workspace.fingerprint(e) for e in exercises}
    found = runner.grade(exercises, workspace)
    if console is not None:  # before it is saved: a full disk must not hide the result
        render.results(console, stage, found)
    now = datetime.now().isoformat(timespec="seconds")
    with state.change(workspace.state_path) as known:
        known.visited = now
        for o in found:
            known.results[o.exercise] = {"state": o.state, "code": code[o.exercise], "at": now}
            if o.state == outcome.PASSED:
                known.failures.pop(o.exercise, None)
            elif render.broken(o):
                known.failures[o.exercise] = known.failures.get(o.exercise, 0) + 1
    return found


def what_it_is_built_on(workspace: Workspace, stage: Stage) -> list[str]:
    """A line for each earlier stage: whose code it is, and whether that changed since it passed."""
    codes = choose([stage.package], workspace)
    known = workspace.state()
    lines = []
    for earlier in stages()[: stage.number - 1]:
        code = codes[earlier.package]
        changed = [
            e.id
            for e in earlier.exercises
            if known.passed(e.id) and known.results[e.id].get("code") != workspace.fingerprint(e)
        ]
        line = f"built on {code}"
        if code.whose == "yours" and changed:
            line += f"; {changed[0]} was changed since it passed: course test {changed[0]}"
        lines.append(line)
    return lines


def next_exercise(workspace: Workspace) -> Exercise | None:
    """The first exercise that has not passed; those of the bonus wait for the others."""
    known = workspace.state()
    left = [e for stage in stages() for e in stage.exercises if not known.passed(e.id)]
    return min(left, key=lambda e: e.bonus, default=None)


def show_next(console: Console, workspace: Workspace) -> None:
    """The next exercise: what to write, where, and what to read first."""
    exercise = next_exercise(workspace)
    if exercise is None:
        console.print("Every exercise has passed. The rest of the course is yours to read.")
        return
    bonus = ", a bonus" if exercise.bonus else ""
    console.print(Text.assemble("Next: ", (f"{exercise.id} {exercise.title}", "bold"), bonus))
    console.print(
        f"  difficulty {exercise.difficulty} of 5, about {exercise.minutes} minutes, "
        f"{exercise.points} points",
        soft_wrap=True,
    )
    for file in exercise.files:
        for name in exercise.functions_in(file):
            path = workspace.path(exercise, file)
            console.print(f"  write  {path}{_line_of(path, name)}  {name}", soft_wrap=True)
    read = f"notebooks/{exercise.package}.ipynb, section {exercise.section}"
    console.print(f"  read   {read}", soft_wrap=True)
    console.print(f"  then   course test {exercise.id}")


def show_status(console: Console, workspace: Workspace) -> None:
    """Points and states as last graded, and how long ago that was."""
    known = workspace.state()
    if known.lost:
        aside = max(workspace.course.glob("state.damaged-*"), default="gone")
        console.print(f"The state file was damaged and is kept as {aside}.", soft_wrap=True)
        console.print("Counting your points again from your code ...")
        for stage in stages():
            grade(workspace, stage, stage.exercises)
        with state.change(workspace.state_path) as changed:
            changed.lost = False
        known = workspace.state()
    for stage in stages():
        found = [_remembered(workspace, known, e) for e in stage.exercises]
        passed = [Outcome(e.id, outcome.PASSED) for e in stage.exercises if known.passed(e.id)]
        required, bonus = render.score(stage, passed)
        more = f" and {bonus} of {stage.bonus} bonus points" if stage.bonus else ""
        line = f"Stage {stage.number}, {stage.title}: {required}/{stage.points} points{more}"
        console.print(Text(line, "bold"), soft_wrap=True)
        table = Table.grid(padding=(0, 2))
        render.fold_columns(table, 5)
        for exercise, label in zip(stage.exercises, found):
            points = f"{exercise.points}" + (" bonus" if exercise.bonus else "")
            table.add_row("", exercise.id, exercise.title, points, label)
        console.print(table)
        console.print()
    if known.visited:
        console.print(f"Last visit: {_ago(known.visited)}.")
    show_next(console, workspace)
    with state.change(workspace.state_path) as changed:
        changed.visited = datetime.now().isoformat(timespec="seconds")


def use(console: Console, workspace: Workspace, stage: Stage, whose: str) -> None:
    """Remember which code of a stage the later ones are built on."""
    with state.change(workspace.state_path) as known:
        known.use[stage.package] = whose
    owner = "your own code" if whose == "mine" else "the reference"
    console.print(f"Later stages, and their notebooks, now import {owner} of {stage.package}.")
    if whose == "mine" and not workspace.complete(stage):
        console.print("Not all of its exercises pass yet: what is missing will show up there.")


def _remembered(workspace: Workspace, known: state.State, exercise: Exercise) -> Text:
    result = known.results.get(exercise.id)
    if result is None or result["state"] == outcome.NOT_STARTED:
        fresh = untouched(exercise, workspace.root)
        return Text("not started" if fresh else "written, not graded yet", "dim")
    changed = result.get("code") != workspace.fingerprint(exercise)
    note = " (changed since)" if changed else ""
    return Text(result["state"] + note, render.STYLES.get(result["state"], ""))


def _suggest_a_hint(console: Console, workspace: Workspace, stage: Stage, found: list) -> None:
    first = render.first_to_do(stage, found)
    known = workspace.state()
    if first and known.failures.get(first.id, 0) >= FAILURES_BEFORE_A_WORD_ABOUT_HINTS:
        console.print(f"There are hints, one at a time: course hint {first.id}")


def _line_of(path, name: str) -> str:
    try:
        return f":{stubs.functions(files.read(path))[name].lineno}"
    except (OSError, SyntaxError, KeyError, UnicodeDecodeError):
        return ""


def _ago(then: str) -> str:
    try:
        seconds = (datetime.now() - datetime.fromisoformat(then)).total_seconds()
    except ValueError:
        return "unknown"
    for size, unit in [(86400, "day"), (3600, "hour"), (60, "minute")]:
        if seconds >= size:
            n = int(seconds // size)
            return f"{n} {unit}{'s' if n > 1 else ''} ago"
    return "a moment ago"
