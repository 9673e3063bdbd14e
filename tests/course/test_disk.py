"""A full disk, or a folder that cannot be written: told in words, and nothing is lost."""

import errno
import os
import re
import shutil
import subprocess
import sys

import pytest

from course import files
from course.grader import runner
from course.workspace import state

FULL = re.compile(r"course: No space left on device: \S.*\. Nothing was lost\.\n")

COMMANDS = [
    ("hint", "1.1"),
    ("use", "1", "reference"),
    ("reset", "1.6"),
    ("reset", "1.6", "--file"),
    ("solution", "1.1", "--give-up"),
    ("status",),
]


@pytest.fixture
def full_disk(monkeypatch):
    """From now on every file that is written finds no space."""

    def fill_up():
        def fail(handle):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(files.os, "fsync", fail)

    return fill_up


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_is_told_in_words(solved, course, full_disk, command):
    full_disk()
    result = course(*command)
    assert FULL.fullmatch(result.stderr)
    assert result.exit_code == 3


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_changes_nothing(solved, course, full_disk, snapshot, command):
    with state.change(solved.state_path) as known:
        known.hints["1.5"] = 2
    before = snapshot(solved.root)
    full_disk()
    course(*command)
    assert snapshot(solved.root) == before


def test_a_start_without_space_is_told_in_words(course, full_disk):
    full_disk()
    assert FULL.fullmatch(course("start").stderr)


def test_a_start_without_space_can_be_completed(course, full_disk, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(files.os, "fsync", lambda handle: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            course("start")
    assert course("start").stdout.startswith("Added to")


def test_a_full_disk_does_not_hide_the_result(mine, course, full_disk, fresh_results, monkeypatch):
    monkeypatch.setattr(runner, "grade", lambda *_, **__: fresh_results[:1])
    full_disk()
    result = course("test", "1.1")
    assert "1.1 Central difference: not started" in result.stdout
    assert FULL.fullmatch(result.stderr)


# The same with a real disk of 2 MB and a real read-only folder, in a view of the file system
# that ends with the process.

PRIVATE = ["unshare", "--map-root-user", "--mount", "sh", "-ec"]


def can_mount():
    if not shutil.which("unshare"):
        return False
    try:
        command = [*PRIVATE, "mount -t tmpfs none /mnt"]
        return subprocess.run(command, capture_output=True, timeout=10).returncode == 0
    except OSError:
        return False


needs_mount = pytest.mark.skipif(not can_mount(), reason="file systems cannot be mounted here")

SMALL_DISK = """
cp -a "$0" "$0.kept"
mount -t tmpfs -o size=32m none "$0"
cp -a "$0.kept/." "$0"
dd if=/dev/zero of="$0/filler" bs=4k 2>/dev/null || true
"""
READ_ONLY = """
mount --bind "$0" "$0"
mount -o remount,bind,ro "$0"
"""
RUN = """
cd /
rc=0
"$1" -m course {command} || rc=$?
echo "exit code $rc"
cat "$0/stage1_autodiff/graph.py"
cat "$0/.course/state.json"
"""


@pytest.fixture
def in_a_private_view(solved, shell):
    """Run a command where the workspace is mounted as told; what it prints, then two files."""

    def run(mount, command):
        with state.change(solved.state_path) as known:
            known.hints["1.5"] = 2
        script = mount + RUN.format(command=command)
        done = shell(*PRIVATE, script, solved.root, sys.executable)
        kept = files.read(solved.root / "stage1_autodiff" / "graph.py")
        return done, kept + files.read(solved.state_path)

    return run


@needs_mount
@pytest.mark.parametrize("mount", [SMALL_DISK, READ_ONLY], ids=["full", "read-only"])
@pytest.mark.parametrize("command", ["hint 1.1", "reset 1.6"])
def test_a_real_disk_that_takes_nothing_loses_nothing(in_a_private_view, mount, command):
    done, kept = in_a_private_view(mount, command)
    said, files_after = done.stdout.split("exit code 3\n")
    assert said == ""
    assert files_after == kept


@needs_mount
@pytest.mark.parametrize(
    "mount, words",
    [(SMALL_DISK, "No space left on device"), (READ_ONLY, "Read-only file system")],
    ids=["full", "read-only"],
)
def test_a_real_disk_that_takes_nothing_is_told_in_words(in_a_private_view, mount, words):
    done, _ = in_a_private_view(mount, "hint 1.1")
    assert done.stderr.startswith(f"course: {words}")
    assert done.stderr.endswith(". Nothing was lost.\n")


@needs_mount
def test_a_read_only_workspace_can_be_graded(in_a_private_view):
    done, _ = in_a_private_view(READ_ONLY, "test 1.1")
    assert "1.1  Central difference  5/5  passed" in done.stdout


@needs_mount
@pytest.mark.parametrize("command", ["next", "doctor"])
def test_a_read_only_workspace_can_be_read(in_a_private_view, command):
    done, _ = in_a_private_view(READ_ONLY, command)
    assert "Traceback" not in done.stderr
    assert "exit code 3" not in done.stdout
