"""`course status`: the points as last graded, stage by stage, and what is left."""

from __future__ import annotations

from datetime import datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.commands.next_exercise import show_next
from course.commands.test import grade
from course.grader import outcomes, rendering
from course.grader.outcomes import Outcome
from course.manifest import Exercise, stages
from course.workspace import state
from course.workspace.folder import Workspace, untouched


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
    console.print(Text(f"Workspace {workspace.root}", "dim"), soft_wrap=True)
    for stage in stages():
        found = [_remembered(workspace, known, e) for e in stage.exercises]
        passed = [Outcome(e.id, outcomes.PASSED) for e in stage.exercises if known.passed(e.id)]
        required, bonus = rendering.score(stage, passed)
        more = f" and {bonus} of {stage.bonus} bonus points" if stage.bonus else ""
        line = f"Stage {stage.number}, {stage.title}: {required}/{stage.points} points{more}"
        console.print(Text(line, "bold"), soft_wrap=True)
        table = Table.grid(padding=(0, 2))
        rendering.fold_columns(table, 5)
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


def _remembered(workspace: Workspace, known: state.State, exercise: Exercise) -> Text:
    result = known.results.get(exercise.id)
    if result is None or result["state"] == outcomes.NOT_STARTED:
        fresh = untouched(exercise, workspace.root)
        return Text("not started" if fresh else "written, not graded yet", "dim")
    changed = result.get("code") != workspace.fingerprint(exercise)
    note = " (changed since)" if changed else ""
    return Text(result["state"] + note, rendering.STYLES.get(result["state"], ""))


def _ago(then: str) -> str:
    try:
        visited = datetime.fromisoformat(then)
        seconds = (datetime.now(visited.tzinfo) - visited).total_seconds()
    except ValueError:
        return "unknown"
    for size, unit in [(86400, "day"), (3600, "hour"), (60, "minute")]:
        if seconds >= size:
            n = int(seconds // size)
            return f"{n} {unit}{'s' if n > 1 else ''} ago"
    return "a moment ago"
