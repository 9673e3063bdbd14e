"""A workspace to try things on, and the `course` command to try them with.

Nothing here touches the workspace of whoever runs the tests: its place is somewhere else for the
time of a test, and the working directory is an empty folder.
"""

import os
import shutil
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from course import ROOT, files
from course.commands import cli
from course.grader import runner
from course.manifest import exercises, stages
from course.workspace import folder, handing_out, stubs
from course.workspace.folder import Workspace

OURS = ["GLASSBOX_WORKSPACE", "GLASSBOX_CODE", "GLASSBOX_SECONDS"]
OF_TERMINALS = ["COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"]

UTF8 = {"PYTHONUTF8": "1"}  # what another process prints can then be read on every system

# `course`, but with the places of the real workspace exchanged, and as slow as asked for.
DRIVER = """
import signal, sys, time
from pathlib import Path
from course import files
from course.commands import cli
from course.workspace import folder

signal.signal(signal.SIGINT, signal.default_int_handler)  # `pytest &` makes children deaf to it
default, elsewhere, pause, *arguments = sys.argv[1:]
folder.DEFAULT, folder.ELSEWHERE = Path(default), Path(elsewhere)
write = files.write

def slowly(path, content):
    time.sleep(float(pause))
    write(path, content)

files.write = slowly
cli.main(arguments, prog_name="course")
"""


@pytest.fixture(autouse=True)
def somewhere_else(monkeypatch, tmp_path):
    """Keep every test away from the real workspace and the settings of the real shell."""
    for name in [*OURS, *OF_TERMINALS]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(folder, "DEFAULT", tmp_path / "default")
    monkeypatch.setattr(folder, "ELSEWHERE", tmp_path / "elsewhere")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def stage():
    """The first stage."""
    return stages()[0]


@pytest.fixture(scope="session")
def handed_out(tmp_path_factory):
    """A workspace just as `course start` makes it. Not to be changed: see `mine`."""
    root = tmp_path_factory.mktemp("handed-out") / "workspace"
    handing_out.create(root)
    return Workspace(root)


@pytest.fixture(scope="session")
def all_solved(handed_out, tmp_path_factory):
    """A workspace in which every exercise is solved. Not to be changed: see `solved`."""
    root = tmp_path_factory.mktemp("all-solved") / "workspace"
    shutil.copytree(handed_out.root, root)
    paste(Workspace(root), *exercises())
    return Workspace(root)


@pytest.fixture(scope="session")
def fresh_results(handed_out, stage):
    """What grading a fresh workspace says."""
    with pytest.MonkeyPatch.context() as patch:
        for name in OURS:
            patch.delenv(name, raising=False)
        return runner.grade(stage.exercises, handed_out)


@pytest.fixture(scope="session")
def solved_results(all_solved, stage):
    """What grading a solved workspace says."""
    with pytest.MonkeyPatch.context() as patch:
        for name in OURS:
            patch.delenv(name, raising=False)
        return runner.grade(stage.exercises, all_solved)


@pytest.fixture
def mine(handed_out, tmp_path, monkeypatch):
    """A fresh workspace that every command finds, in a folder whose name is not easy."""
    return _copy(handed_out, tmp_path / "my wörk", monkeypatch)


@pytest.fixture
def solved(all_solved, tmp_path, monkeypatch):
    """A solved workspace that every command finds."""
    return _copy(all_solved, tmp_path / "my wörk", monkeypatch)


def _copy(original, root, monkeypatch):
    shutil.copytree(original.root, root)
    monkeypatch.setenv("GLASSBOX_WORKSPACE", str(root))
    return Workspace(root)


@pytest.fixture
def course(monkeypatch):
    """Run a `course` command in this process: `course("test", "1.1").output`."""

    def run(*arguments, width=100):
        monkeypatch.setattr(cli, "console", Console(highlight=False, width=width))
        return CliRunner().invoke(cli.main, arguments, "course", catch_exceptions=False)

    return run


@pytest.fixture
def solve():
    """Paste the reference's functions of some exercises: `solve(workspace, "1.1")`."""
    return paste


def paste(workspace, *ids):
    for exercise in [exercises()[id_] for id_ in ids]:
        for file in exercise.files:
            reference = files.read(ROOT / exercise.package / file)
            path = workspace.path(exercise, file)
            source = files.read(path)
            for name in exercise.functions_in(file):
                source = stubs.replace(source, name, stubs.extract(reference, name))
            path.write_bytes(source.encode())


