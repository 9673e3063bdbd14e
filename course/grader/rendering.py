"""Outcomes as text: one failing exercise in full, every other in a line."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from course.grader import outcomes
from course.grader.outcomes import Outcome
from course.manifest import Exercise, Stage

STYLES = {
    outcomes.PASSED: "green",
    outcomes.NOT_STARTED: "dim",
    outcomes.BLOCKED: "dim",
    outcomes.WRONG: "bold red",
    outcomes.ERROR: "bold red",
    outcomes.TIMEOUT: "bold magenta",
    outcomes.CRASH: "bold magenta",
    outcomes.NO_GRADE: "dim",
}

SHOWN = 4  # tests that fail beside the one that is told in full


def to_text(show: Callable, *arguments: object) -> str:
    """The output of `show(console, *arguments)` as plain text."""
    written = io.StringIO()
    show(Console(file=written, width=100, no_color=True, highlight=False), *arguments)
    lines = written.getvalue().split("\n")
    return "\n".join(line.rstrip() for line in lines).rstrip("\n")


def results(console: Console, stage: Stage, found: Sequence[Outcome]) -> None:
    """The table of all exercises, then the first that fails, in full."""
    states = {o.exercise: o for o in found}
    table = Table.grid(padding=(0, 2))
    fold_columns(table, 4)
    for exercise in stage.exercises:
        if exercise.id in states:
            table.add_row(*row(exercise, states))
    console.print(table)
    console.print()
    first = first_to_do(stage, found)
    if first is not None:
        in_full(console, first, states[first.id])
    if any(o.state != outcomes.NO_GRADE for o in found):
        console.print(score_line(stage, found))


def fold_columns(table: Table, n: int) -> None:
    """Let a narrow terminal break words rather than lose their ends."""
    for _ in range(n):
        table.add_column(overflow="fold")


def row(exercise: Exercise, states: dict[str, Outcome]) -> list[str | Text]:
    """One exercise in a line: id, title, points, state."""
    found = states[exercise.id]
    begun = found.state == outcomes.NOT_STARTED and is_begun(exercise, found)
    label = "begun" if begun else found.label
    if broken(found) and 0 < found.passes < found.tests:
        label += f", {found.passes} of {found.tests} tests pass"
    suspects = [p for p in exercise.prerequisites if p in states and broken(states[p])]
    if suspects and broken(found):
        label += f"; may come from {suspects[0]}"
    earned = exercise.points if found.state == outcomes.PASSED else 0
    points = f"{earned}/{exercise.points}" + (" bonus" if exercise.bonus else "")
    return [exercise.id, exercise.title, points, Text(label, STYLES[found.state])]


def broken(found: Outcome) -> bool:
    """True if there is code that does not work, as opposed to none."""
    return found.state in (outcomes.WRONG, outcomes.ERROR, outcomes.TIMEOUT, outcomes.CRASH)


def is_begun(exercise: Exercise, found: Outcome) -> bool:
    """True if some of an exercise is written, and some is not."""
    return bool(found.passes) or 0 < len(found.to_write) < len(exercise.functions)


def first_to_do(stage: Stage, found: Sequence[Outcome]) -> Exercise | None:
    """The exercise to look at next: the first that is broken, else the first that is open."""
    failing = [o for o in found if o.state != outcomes.PASSED]
    for choose in (broken, lambda o: o.state == outcomes.NOT_STARTED, lambda o: True):
        for o in failing:
            if choose(o):
                return next(e for e in stage.exercises if e.id == o.exercise)
    return None


def in_full(console: Console, exercise: Exercise, found: Outcome) -> None:
    """Everything that helps with one failing exercise."""
    title = Text(f"{exercise.id} {exercise.title}: ")
    begun = found.state == outcomes.NOT_STARTED and is_begun(exercise, found)
    console.print(title.append("begun" if begun else found.label, STYLES[found.state]))
    if found.state == outcomes.NO_GRADE:
        print_indented(console, f"{found.text}\n")
        return
    if found.state not in (outcomes.NOT_STARTED, outcomes.BLOCKED):
        if found.test:
            print_indented(console, f"test: {found.test}", "dim")
        if found.code:
            console.print()
            print_code(console, textwrap.indent(found.code, "    "), "python")
            console.print()
        print_indented(console, found.text)
        if found.traceback:
            print_indented(console, f"\n{found.traceback}\n")
        if found.printed:
            print_indented(console, "your code printed:", "dim")
            print_indented(console, textwrap.indent(found.printed, "  "))
        if found.also:
            print_indented(console, f"also failing: {_some(found.also)}")
    elif found.state == outcomes.BLOCKED:
        console.print(f"  It needs exercise {found.blocked_by}, which is not written yet.")
    else:
        left = found.to_write or [name.split(".", 1)[1] for name in exercise.functions]
        print_indented(console, f"{'Still to' if begun else 'To'} write: {', '.join(left)}")
    for name, text in [
        ("code", found.where.replace("\n", "\n      ")),
        ("read", f"notebooks/{exercise.package}.ipynb, section {exercise.section}"),
        ("help", f"course hint {exercise.id}"),
    ]:
        print_indented(console, f"{name}  {text}", "dim")
    console.print()


def _some(tests: Sequence[str]) -> str:
    """The names of a few tests, and how many more there are."""
    more = f"; and {len(tests) - SHOWN} more" if len(tests) > SHOWN else ""
    return "; ".join(tests[:SHOWN]) + more


def print_indented(console: Console, text: str, style: str = "") -> None:
    """Print text two columns in; the terminal wraps it, so a copy has no line breaks of ours."""
    console.print(Text(textwrap.indent(text, "  "), style), soft_wrap=True)


def print_code(console: Console, code: str, language: str) -> None:
    """Print code in colours that suit dark and light terminals, its lines as long as they are."""
    syntax = Syntax("", language, theme="ansi_light", background_color="default")
    text = syntax.highlight(code)
    text.rstrip()
    console.print(text, soft_wrap=True)


def score(stage: Stage, found: Sequence[Outcome]) -> tuple[int, int]:
    """The points earned among the required exercises, and among the bonus ones."""
    passed = {o.exercise for o in found if o.state == outcomes.PASSED}
    earned = [e for e in stage.exercises if e.id in passed]
    required = sum(e.points for e in earned if not e.bonus)
    return required, sum(e.points for e in earned if e.bonus)


def score_line(stage: Stage, found: Sequence[Outcome]) -> str:
    """`stage1_autodiff: 45/100 points`, with the bonus if any was earned."""
    required, bonus = score(stage, found)
    asked = {o.exercise for o in found if o.state != outcomes.NO_GRADE}
    possible = sum(e.points for e in stage.exercises if not e.bonus and e.id in asked)
    parts = [f"{required}/{possible} points"] if possible else []
    if bonus or not possible:
        parts.append(f"{bonus} bonus points")
    return f"{stage.package}: {' and '.join(parts)}"
