"""The words that the shell offers behind a command when the learner presses Tab."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from course.manifest import exercises, stages


def complete_stage(
    context: click.Context, parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """The numbers and the package names that begin so, with the titles of the stages."""
    known = {name: stage.title for stage in stages() for name in (str(stage.number), stage.package)}
    return beginning_with(begun, known)


def complete_exercise(
    context: click.Context, parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """The exercises whose ids begin so, with their titles."""
    return beginning_with(begun, {id_: e.title for id_, e in exercises().items()})


def complete_either(
    context: click.Context, parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """The stages, then the exercises."""
    return complete_stage(context, parameter, begun) + complete_exercise(context, parameter, begun)


def beginning_with(begun: str, known: dict[str, str]) -> list[CompletionItem]:
    """The names that begin so, each with its help."""
    fitting = [name for name in known if name.startswith(begun)]
    return [CompletionItem(name, help=known[name]) for name in fitting]
