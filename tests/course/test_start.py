"""`course start`: once, twice, interrupted, and in the wrong place."""

import os
import signal

import pytest

from course import ROOT
from course.manifest import stages
from course.workspace import folder
from course.workspace.folder import Workspace


def test_start_says_what_it_added_and_where(course):
    said = course("start").stdout
    added = "stage1_autodiff, tests/stage1_autodiff, notebooks/stage1_autodiff.ipynb"
    assert said.startswith(f"Added to {folder.DEFAULT}: {added}")


def test_start_shows_the_first_exercise(course):
    said = course("start").stdout
    assert "Next: 1.1 Central difference" in said
    assert "  then   course test 1.1" in said


def test_a_second_start_says_that_nothing_changed(mine, course):
    first_line = course("start").stdout.split("\n")[0]
    assert first_line == f"Your workspace {mine.root} is there already: nothing changed."


def test_a_second_start_changes_nothing(solved, course, snapshot):
    before = snapshot(solved.root)
    course("start")
    assert snapshot(solved.root) == before


def test_a_second_start_is_no_failure(mine, course):
    assert course("start").exit_code == 0


def test_start_completes_an_interrupted_one(mine, course, stage):
    (mine.root / stage.notebook).unlink()
    assert course("start").stdout.startswith(f"Added to {mine.root}: {stage.notebook}\n")


def test_start_makes_a_workspace_where_it_is_told(course, tmp_path):
    course("start", str(tmp_path / "my own place"))
    assert folder.find() == Workspace(tmp_path / "my own place")


def test_start_makes_a_workspace_where_the_environment_says(course, tmp_path, monkeypatch):
    monkeypatch.setenv("GLASSBOX_WORKSPACE", str(tmp_path / "named"))
    course("start")
    assert folder.find() == Workspace(tmp_path / "named")


def test_start_in_a_folder_with_something_else_is_wrong_use(course, tmp_path):
    (tmp_path / "thesis.tex").write_text("In the beginning")
    result = course("start", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr == (
        f"start: expected a new or empty folder, got {tmp_path}; "
        "name another: course start FOLDER\n"
    )


def test_start_in_the_checkout_itself_is_wrong_use(course):
    assert course("start", str(ROOT)).exit_code == 2


def test_a_refused_start_remembers_nothing(course, tmp_path):
    (tmp_path / "thesis.tex").write_text("In the beginning")
    course("start", str(tmp_path))
    assert folder.find() is None


# Ctrl-C while it writes, in a process of its own.


@pytest.fixture
def interrupted(terminal, tmp_path):
    """A `course start` that was interrupted in the middle."""
    start = terminal("start", pause=0.05)
    start.wait_until((tmp_path / "default" / ".course" / "pristine").exists)
    os.kill(start.process.pid, signal.SIGINT)
    start.exit_code = start.end()
    return start


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one process")
def test_an_interrupted_start_can_be_completed(interrupted, course):
    assert interrupted.exit_code == 130
    assert "Added to" in course("start").stdout
    assert folder.find() == Workspace(folder.DEFAULT)


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one process")
def test_an_interrupted_start_shows_no_traceback(interrupted):
    assert "Traceback" not in interrupted.text


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one process")
def test_an_interrupted_start_leaves_no_half_package(interrupted):
    left = {path.name for path in folder.DEFAULT.iterdir()}
    assert left <= {".course", "notebooks", *(stage.package for stage in stages())}
