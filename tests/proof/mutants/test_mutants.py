"""Every known mistake, planted in the reference, is found by the tests of its own exercise.

The mutants of a stage stand in a file of their own. A name that begins with a number, as A01, is
that of a row in docs/mistakes.md.
"""

import importlib.util
import re
from pathlib import Path

import pytest

from course import ROOT
from course.authors.mutants import make_mutant
from course.grader import runner
from course.manifest import exercises, stages


def load(number):
    """The file of mutants of a stage."""
    path = Path(__file__).with_name(f"stage{number}.py")
    spec = importlib.util.spec_from_file_location(f"mutants{number}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FILES = {stage.number: load(stage.number) for stage in stages()}
PLANTED = [
    pytest.param(stage, mutant, id=f"{mutant.exercise} {mutant.name}")
    for stage in stages()
    for mutant in FILES[stage.number].MUTANTS
]


@pytest.mark.parametrize(("stage", "mutant"), PLANTED)
def test_a_mutant_is_found_by_its_own_exercise(stage, mutant, tmp_path, monkeypatch):
    if mutant.state == "timeout":
        monkeypatch.setenv("GLASSBOX_SECONDS", "5")
    make_mutant(stage, mutant, tmp_path)
    (found,) = runner.grade([exercises()[mutant.exercise]], code=tmp_path)
    assert found.state == mutant.state, found.text
    assert mutant.cause in found.text, found.text
    if not mutant.cause:  # what a test says for sure of a wrong value must be true of this mistake
        assert not found.cause, f"promise it, if it is right: {found.text}"


@pytest.mark.parametrize("number", FILES)
def test_every_row_of_the_list_is_a_mutant_or_left_open(number):
    row = rf"{'ABCDE'[number - 1]}\d\d"
    listed = (ROOT / "docs/mistakes.md").read_text(encoding="utf-8")
    planted = {m.name[:3] for m in FILES[number].MUTANTS if re.match(row, m.name)}
    left_open = FILES[number].LEFT_OPEN
    assert planted.isdisjoint(left_open)
    assert planted | left_open == set(re.findall(rf"^\| ({row}) \|", listed, re.MULTILINE))


@pytest.mark.parametrize("number", FILES)
def test_no_two_mutants_share_a_name(number):
    names = [(m.exercise, m.name) for m in FILES[number].MUTANTS]
    assert len(names) == len(set(names))
