"""After `kill -9` the state is the old or the new one, no code is lost, and all goes on.

Each test kills a command some 15 times at random moments, and makes sure that at least one of
them found it at work.
"""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from course import ROOT, files
from course.manifest import exercises, stages
from course.workspace import state, stubs
from course.workspace.handing_out import create

REPETITIONS = range(15)


def contents(root):
    """Every file that a learner sees."""
    seen = [p for p in root.rglob("*") if p.is_file() and ".course" not in p.parts]
    return {path.relative_to(root): path.read_bytes() for path in seen}


def visible(folder):
    """The names in a folder, without those that begin with a dot."""
    return {path.name for path in folder.iterdir() if path.name[0] != "."}


def test_a_killed_start_leaves_whole_packages_and_is_completed(tmp_path, kill, course):
    create(tmp_path / "whole")
    whole = contents(tmp_path / "whole")
    at_work = 0
    for i in REPETITIONS:
        root = tmp_path / f"{i}"
        places = root, tmp_path / "elsewhere"
        at_work += kill("start", seconds=0.5, places=places)
        for stage in stages():
            package = root / stage.package
            if package.exists():
                assert visible(package) == visible(tmp_path / "whole" / stage.package)
        create(root)
        left = {path: text for path, text in contents(root).items() if path in whole}
        assert left == whole
    assert at_work > 0


def test_after_a_killed_start_the_next_start_works(tmp_path, kill, course):
    kill("start", seconds=0.2)
    assert "Next: 1.1 Central difference" in course("start")


def test_a_killed_start_over_a_workspace_loses_no_code(mine, kill, course):
    path = mine.root / "stage1_autodiff" / "graph.py"
    path.write_text(path.read_text() + "# mine\n")
    at_work = 0
    for _ in REPETITIONS:
        (mine.root / stages()[0].notebook).unlink()
        before = contents(mine.root)
        at_work += kill("start", seconds=0.03)
        after = contents(mine.root)
        assert {name: after.get(name) for name in before} == before
        create(mine.root)
    assert at_work > 0


def test_a_killed_hint_counts_or_does_not(mine, kill, course):
    at_work, level = 0, 0
    for _ in REPETITIONS:
        with state.change(mine.state_path) as known:
            known.hints["1.5"] = level = 1
        at_work += kill("hint", "1.5", seconds=0.03)
        known, aside = state.load(mine.state_path)
        assert aside is None
        assert known.hints["1.5"] in (level, level + 1)
    assert "1.5 Topological order" in course("hint", "1.5")
    assert at_work > 0


@pytest.mark.parametrize("options", [(), ("--file",)], ids=["functions", "whole file"])
def test_a_killed_reset_leaves_every_file_as_it_was_or_in_a_backup(mine, kill, course, options):
    exercise = exercises()["1.7"]
    pristine = {file: mine.path(exercise, file).read_bytes() for file in exercise.files}
    at_work = 0
    for i in REPETITIONS[::2]:  # with both options, some 15
        written = {file: solved(exercise, file) + f"# {i}\n" for file in exercise.files}
        new = {file: reset(exercise, file, written, pristine, options) for file in exercise.files}
        for file in exercise.files:
            mine.path(exercise, file).write_bytes(written[file].encode())
        at_work += kill("reset", "1.7", *options, seconds=0.1)
        for file in exercise.files:
            now = mine.path(exercise, file).read_bytes()
            assert now in (written[file].encode(), new[file])
            assert now == written[file].encode() or written[file].encode() in backups(mine, file)
    course("reset", "1.7", *options)
    assert at_work > 0


def solved(exercise, file):
    return files.read(ROOT / exercise.package / file)


def reset(exercise, file, written, pristine, options):
    if options:
        return pristine[file]
    source = written[file]
    for name in exercise.functions_in(file):
        stub = stubs.extract(pristine[file].decode(), name)
        source = stubs.replace(source, name, stub)
    return source.encode()


def backups(workspace, file):
    return [path.read_bytes() for path in workspace.course.glob(f"backups/*/{file}")]


COUNT = """
import sys
from pathlib import Path
from course.workspace import state

print("ready", flush=True)
while True:
    with state.change(Path(sys.argv[1])) as known:
        known.failures["1.1"] = known.failures.get("1.1", 0) + 1
    print(known.failures["1.1"], flush=True)
"""


def test_a_killed_count_is_the_last_or_one_more(mine):
    for i in REPETITIONS:
        child = subprocess.Popen(
            [sys.executable, "-c", COUNT, mine.state_path], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        for _ in range(2 + i):  # "ready", and then at least one count
            child.stdout.readline()
        child.kill()
        told = [int(line) for line in child.communicate()[0].split()]
        known, aside = state.load(mine.state_path)
        assert aside is None
        assert not told or known.failures["1.1"] - told[-1] in (0, 1)


def test_after_a_kill_nobody_waits_for_the_lock(mine):
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, mine.state_path], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "locked\n"
    child.kill()
    child.communicate()
    with state.change(mine.state_path) as known:
        known.hints["1.1"] = 1
    assert state.load(mine.state_path)[0].hints == {"1.1": 1}


HOLD = """
import sys, time
from pathlib import Path
from course.workspace import state

with state.change(Path(sys.argv[1])):
    print("locked", flush=True)
    time.sleep(60)
"""


LOOP = """
import os
with open({file!r}, "w") as file:
    file.write(str(os.getpid()))
while True:
    pass
"""


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(os.name == "nt", reason="Windows does not tell a process that its parent died")
def test_an_endless_loop_does_not_outlive_a_killed_grading(mine, tmp_path, kill):
    source = files.read(mine.path(exercises()["1.1"], "gradcheck.py"))
    note = tmp_path / "pid"
    stub = stubs.extract(source, "central_difference").rsplit("\n", 1)[0]
    loop = textwrap.indent(LOOP.format(file=str(note)).strip(), "    ")
    source = stubs.replace(source, "central_difference", f"{stub}\n{loop}")
    mine.path(exercises()["1.1"], "gradcheck.py").write_bytes(source.encode())
    kill("test", "1.1", until=lambda: note.exists() and note.read_text())
    pid = int(note.read_text())
    until = time.monotonic() + 5
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.05)
    outlived = is_running(pid)
    if outlived:
        os.kill(pid, signal.SIGKILL)
    assert not outlived


def test_a_killed_grading_can_be_graded_again(mine, kill, course):
    at_work = 0
    for _ in REPETITIONS[:3]:
        at_work += kill("test", "1.1", seconds=0.5)
        known, aside = state.load(mine.state_path)
        assert aside is None
        assert known.results.get("1.1", {}).get("state") in (None, "not started")
    assert "1.1 Central difference" in course("next")
    assert at_work > 0
