"""From the failure of a test to the state of an exercise."""

import pytest

from course.grader import outcomes
from course.grader.outcomes import Outcome
from course.manifest import exercises

FIRST, SECOND = exercises()["1.1"], exercises()["1.2"]


def test_the_name_of_a_test_is_a_sentence():
    assert outcomes.in_words("test_a_plus_a_is_2a[zero]") == "a plus a is 2a [zero]"


def test_an_exercise_whose_tests_all_pass_has_passed():
    (found,) = outcomes.summarise([FIRST], [Outcome("1.1", "passed")] * 3, [], {})
    assert (found.state, found.passes, found.tests) == ("passed", 3, 3)


def test_one_failure_is_enough():
    mixed = [Outcome("1.1", "passed"), Outcome("1.1", "wrong"), Outcome("1.1", "passed")]
    (found,) = outcomes.summarise([FIRST], mixed, [], {})
    assert (found.state, found.passes, found.tests) == ("wrong", 2, 3)


def test_the_first_failure_is_shown():
    mixed = [Outcome("1.1", "wrong", text="first"), Outcome("1.1", "error", text="second")]
    (found,) = outcomes.summarise([FIRST], mixed, [], {})
    assert found.text == "first"


def test_a_failure_that_knows_its_cause_goes_first():
    mixed = [Outcome("1.1", "wrong", text="first"), Outcome("1.1", "wrong", text="b", cause="c")]
    (found,) = outcomes.summarise([FIRST], mixed, [], {})
    assert found.text == "b"


def test_what_is_written_and_wrong_goes_before_what_is_not_written():
    mixed = [Outcome("1.1", "not started"), Outcome("1.1", "wrong", text="b")]
    (found,) = outcomes.summarise([FIRST], mixed, [], {})
    assert found.state == "wrong"


def test_the_other_failing_tests_are_named_once():
    names = ["a", "b", "b", "c"]
    mixed = [Outcome("1.1", "wrong", test=name) for name in names]
    (found,) = outcomes.summarise([FIRST], mixed, [], {})
    assert (found.test, found.also) == ("a", ["b", "c"])


def test_some_of_the_tests_are_no_grade():
    (found,) = outcomes.summarise([FIRST], [Outcome("1.1", "passed")], [], {"1.1": 4})
    assert (found.state, found.label) == ("no grade", "no grade: 1 of 4 tests ran")


def test_every_exercise_is_reported_once():
    several = [Outcome("1.1", "wrong"), Outcome("1.1", "wrong"), Outcome("1.2", "passed")]
    found = outcomes.summarise([FIRST, SECOND], several, [], {})
    assert [o.exercise for o in found] == ["1.1", "1.2"]


def test_an_exercise_without_a_test_is_an_error():
    (found,) = outcomes.summarise([FIRST], [Outcome("1.2", "passed")], [], {})
    assert (found.state, found.text) == ("error", outcomes.NO_TEST)


def test_a_file_that_cannot_be_read_fails_what_it_left_ungraded():
    unreadable = Outcome("", "error", text="Python cannot read this line")
    found = outcomes.summarise([FIRST, SECOND], [Outcome("1.1", "passed")], [unreadable], {})
    assert [(o.exercise, o.state) for o in found] == [("1.1", "passed"), ("1.2", "error")]


@pytest.mark.parametrize(
    "state, by, label",
    [("blocked", "1.2", "blocked by 1.2"), ("wrong", "", "wrong"), ("passed", "", "passed")],
)
def test_a_state_is_shown_in_words(state, by, label):
    assert Outcome("1.3", state, blocked_by=by).label == label
