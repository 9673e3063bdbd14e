"""Workspaces of earlier versions live on: an upgrade costs no line and no point.

The earlier course is taken from the history, and makes its own workspace. What changed its rules
since then is marked **spec** in the changelog, and listed here.
"""

import os
import subprocess
import sys
import tarfile

import pytest

from course import ROOT
from course.grader import runner
from course.manifest import exercises, stages
from course.workspace import folder, stubs
from course.workspace.folder import Workspace
from course.workspace.handing_out import create

# An earlier version: its commit, and the exercises whose rules changed since.
RULES = {"1.2", "1.7", "2.5", "2.8", "2.10", "2.11", "2.13", "2.14", "2.16"}
RULES |= {"3.2", "3.9", "4.7", "5.1", "5.3"}
VERSIONS = {"before the rooms": ("e9bc9ba", RULES)}

# The course of the folder that is named first, in place of the one that is installed.
DRIVER = """
import sys
sys.meta_path[:] = [f for f in sys.meta_path if "course" not in getattr(f, "__module__", "")]
for name in [n for n in sys.modules if n.split(".")[0] == "course"]:
    del sys.modules[name]
sys.path.insert(0, sys.argv.pop(1))
from course.cli import main
main(prog_name="course")
"""


@pytest.fixture(scope="module", params=VERSIONS)
def earlier(request, tmp_path_factory):
    """The files of an earlier course, and the exercises that it may cost."""
    commit, spec = VERSIONS[request.param]
    checkout = tmp_path_factory.mktemp("earlier")
    archive = checkout / "archive.tar"
    command = ["git", "archive", "--output", archive, commit]
    if subprocess.run(command, cwd=ROOT, capture_output=True).returncode:
        pytest.skip(f"the history of this checkout does not reach back to {commit}")
    with tarfile.open(archive) as files:
        files.extractall(checkout, filter="data")
    return checkout, spec


@pytest.fixture
def old_workspace(earlier, tmp_path, monkeypatch):
    """A workspace as that course makes it."""
    checkout, _ = earlier
    root = tmp_path / "workspace"
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GLASSBOX_")}
    command = [sys.executable, "-c", DRIVER, checkout, "start", root]
    subprocess.run([str(part) for part in command], cwd=tmp_path, env=clean, check=True)
    monkeypatch.setattr(folder, "ELSEWHERE", tmp_path / "elsewhere")
    monkeypatch.setenv("GLASSBOX_WORKSPACE", str(root))
    monkeypatch.delenv("GLASSBOX_CODE", raising=False)
    return Workspace(root)


def write(workspace, checkout, ids):
    """Write these exercises as the earlier reference has them, each with a line of one's own."""
    for exercise in [exercises()[id_] for id_ in ids]:
        for file in exercise.files:
            path = workspace.path(exercise, file)
            source = path.read_text(encoding="utf-8")
            theirs = (checkout / exercise.package / file).read_text(encoding="utf-8")
            for name in exercise.functions_in(file):
                text = stubs.extract(theirs, name)
                head, last = text.rsplit("\n", 1)
                indent = last[: len(last) - len(last.lstrip())]
                own = f"{head}\n{last}\n{indent}# my own line, {exercise.id} {name}"
                source = stubs.replace(source, name, own)
            path.write_text(source, encoding="utf-8")


def upgrade(workspace):
    command = [sys.executable, "-m", "course", "upgrade"]
    done = subprocess.run(command, cwd=workspace.root, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def own_lines(workspace):
    """Every line of the learner's own, wherever it stands."""
    found = set()
    for path in workspace.root.glob("stage*/**/*.py"):
        lines = path.read_text(encoding="utf-8").split("\n")
        found |= {line.strip() for line in lines if "# my own line" in line}
    return found


def test_a_complete_workspace_keeps_every_line_and_point(earlier, old_workspace):
    checkout, spec = earlier
    write(old_workspace, checkout, exercises())
    before = own_lines(old_workspace)
    told = upgrade(old_workspace)
    assert "kept " not in told
    assert own_lines(old_workspace) == before
    for stage in stages():
        found = runner.grade(stage.exercises, old_workspace)
        lost = {o.exercise: f"{o.test}\n{o.text}" for o in found if o.state != "passed"}
        assert lost.keys() <= spec, lost
    assert upgrade(old_workspace) == "Your workspace is up to date.\n"


def test_a_half_done_workspace_is_worth_what_a_new_one_would_be(earlier, old_workspace, tmp_path):
    checkout, spec = earlier
    done = [id_ for i, id_ in enumerate(exercises()) if id_ < "3" and i % 2 == 0]
    write(old_workspace, checkout, done)
    before = own_lines(old_workspace)
    upgrade(old_workspace)
    assert own_lines(old_workspace) == before
    create(tmp_path / "new")
    new = Workspace(tmp_path / "new")
    write(new, ROOT, done)
    for stage in stages()[:2]:
        wanted = runner.grade(stage.exercises, new)
        for want, found in zip(wanted, runner.grade(stage.exercises, old_workspace)):
            assert found.state == want.state or found.exercise in spec, found
