"""`course check`: faults of the list are found before a learner finds them."""

from dataclasses import replace

import pytest

from course.authors import check
from course.authors.check import needs
from course.grader import runner
from course.grader.outcomes import Outcome
from course.manifest import stages


@pytest.fixture
def faults(stage):
    """What is wrong with the list if one exercise is another: `faults("1.3", hints=("a",))`."""

    def find(id_, **changes):
        changed = tuple(replace(e, **changes) if e.id == id_ else e for e in stage.exercises)
        return list(check._manifest(replace(stage, exercises=changed)))

    return find


def test_the_list_has_no_fault(faults):
    assert faults("1.1") == []


@pytest.mark.parametrize(
    "changes, fault",
    [
        ({"points": 16}, "expected 100 points without the bonus, got 101"),
        ({"hints": ("one", "two")}, "1.3: expected three hints, got 2"),
        ({"difficulty": 6}, "1.3: expected a difficulty of 1 to 5, got 6"),
        ({"section": "9.9"}, "1.3: expected a heading 9.9 in notebooks/stage1_autodiff.ipynb"),
        ({"prerequisites": ("1.6",)}, "1.3: expected its prerequisites to come before it, got 1.6"),
        ({"functions": ("value.Value.no",)}, "1.3: expected a function Value.no in value.py"),
        ({"functions": ("nowhere.f",)}, "1.3: expected a function f in nowhere.py, got none"),
        ({"functions": ("gradcheck.central_difference",)}, "belongs to 1.1 already"),
    ],
)
def test_a_fault_of_the_list_is_named(faults, changes, fault):
    found = faults("1.3", **changes)
    assert any(fault in one for one in found), found


def test_a_fault_of_a_later_list_is_told_in_words(course, monkeypatch, stage):
    later = stages()[1]
    lost = replace(later.exercises[0], functions=("tensor.lost",))
    broken = replace(later, exercises=(lost, *later.exercises[1:]))
    monkeypatch.setattr(check, "stages", lambda: (stage, broken))
    result = course("check", "1")
    assert result.exit_code == 1
    assert "stage2_tensor: 2.1: expected a function lost in tensor.py, got none" in result.stdout


def test_an_exercise_needs_what_its_prerequisites_need(stage):
    assert needs(stage, "1.4") == {"1.2", "1.3"}


def test_an_exercise_needs_what_only_the_reference_uses(stage):
    assert "1.11" in needs(stage, "1.9")


def test_the_first_exercise_needs_nothing(stage):
    assert needs(stage, "1.1") == set()


def test_a_reference_that_does_not_pass_is_a_fault(course, monkeypatch, stage):
    found = [Outcome(e.id, "wrong" if e.id == "1.3" else "passed") for e in stage.exercises]
    monkeypatch.setattr(runner, "grade", lambda *_, **__: found)
    result = course("check", "1")
    assert result.exit_code == 1
    assert "stage1_autodiff: 1.3: the reference is wrong." in result.stdout
