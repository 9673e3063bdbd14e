"""`course test`: grade the learner's code, show how it went, and remember it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rich.console import Console
from rich.text import Text

from course import UsageError
from course.commands.next_exercise import show_next
from course.grader import outcomes, rendering, runner
from course.grader.outcomes import Outcome
from course.manifest import Exercise, Stage, stages
from course.workspace import state
from course.workspace.folder import Workspace
from course.workspace.imports import choose

FAILURES_BEFORE_A_WORD_ABOUT_HINTS = 3


def test(
    console: Console, workspace: Workspace, asked: Stage | Exercise | None, traceback: str = "auto"
) -> bool:
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
        found = grade(workspace, stage, exercises, console, traceback)
        passed = {o.exercise for o in found if o.state == outcomes.PASSED}
        required = [e for e in exercises if not e.bonus or e == asked]
        complete &= all(e.id in passed for e in required)
        _suggest_a_hint(console, workspace, stage, found)
    if complete:
        console.print()
        show_next(console, workspace, asked)
    return complete


def debug(workspace: Workspace, asked: Stage | Exercise | None) -> None:
    """Open the debugger where a test of the exercise fails, or where the code has a breakpoint().

    Raises:    UsageError: if no exercise is named.
    """
    if not isinstance(asked, Exercise):
        raise UsageError("test --pdb: expected an exercise, got none; type: course test 1.2 --pdb")
    runner.debug(asked, workspace)


def grade(
    workspace: Workspace,
    stage: Stage,
    exercises: Sequence[Exercise],
    console: Console | None = None,
    traceback: str = "auto",
) -> list[Outcome]:
    """Grade some exercises of the workspace, show how it went, and remember it."""
    code = {e.id: workspace.fingerprint(e) for e in exercises}
    found = runner.grade(exercises, workspace, traceback=traceback)
    if console is not None:  # before it is saved: a full disk must not hide the result
        rendering.results(console, stage, found)
    now = datetime.now().isoformat(timespec="seconds")
    with state.change(workspace.state_path) as known:
        known.visited = now
        for o in found:
            # A file that could not be read says nothing about the functions in the others.
            text = code[o.exercise] if o.tests else ""
            known.results[o.exercise] = {"state": o.state, "code": text, "at": now}
            if o.state == outcomes.PASSED:
                known.failures.pop(o.exercise, None)
            elif rendering.broken(o):
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


def _suggest_a_hint(console: Console, workspace: Workspace, stage: Stage, found: list) -> None:
    first = rendering.first_to_do(stage, found)
    known = workspace.state()
    if first and known.failures.get(first.id, 0) >= FAILURES_BEFORE_A_WORD_ABOUT_HINTS:
        console.print(f"There are hints, one at a time: course hint {first.id}")
