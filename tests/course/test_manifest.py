"""The list of exercises, and names that are not on it."""

import pytest

from course import UsageError
from course.manifest import exercises, find, find_exercise, find_stage, stages


def test_stage_1_is_worth_100_points_and_20_more(stage):
    assert (stage.points, stage.bonus) == (100, 20)


def test_the_ids_count_up_from_1(stage):
    assert [e.id for e in stage.exercises] == [f"1.{i}" for i in range(1, 14)]


@pytest.mark.parametrize("exercise", exercises().values(), ids=lambda e: e.id)
def test_an_exercise_has_tests_of_its_own(exercise):
    assert f'exercise("{exercise.id}")' in exercise.tests.read_text(encoding="utf-8")


@pytest.mark.parametrize("exercise", exercises().values(), ids=lambda e: e.id)
def test_an_exercise_has_three_hints(exercise):
    assert len(exercise.hints) == 3


@pytest.mark.parametrize("name", ["1", "stage1", "stage1_autodiff"])
def test_a_stage_has_three_names(name):
    assert find(name) is stages()[0]


def test_an_exercise_is_found_by_its_id():
    assert find("1.4").title == "Division and power"


@pytest.mark.parametrize("name, nearest", [("1.14", "1.4"), ("1,5", "1.5"), ("11.3", "1.3")])
def test_the_nearest_exercise_is_suggested(name, nearest):
    with pytest.raises(UsageError, match=f"got '{name}'; did you mean {nearest}\\?"):
        find_exercise(name)


@pytest.mark.parametrize("name", ["stage1_autodif", "stage_1_autodiff"])
def test_the_nearest_stage_is_suggested(name):
    with pytest.raises(UsageError, match=f"got '{name}'; did you mean stage1_autodiff"):
        find_stage(name)


def test_where_nothing_is_near_the_list_is_named():
    with pytest.raises(UsageError, match="got 'x'; course status lists them all"):
        find_exercise("x")


def test_an_unknown_exercise_is_told_the_range_of_ids():
    with pytest.raises(UsageError, match=r"exercise: expected one of 1\.1 to \d\.\d+, got '9\.9'"):
        find_exercise("9.9")


def test_an_unknown_stage_is_told_the_names():
    with pytest.raises(UsageError, match="stage: expected one of 1"):
        find_stage("7")
