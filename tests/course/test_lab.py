"""`course lab` opens the learner's copy of a notebook."""

import importlib.util
import subprocess
import sys

import pytest


@pytest.fixture
def called(monkeypatch):
    """The commands that would have been run."""
    commands = []

    def call(command, cwd):
        commands.append((command, cwd))
        return 0

    monkeypatch.setattr(subprocess, "call", call)
    return commands


def test_the_learner_s_notebook_is_opened(mine, course, called, stage):
    assert course("lab", "1").exit_code == 0
    ((command, cwd),) = called
    assert command == [sys.executable, "-m", "jupyterlab", str(mine.root / stage.notebook)]
    assert cwd == mine.root / "notebooks"


def test_without_a_stage_it_is_the_first(mine, course, called, stage):
    course("lab")
    assert called[0][0][-1] == str(mine.root / stage.notebook)


def test_a_missing_notebook_is_told(mine, course, called, stage):
    (mine.root / stage.notebook).unlink()
    result = course("lab", "1")
    assert result.exit_code == 2
    assert result.stderr.endswith("got no such file; type: course start\n")
    assert called == []


def test_without_jupyterlab_it_is_told_how_to_get_it(mine, course, called, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    result = course("lab", "1")
    assert result.exit_code == 2
    assert result.stderr == "lab: expected JupyterLab, got none; type: pip install jupyterlab\n"


def test_ctrl_c_closes_it_quietly(mine, course, monkeypatch):
    def interrupt(command, cwd):
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "call", interrupt)
    assert course("lab", "1").exit_code == 0