@pytest.fixture(scope="session")
def fill(stage):
    """Write the body of a function: `fill(workspace, "graph.backward", "while True: pass")`."""

    def write_body(workspace, name, body):
        module, function = name.split(".", 1)
        path = workspace.root / stage.package / f"{module}.py"
        pristine = files.read(workspace.course / "pristine" / stage.package / path.name)
        head, last = stubs.extract(pristine, function).rsplit("\n", 1)
        indent = " " * (len(last) - len(last.lstrip()))
        text = head + "\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), indent)
        path.write_bytes(stubs.replace(files.read(path), function, text).encode())

    return write_body


@pytest.fixture(scope="session")
def own_neuron():
    """A body of Neuron.__call__ that does not need the bonus exercise, as the reference's does."""
    return """
        if len(x) != len(self.w):
            raise ValueError("Neuron: expected as many inputs as weights")
        total = self.b
        for w, value in zip(self.w, x):
            total = total + w * value
        return total.relu() if self.nonlin else total
    """


@pytest.fixture
def grade(stage):
    """Grade a workspace; the outcomes by id. `seconds` are the wall limits of some exercises."""

    def run(workspace, *ids, seconds=None):
        asked = [e for e in stage.exercises if not ids or e.id in ids]
        asked = [replace(e, seconds=(seconds or {}).get(e.id, e.seconds)) for e in asked]
        return {o.exercise: o for o in runner.grade(asked, workspace)}

    return run


@pytest.fixture(scope="session")
def grade_copies(all_solved, stage, tmp_path_factory):
    """Grade several spoilt copies of a solved workspace, two at a time: by name, then by id.

    `spoilers` maps a name to a function that spoils a workspace.
    """

    def grade_copy(spoil, asked):
        root = tmp_path_factory.mktemp("spoilt") / "workspace"
        shutil.copytree(all_solved.root, root)
        spoil(Workspace(root))
        try:
            return {o.exercise: o for o in runner.grade(asked, Workspace(root))}
        except runner.GraderError as error:
            failed = {"state": "the grader itself failed", "text": str(error)[:300]}
            return {e.id: runner.Outcome(e.id, **failed) for e in asked}

    def run(spoilers, *ids):
        asked = [e for e in stage.exercises if e.id in ids]
        with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
            for name in OURS:
                patch.delenv(name, raising=False)
            found = pool.map(lambda spoil: grade_copy(spoil, asked), spoilers.values())
            return dict(zip(spoilers, found))

    return run


class Terminal:
    """A `course` command that runs in a process of its own."""

    def __init__(self, arguments, places, pause, output, **more):
        self.output = output
        with open(output, "wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-c", DRIVER, *map(str, places), str(pause), *arguments],
                stdin=subprocess.DEVNULL,
                env=os.environ | UTF8,
                stdout=file,
                stderr=subprocess.STDOUT,
                **more,
            )

    @property
    def text(self):
        """What the command has printed so far."""
        return self.output.read_text(encoding="utf-8")

    def wait_until(self, condition, seconds=30):
        """Wait for something to become true; fail with what was printed if it does not."""
        until = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > until or self.process.poll() is not None:
                assert condition(), f"never came true; printed so far:\n{self.text}"
                return
            time.sleep(0.01)

    def end(self, seconds=30):
        """Wait for the command to end by itself; return its exit code."""
        return self.process.wait(seconds)


@pytest.fixture
def terminal(tmp_path):
    """Start a `course` command in another process: `terminal("watch", pause=0.1)`.

    `pause` seconds pass before every file that it writes.
    """
    started = []

    def start(*arguments, pause=0, **more):
        places = tmp_path / "default", tmp_path / "elsewhere"
        output = tmp_path / f"output-{len(started)}"
        started.append(Terminal(arguments, places, pause, output, **more))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


@pytest.fixture
def shell():
    """Run a command line to its end in another process; `environment` is added to this one's."""

    def run(*command, cwd=None, typed="", **environment):
        return subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            env=os.environ | UTF8 | environment,
            input=typed,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )

    return run


@pytest.fixture
def terminals():
    """Start a command line in another process, and do not wait for its end."""
    started = []

    def start(command):
        null = subprocess.DEVNULL
        started.append(subprocess.Popen(command, stdin=null, stdout=null, stderr=null))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def snapshot():
    """The bytes and times of all files below a folder, for `nothing changed`."""

    def take(folder):
        found = {}
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and path.suffix != ".lock":
                found[path] = path.read_bytes(), path.stat().st_mtime_ns
        return found

    return take
