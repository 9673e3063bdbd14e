"""What is remembered: written under a lock, moved aside when damaged, never guessed."""

import json
import sys

import pytest

from course import files
from course.grader import runner
from course.workspace import state
from course.workspace.state import State

DAMAGED = {
    "empty": "",
    "no JSON": "{'schema': 1",
    "a list": "[]",
    "a number": "3",
    "of another program": '{"version": 2, "name": "left-pad"}',
    "of no course yet": '{"schema": 0}',
    "results as a list": '{"schema": 1, "results": []}',
    "a result as a word": '{"schema": 1, "results": {"1.1": "passed"}}',
    "a result without state": '{"schema": 1, "results": {"1.1": {"at": "now"}}}',
    "a count as a word": '{"schema": 1, "hints": {"1.1": "two"}}',
    "a count below 0": '{"schema": 1, "hints": {"1.1": -3}}',
    "given up by number": '{"schema": 1, "given_up": [1.1]}',
    "use of a number": '{"schema": 1, "use": {"stage1_autodiff": 3}}',
    "brackets without end": "[" * 100_000,
}

damaged = pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED.keys())


@pytest.fixture
def path(tmp_path):
    return tmp_path / ".course" / "state.json"


def test_without_a_file_nothing_is_remembered(path):
    assert state.load(path) == (State(), None)


def test_a_change_is_remembered(path):
    with state.change(path) as known:
        known.hints["1.1"] = 2
    assert state.load(path)[0].hints == {"1.1": 2}


def test_a_change_that_fails_is_not_remembered(path):
    with pytest.raises(ZeroDivisionError), state.change(path) as known:
        known.hints["1.1"] = 1 / 0
    assert state.load(path)[0].hints == {}


def test_a_full_disk_leaves_the_old_state(path, monkeypatch):
    def fail(path, content):
        raise OSError("no space")

    with state.change(path) as known:
        known.hints["1.1"] = 2
    monkeypatch.setattr(files, "write", fail)
    with pytest.raises(OSError, match="no space"), state.change(path) as known:
        known.hints["1.1"] = 3
    assert state.load(path)[0].hints == {"1.1": 2}


@damaged
def test_a_damaged_file_is_kept_aside(path, text):
    files.write(path, text)
    _, aside = state.load(path)
    assert aside is not None
    assert files.read(aside) == text


@damaged
def test_a_damaged_file_counts_as_none(path, text):
    files.write(path, text)
    known, _ = state.load(path)
    assert (known.results, known.hints, known.given_up, known.use) == ({}, {}, [], {})


def test_what_a_newer_version_keeps_is_kept(path):
    newer = {"schema": 2, "hints": {"1.1": 2}, "given_up": {"1.1": "reason"}, "streak": [1, 2]}
    files.write(path, json.dumps(newer))
    with state.change(path) as known:
        known.hints["1.2"] = 1
    kept = json.loads(files.read(path))
    assert {name: kept[name] for name in newer} == newer | {"hints": {"1.1": 2, "1.2": 1}}


def test_a_file_of_bytes_is_kept_aside(path):
    files.write(path, b"\xff\x00\xfe")
    _, aside = state.load(path)
    assert aside is not None
    assert aside.read_bytes() == b"\xff\x00\xfe"


def test_no_damaged_file_is_lost_to_another(path):
    for text in ("one", "two"):
        files.write(path, text)
        state.load(path)
    kept = path.parent.glob("state.damaged-*")
    assert sorted(files.read(aside) for aside in kept) == ["one", "two"]


def test_two_terminals_may_find_the_same_damage(path, monkeypatch):
    def other_terminal_is_faster(text):
        path.unlink()
        raise ValueError

    files.write(path, "damaged")
    monkeypatch.setattr(state, "_parse", other_terminal_is_faster)
    assert state.load(path)[0].hints == {}


COUNT = """
import sys, time
from pathlib import Path
from course.workspace import state

path, me, other = map(Path, sys.argv[1:])
me.touch()
while not other.exists():  # so that both count at the same time
    time.sleep(0.001)
for _ in range(40):
    with state.change(path) as known:
        count = known.failures.get("1.1", 0)
        time.sleep(0.001)
        known.failures["1.1"] = count + 1
"""


def test_two_terminals_that_count_lose_no_count(path, terminals, tmp_path):
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    command = [sys.executable, "-c", COUNT, str(path)]
    both = [terminals([*command, one, two]), terminals([*command, two, one])]
    assert [one.wait(30) for one in both] == [0, 0]
    assert state.load(path)[0].failures == {"1.1": 80}


def test_the_file_is_plain_json(path):
    with state.change(path) as known:
        known.given_up.append("1.1")
    assert json.loads(files.read(path))["given_up"] == ["1.1"]


# `course status` counts again what was lost.


@pytest.fixture
def graded(solved_results, monkeypatch):
    """Let grading say that everything passes."""

    def grade(asked, *_, **__):
        return [o for o in solved_results if o.exercise in {e.id for e in asked}]

    monkeypatch.setattr(runner, "grade", grade)


def test_status_counts_the_points_again_from_the_code(solved, course):
    files.write(solved.state_path, "damaged")
    assert "100/100 points and 20 of 20 bonus points" in course("status").stdout


def test_status_counts_again_only_once(solved, course, graded):
    files.write(solved.state_path, "damaged")
    course("status")
    assert "damaged" not in course("status").stdout


def test_status_says_where_the_damaged_file_is(solved, course, graded):
    files.write(solved.state_path, "damaged")
    said = course("status").stdout
    (aside,) = solved.course.glob("state.damaged-*")
    assert f"The state file was damaged and is kept as {aside}." in said


@pytest.mark.parametrize("command", [("next",), ("hint", "1.5"), ("test", "1.5")], ids=" ".join)
def test_status_counts_again_even_if_another_command_met_the_damage_first(
    solved, course, graded, command
):
    files.write(solved.state_path, "damaged")
    course(*command)
    assert "100/100 points" in course("status").stdout


def test_two_terminals_at_once_leave_both_effects(mine, terminals):
    course = [sys.executable, "-m", "course"]
    both = [terminals([*course, *command]) for command in (["test", "1.1"], ["hint", "1.1"])]
    assert [one.wait(60) for one in both] == [1, 0]
    known = mine.state()
    assert (known.results["1.1"]["state"], known.hints) == ("not started", {"1.1": 1})
