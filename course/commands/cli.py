"""The `course` command: what a learner types between two pages of the notebook."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import click
from filelock import Timeout
from rich.console import Console

from course import UsageError
from course.authors import check, mutation_report
from course.commands import (
    doctor,
    hint,
    lab,
    next_exercise,
    report,
    reset,
    run,
    solution,
    start,
    status,
    test,
    upgrade,
    use,
    watch,
)
from course.commands.complete import complete_either, complete_exercise, complete_stage
from course.grader import runner
from course.manifest import Stage, find, find_exercise, find_stage, stages
from course.workspace import folder
from course.workspace.folder import Workspace
from course.workspace.handing_out import create, outdated

NOT_YET, WRONG_USE, GRADER_FAILED, INTERRUPTED = 1, 2, 3, 130

console = Console(highlight=False)

traceback_option = click.option(
    "--tb",
    "traceback",
    type=click.Choice(["auto", "long"]),
    default="auto",
    help="long: the whole traceback of a failure.",
)


class Group(click.Group):
    """The commands in the order of a learner's day, and one place where errors become words."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which they were added."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; a bad name, a full disk or a broken grader is told in one line."""
        for stream in (sys.stdout, sys.stderr):  # a letter the terminal lacks is no reason to stop
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        try:
            return super().invoke(ctx)
        except UsageError as error:
            click.echo(str(error), err=True)
            sys.exit(WRONG_USE)
        except runner.GraderError as error:
            click.echo(f"course: the grader itself failed, not your code. {error}", err=True)
            sys.exit(GRADER_FAILED)
        except KeyboardInterrupt:
            click.echo("Stopped. Nothing was lost.", err=True)
            sys.exit(INTERRUPTED)
        except Timeout:
            click.echo(
                "course: another course command is at work; try again in a moment.", err=True
            )
            sys.exit(GRADER_FAILED)
        except OSError as error:
            place = f": {error.filename}" if error.filename else ""
            click.echo(f"course: {error.strerror or error}{place}. Nothing was lost.", err=True)
            sys.exit(GRADER_FAILED)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="glassbox-course", prog_name="course")
def main() -> None:
    """Glassbox: build a deep learning framework, and see through every step."""


@main.command("start")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
def start_(folder: Path | None) -> None:
    """Make your workspace, or add what is missing to it."""
    start.start(console, folder)


@main.command("status")
def status_() -> None:
    """Your points, stage by stage, and the next exercise."""
    status.show_status(console, _current_workspace())


@main.command("next")
def next_() -> None:
    """The exercise to write now, and where to read about it."""
    next_exercise.show_next(console, _current_workspace())


@main.command("test")
@click.argument(
    "name", metavar="[STAGE | EXERCISE]", required=False, shell_complete=complete_either
)
@traceback_option
@click.option("--pdb", is_flag=True, help="Open the debugger where a test of the exercise fails.")
def test_(name: str | None, traceback: str, pdb: bool) -> None:
    """Grade your code: everything, a stage (1), or an exercise (1.4)."""
    asked = find(name) if name else None
    if pdb:
        test.debug(_current_workspace(), asked)
    else:
        passed = test.test(console, _current_workspace(), asked, traceback)
        sys.exit(0 if passed else NOT_YET)


@main.command("watch")
@click.argument("name", metavar="[EXERCISE]", required=False, shell_complete=complete_exercise)
@click.option("--poll", is_flag=True, help="Look at the files every 0.5 s (network drives, WSL).")
@traceback_option
def watch_(name: str | None, poll: bool, traceback: str) -> None:
    """Grade at every save: the exercise you name, or the next one."""
    asked = find_exercise(name) if name else None
    watch.watch(console, _current_workspace(), asked, poll, traceback)


@main.command("hint")
@click.argument("exercise", shell_complete=complete_exercise)
def hint_(exercise: str) -> None:
    """One more hint; there are three, from the idea to near-code."""
    hint.show_hint(console, _current_workspace(), find_exercise(exercise))


@main.command("solution")
@click.argument("exercise", shell_complete=complete_exercise)
@click.option("--give-up", is_flag=True, help="Show it although the exercise has not passed yet.")
def solution_(exercise: str, give_up: bool) -> None:
    """The reference's way, once yours passes."""
    solution.show_solution(console, _current_workspace(), find_exercise(exercise), give_up)


