"""What the shell offers when the learner presses Tab."""

import shutil
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from course.commands import cli
from course.manifest import exercises, stages

STAGES = [name for stage in stages() for name in (str(stage.number), stage.package)]
EXERCISES = list(exercises())
COURSE = shutil.which("course", path=str(Path(sys.executable).parent))  # the script, by its name


def offered(*arguments):
    """The completions of a command line whose last word is begun."""
    *before, begun = arguments
    shell = ShellComplete(cli.main, {}, "course", "_COURSE_COMPLETE")
    return shell.get_completions(before, begun)


def words(*arguments):
    return [item.value for item in offered(*arguments)]


def test_the_commands_are_offered():
    assert words("sta") == ["start", "status"]


@pytest.mark.parametrize("command", ["use", "lab", "run", "report", "check"])
def test_a_command_that_takes_a_stage_offers_numbers_and_packages(command):
    assert words(command, "") == STAGES


@pytest.mark.parametrize("command", ["watch", "hint", "solution", "diff"])
def test_a_command_that_takes_an_exercise_offers_the_ids(command):
    assert words(command, "") == EXERCISES


@pytest.mark.parametrize("command", ["test", "reset"])
def test_a_command_that_takes_either_offers_both(command):
    assert words(command, "") == STAGES + EXERCISES


def test_only_what_begins_as_typed_is_offered():
    assert words("hint", "1.1") == ["1.1", "1.10", "1.11", "1.12", "1.13"]
    assert words("lab", "stage5") == ["stage5_transformer"]


def test_an_exercise_comes_with_its_title():
    [item] = offered("hint", "1.4")
    assert item.help == exercises()["1.4"].title


def test_no_argument_of_a_command_is_left_without_completion():
    silent = {"run arguments"}  # they belong to the stage
    for name, command in cli.main.commands.items():
        for argument in command.params:
            typed = isinstance(argument.type, click.Choice | click.Path)
            if isinstance(argument, click.Argument) and f"{name} {argument.name}" not in silent:
                assert typed or words(name, "") != [], f"course {name}: {argument.name}"


# Each shell asks in its own way.

ASKED = {
    "bash": {"COMP_WORDS": "course hint 1.4", "COMP_CWORD": "2"},
    "zsh": {"COMP_WORDS": "course hint 1.4", "COMP_CWORD": "2"},
    "fish": {"COMP_WORDS": "course hint 1.4", "COMP_CWORD": "1.4"},
}


@pytest.mark.parametrize("name", ASKED)
def test_a_shell_gets_an_answer(shell, name):
    done = shell(COURSE, _COURSE_COMPLETE=f"{name}_complete", **ASKED[name])
    assert "1.4" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("name", ["zsh", "fish"])
def test_a_shell_gets_what_the_readme_has_it_read(shell, name):
    done = shell(COURSE, _COURSE_COMPLETE=f"{name}_source")
    assert "_COURSE_COMPLETE" in done.stdout


def test_completion_loads_neither_numpy_nor_pytest(shell):
    look = """
import sys
from click.shell_completion import ShellComplete
from course.commands import cli
assert ShellComplete(cli.main, {}, "course", "_COURSE_COMPLETE").get_completions(["test"], "")
print({"numpy", "pytest"} & set(sys.modules))
"""
    assert shell(sys.executable, "-c", look).stdout == "set()\n"
