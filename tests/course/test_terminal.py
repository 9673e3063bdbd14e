"""Without colour, without a terminal, in a narrow one, and from any folder."""

import os
import re
import sys

import pytest

COURSE = [sys.executable, "-m", "course"]
ESCAPE = "\x1b["


@pytest.fixture
def run(mine, shell):
    """Run `course` in a process of its own."""
    return lambda *arguments, **more: shell(*COURSE, *arguments, **more)


def test_without_a_terminal_there_is_no_colour(run):
    assert ESCAPE not in run("status").stdout


def test_colour_can_be_asked_for(run):
    assert ESCAPE in run("status", FORCE_COLOR="1").stdout


def test_no_color_is_heard(run):
    said = run("status", FORCE_COLOR="1", NO_COLOR="1").stdout
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]", said)


def test_a_narrow_status_names_every_exercise(mine, course, stage):
    lines = course("status", width=40).stdout.split("\n")
    assert [e.id for e in stage.exercises if not any(e.id in line.split() for line in lines)] == []


@pytest.mark.parametrize("command", [("status",), ("next",), ("hint", "1.5"), ("doctor",)])
def test_a_narrow_terminal_cuts_nothing(mine, course, command):
    assert "…" not in course(*command, width=40).stdout


def test_a_narrow_hint_keeps_every_word(mine, course, stage):
    said = course("hint", "1.1", width=40).stdout
    assert set(stage.exercises[0].hints[0].split()) <= set(said.split())


def test_a_path_is_never_broken(mine, course):
    path = str(mine.root / "stage1_autodiff" / "gradcheck.py")
    assert path in course("next", width=40).stdout


@pytest.mark.skipif(os.name == "nt", reason="Windows has no sh")
def test_a_closed_pipe_is_no_traceback(mine, shell):
    done = shell("sh", "-c", f'"{sys.executable}" -m course status | true')
    assert "Traceback" not in done.stderr


def test_letters_that_a_terminal_cannot_show_are_no_crash(run):
    done = run("status", PYTHONIOENCODING="ascii:strict", PYTHONUTF8="0")
    assert "Traceback" not in done.stderr


def test_help_names_every_command(run):
    said = run("--help").stdout
    commands = re.findall(r"^  (\w+)  ", said.split("Commands:")[1], re.MULTILINE)
    assert " ".join(commands) == (
        "start status next test watch hint solution diff reset use lab run upgrade doctor "
        "report check"
    )


def test_no_line_of_the_help_is_cut(run):
    assert "..." not in run("--help", COLUMNS="80").stdout.split("Commands:")[1]


def test_an_unknown_command_suggests_the_nearest(run):
    done = run("tset")
    assert done.returncode == 2
    assert "'test'" in done.stderr


@pytest.mark.parametrize("folder", ["workspace", "package", "elsewhere"])
def test_course_test_grades_the_workspace_from_any_folder(run, mine, tmp_path, folder):
    cwd = {
        "workspace": mine.root,
        "package": mine.root / "stage1_autodiff",
        "elsewhere": tmp_path,
    }[folder]
    environment = {} if folder == "elsewhere" else {"GLASSBOX_WORKSPACE": os.devnull}
    done = run("test", "1.1", cwd=cwd, **environment)
    assert done.stdout.startswith(f"grading stage1_autodiff: yours ({mine.root})")
    assert done.returncode == 1