@main.command("diff")
@click.argument("exercise", shell_complete=complete_exercise)
@click.option("--give-up", is_flag=True, help="Show it although the exercise has not passed yet.")
def diff_(exercise: str, give_up: bool) -> None:
    """Your functions beside the reference's, once yours pass."""
    solution.show_diff(console, _current_workspace(), find_exercise(exercise), give_up)


@main.command("reset")
@click.argument("name", metavar="STAGE | EXERCISE", shell_complete=complete_either)
@click.option("--file", "whole", is_flag=True, help="Put back the whole file, not only functions.")
def reset_(name: str, whole: bool) -> None:
    """Back to the stub; what you wrote is kept as a backup."""
    reset.reset(console, _current_workspace(), find(name), whole)


@main.command("use")
@click.argument("stage", shell_complete=complete_stage)
@click.argument("whose", type=click.Choice(["mine", "reference"]))
def use_(stage: str, whose: str) -> None:
    """Build on your own code of a stage, or on the reference."""
    use.use(console, _current_workspace(), find_stage(stage), whose)


@main.command("lab")
@click.argument("stage", required=False, shell_complete=complete_stage)
def lab_(stage: str | None) -> None:
    """Open the notebook of a stage, running your code."""
    sys.exit(
        lab.open_lab(console, _current_workspace(), find_stage(stage) if stage else stages()[0])
    )


@main.command("run", context_settings={"allow_interspersed_args": False})
@click.argument("stage", shell_complete=complete_stage)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run_(stage: str, arguments: tuple[str, ...]) -> None:
    """Commands of a stage, on your code: course run 5 --help."""
    run.run(_current_workspace(), find_stage(stage), arguments)


@main.command("upgrade")
def upgrade_() -> None:
    """Bring a new version of the course in; what you wrote stays."""
    upgrade.upgrade(console, _workspace())


@main.command("doctor")
def doctor_() -> None:
    """Find faults of the set-up, and say how to mend them."""
    sys.exit(0 if doctor.examine(console, folder.find()) else NOT_YET)


@main.command("report")
@click.argument("stage", required=False, shell_complete=complete_stage)
@click.option("--format", "form", type=click.Choice(["json", "junit", "markdown"]), default="json")
@click.option("--code", type=click.Path(path_type=Path), help="Grade this folder instead.")
@traceback_option
def report_(stage: str | None, form: str, code: Path | None, traceback: str) -> None:
    """Grade, and print the result for a machine."""
    asked: list[Stage] = [find_stage(stage)] if stage else list(stages())
    graded = None if code else _current_workspace()
    if code is not None and not code.is_dir():
        raise UsageError(f"report: expected a folder, got {code}; name the one with the packages")
    text, complete = report.report(asked, graded, code.resolve() if code else None, form, traceback)
    click.echo(text)
    sys.exit(0 if complete else NOT_YET)


@main.command("check")
@click.argument("stage", required=False, shell_complete=complete_stage)
@click.option("--mutate", metavar="STAGE", help="Grade mutants of this stage, made by machine.")
@click.option("--only", metavar="EXERCISE", help="Mutants of this exercise only.")
@click.option("--sample", type=int, help="So many of them, drawn by --seed.")
@click.option("--seed", type=int, default=0)
@click.option("--jobs", type=int, default=1, help="So many at once.")
def check_(
    stage: str | None,
    mutate: str | None,
    only: str | None,
    sample: int | None,
    seed: int,
    jobs: int,
) -> None:
    """For authors: exercises, stubs and tests must agree."""
    if mutate is not None:
        asked = find_exercise(only) if only else None
        told = mutation_report.mutate(console, find_stage(mutate), asked, sample, seed, jobs)
        sys.exit(0 if told else NOT_YET)
    sys.exit(0 if check.check(console, find_stage(stage) if stage else None) else NOT_YET)


def _workspace() -> Workspace:
    """The workspace to work in, made whole if its dotted folder was left behind in a move."""
    found = folder.find()
    if found is None:
        raise UsageError(
            f"course: expected a workspace in {folder.place()}, got none; type: course start"
        )
    if not (found.course / "pristine").is_dir():
        create(found.root)
        click.echo(
            f"Took in the workspace {found.root}; to count its points: course test", err=True
        )
    return found


def _current_workspace() -> Workspace:
    """The workspace to work in; says so if it is of another version of the course."""
    found = _workspace()
    if outdated(found):
        click.echo("The course has changed since this workspace: course upgrade", err=True)
    return found
