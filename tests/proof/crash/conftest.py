"""Commands that are killed at a random moment, with no chance to tidy up."""

import random
import subprocess
import sys
import time

import pytest

from course.workspace import folder, handing_out
from course.workspace.folder import Workspace

# `course` with the places of the real workspace exchanged. Every step that puts something on the
# disk is slowed down, so that a random moment often falls between two of them. It says when the
# command begins, for Python takes much longer to load than the command to run.
DRIVER = """
import os, sys, time
from pathlib import Path
from course.commands import cli
from course.workspace import state, folder

folder.DEFAULT, folder.ELSEWHERE = Path(sys.argv[1]), Path(sys.argv[2])

def slow(name):
    step = getattr(os, name)
    def slowly(*arguments, **more):
        time.sleep(0.003)
        step(*arguments, **more)
        time.sleep(0.003)
    setattr(os, name, slowly)

for name in ("fsync", "replace", "rename"):
    slow(name)
print("ready", flush=True)
cli.main(sys.argv[3:], prog_name="course")
"""


@pytest.fixture(autouse=True)
def somewhere_else(monkeypatch, tmp_path):
    """Keep every test away from the real workspace."""
    for name in ("GLASSBOX_WORKSPACE", "GLASSBOX_CODE", "GLASSBOX_SECONDS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(folder, "DEFAULT", tmp_path / "default")
    monkeypatch.setattr(folder, "ELSEWHERE", tmp_path / "elsewhere")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def mine(monkeypatch, tmp_path):
    """A fresh workspace."""
    handing_out.create(tmp_path / "mine")
    monkeypatch.setenv("GLASSBOX_WORKSPACE", str(tmp_path / "mine"))
    return Workspace(tmp_path / "mine")


@pytest.fixture
def kill(tmp_path):
    """Start a command, kill it, and tell whether it was still at work.

    It is killed at a random moment of the first `seconds`, or as soon as `until()` is true.
    """
    moments = random.Random(0)

    def run(*arguments, seconds=0.0, until=None, places=None):
        default, elsewhere = places or (tmp_path / "default", tmp_path / "elsewhere")
        child = subprocess.Popen(
            [sys.executable, "-c", DRIVER, default, elsewhere, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(moments.uniform(0, seconds))
        while until is not None and not until():
            assert child.poll() is None, "it ended too early"
            time.sleep(0.01)
        at_work = child.poll() is None
        child.kill()
        child.communicate()
        return at_work

    return run


@pytest.fixture
def course(tmp_path):
    """Run a `course` command to its end, undisturbed; what it printed."""

    def run(*arguments, places=None):
        default, elsewhere = places or (tmp_path / "default", tmp_path / "elsewhere")
        done = subprocess.run(
            [sys.executable, "-c", DRIVER, default, elsewhere, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
