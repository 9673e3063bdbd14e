"""`course doctor`: every kind of damage is named, with a way to mend it."""

import shutil
import sys
from collections import namedtuple

import pytest

from course.commands import doctor
from course.workspace import state

Usage = namedtuple("Usage", "total used free")
Version = namedtuple("Version", "major minor micro releaselevel serial")


@pytest.fixture
def wrong(course):
    """What the doctor finds wrong: what was found, and how to mend it, line by line."""

    def examine():
        lines = course("doctor").stdout.split("\n")
        return {
            line.removeprefix("wrong  "): lines[i + 1].strip()
            for i, line in enumerate(lines)
            if line.startswith("wrong  ")
        }

    return examine


@pytest.fixture
def graph(mine):
    return mine.root / "stage1_autodiff" / "graph.py"


def test_a_fresh_workspace_is_healthy(mine, wrong):
    assert wrong() == {}


def test_a_healthy_workspace_ends_with_0(mine, course):
    assert course("doctor").exit_code == 0


def test_a_damaged_one_ends_with_1(mine, course, graph):
    graph.unlink()
    assert course("doctor").exit_code == 1


def test_the_doctor_changes_no_file(mine, course, snapshot):
    before = snapshot(mine.root)
    course("doctor")
    assert snapshot(mine.root) == before


def test_it_says_whose_code_is_used(mine, course):
    said = course("doctor").stdout
    assert "ok     later stages import stage1_autodiff: the reference\n" in said


# Python and the packages.


def test_an_old_python(mine, wrong, monkeypatch):
    monkeypatch.setattr(sys, "version_info", Version(3, 9, 2, "final", 0))
    ((found, mend),) = wrong().items()
    assert found.startswith("Python ")
    assert mend.startswith("the course needs Python 3.11 or newer")


def test_no_virtual_environment(mine, wrong, monkeypatch):
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    assert wrong()["no virtual environment"].endswith("bin/activate")


def test_a_missing_package(mine, wrong, monkeypatch):
    def version(name):
        if name == "rich":
            raise doctor.PackageNotFoundError(name)
        return "99"

    monkeypatch.setattr(doctor, "version", version)
    assert "make start" in wrong()["the package rich is missing"]


def test_a_package_that_is_too_old(mine, wrong, monkeypatch):
    monkeypatch.setattr(doctor, "version", lambda name: "1.2" if name == "numpy" else "99")
    assert wrong()["numpy 1.2"].startswith("numpy>=2.0 is needed; type: make start")


def test_a_course_that_is_not_installed(mine, wrong, monkeypatch):
    def requires(name):
        raise doctor.PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "requires", requires)
    assert "make start" in wrong()["the course is not installed in this Python"]


# The workspace.


def test_no_workspace(wrong):
    assert wrong() == {"there is no workspace": "type: course start"}


def test_a_workspace_that_cannot_be_written(mine, wrong, monkeypatch):
    monkeypatch.setattr(doctor.os, "access", lambda path, mode: False)
    assert wrong() == {"the workspace cannot be written": f"type: chmod -R u+w {mine.root}"}


def test_a_full_disk(mine, wrong, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(100, 99, 1))
    assert "free some space" in wrong()["the disk is nearly full"]


def test_a_damaged_state_file(mine, wrong):
    mine.state_path.write_text("damaged")
    ((found, mend),) = wrong().items()
    assert found.startswith("the state file was damaged and is kept as ")
    assert mend.startswith("type: course ")


def test_a_state_file_that_is_a_folder(mine, wrong):
    mine.state_path.mkdir()
    ((found, mend),) = wrong().items()
    assert found.startswith("the state file cannot be read")
    assert str(mine.state_path) in found + mend


def test_a_missing_package_of_a_stage(mine, wrong):
    shutil.rmtree(mine.root / "stage1_autodiff")
    assert wrong() == {"stage1_autodiff is missing from the workspace": "type: course start"}


def test_missing_pristine_stubs(mine, wrong):
    shutil.rmtree(mine.course / "pristine")
    assert set(wrong().values()) == {"type: course start"}


def test_a_missing_notebook(mine, wrong, stage):
    (mine.root / stage.notebook).unlink()
    assert set(wrong().values()) == {"type: course start"}


def test_a_missing_file_with_exercises(wrong, graph):
    graph.unlink()
    assert wrong() == {str(graph): "it is missing; put it back: course reset 1.5 --file"}


def test_a_missing_file_without_exercises(mine, wrong):
    path = mine.root / "stage1_autodiff" / "view" / "layout.py"
    path.unlink()
    assert list(wrong()) == [str(path)]
    assert wrong()[str(path)].startswith("it is missing; ")


def test_an_empty_file(wrong, graph):
    graph.write_text("")
    assert wrong() == {
        str(graph): "the function topological_order of exercise 1.5 is missing; "
        "put it back: course reset 1.5 --file"
    }


def test_a_syntax_error(wrong, graph):
    graph.write_text("x = 1\ndef f(:\n")
    assert wrong() == {
        str(graph): "it has a syntax error in line 2: invalid syntax; mend that line"
    }


def test_a_file_that_is_no_text(wrong, graph):
    graph.write_bytes(b"caf\xe9")
    assert wrong() == {str(graph): "it is not UTF-8 text; save it as UTF-8"}


def test_a_missing_function(wrong, graph):
    graph.write_text(graph.read_text().replace("def backward(", "def backwards("))
    assert wrong() == {
        str(graph): "the function backward of exercise 1.6 is missing; "
        "put it back: course reset 1.6 --file"
    }


def test_several_faults_at_once(mine, wrong, graph):
    graph.unlink()
    (graph.parent / "value.py").write_text("def f(:\n")
    mine.state_path.write_text("damaged")
    assert len(wrong()) == 3


MENDED_BY_COMMAND = {
    "a missing file": lambda path: path.unlink(),
    "an empty file": lambda path: path.write_text(""),
    "a missing function": lambda path: path.write_text("def topological_order(): pass\n"),
}


@pytest.mark.parametrize("damage", MENDED_BY_COMMAND.values(), ids=MENDED_BY_COMMAND.keys())
def test_doing_what_the_doctor_says_helps(mine, wrong, course, graph, damage):
    damage(graph)
    (mend,) = wrong().values()
    course(*mend.split("course ")[1].split())
    assert wrong() == {}


def test_the_state_is_examined_under_any_name(mine, wrong):
    with state.change(mine.state_path) as known:
        known.hints["1.1"] = 1
    assert wrong() == {}
