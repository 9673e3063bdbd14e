"""The targets and the table of the benchmarks. Nothing is measured here."""

import io
from collections import Counter

import pytest
from rich.console import Console

from benchmarks import peers, table
from benchmarks.__main__ import measured, parser
from benchmarks.stages import STAGES, targets
from benchmarks.target import Result, Target, UnmeasurableError, measure

TARGETS = [target for stage in STAGES for target in targets(stage)]


def a_target(goal, *pairs):
    """A target whose figures are known beforehand."""
    return Target("a step", "NumPy", goal, lambda rounds: list(pairs))


def unmeasurable(rounds):
    raise UnmeasurableError("Linux only")


@pytest.fixture
def no_peers(monkeypatch):
    """No library is installed but our own."""
    monkeypatch.setattr(peers, "load", lambda library: None)


def rendered(groups):
    console = Console(width=160, file=io.StringIO())
    with console.capture() as capture:
        console.print(table.table(groups))
    return capture.get()


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_has_targets(stage):
    assert targets(stage)


def test_no_two_targets_have_one_name():
    names = Counter((target.what, target.peer) for target in TARGETS)
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: f"{t.what} / {t.peer}")
def test_a_target_names_a_known_peer_and_a_goal_or_none(target):
    assert target.library in peers.MODULES
    assert target.goal is None or target.goal >= 0


def test_there_are_goals_in_every_stage():
    with_goals = [stage for stage in STAGES if any(t.goal is not None for t in targets(stage))]
    assert with_goals == ["stage1", "stage2", "stage3", "stage4", "stage5"]


@pytest.mark.parametrize("stage", STAGES)
def test_the_table_shows_every_row_when_all_peers_are_missing(stage, no_peers):
    [results] = measured([targets(stage)], rounds=1)
    assert rendered([results]).count("peer missing") == len(targets(stage))
    assert all(result.ratios == [] for result in results)


def test_a_missing_peer_is_named(no_peers):
    assert "micrograd is missing" in table.machine()


@pytest.mark.parametrize("goal, verdict", [(0.5, "met"), (0.4, "missed"), (None, "no goal")])
def test_the_median_is_judged(goal, verdict):
    assert measure(a_target(goal, (1, 2), (1, 10), (3, 1)), 3).verdict == verdict


def test_a_row_shows_the_median_the_smallest_and_the_largest():
    result = measure(a_target(0.5, (1, 2), (3, 4), (1, 50)), 3)
    assert table.cells(result) == ["a step", "NumPy", "0.50 (0.020 .. 0.75)", "0.5", "met"]


def test_what_cannot_be_measured_here_is_shown_with_the_reason():
    result = measure(Target("memory", "NumPy", 0.8, unmeasurable), 1)
    assert table.cells(result) == ["memory", "NumPy", "", "0.8", "Linux only"]


def test_results_are_counted_by_verdict():
    results = [Result(a_target(1), ((1, 2),)), Result(a_target(1), obstacle="peer missing")]
    assert table.summary(results) == "1 met, 1 peer missing"


def test_a_busy_machine_is_said_to_be_busy(monkeypatch):
    monkeypatch.setattr(table.os, "cpu_count", lambda: 2)
    assert table.warning([0.3, 2.0]) == ""
    assert "up to 2.5 processes wanted its 2 cores" in table.warning([2.5, 0.3])


def test_an_unknown_stage_is_refused(capsys):
    with pytest.raises(SystemExit):
        parser().parse_args(["stage6"])
    assert "expected one of stage1, stage2" in capsys.readouterr().err
