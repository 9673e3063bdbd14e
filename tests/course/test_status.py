"""`status`, `next` and `use`: where one stands, and what later stages are built on."""

import re
from datetime import datetime, timedelta

import pytest

from course.manifest import exercises
from course.workspace import state


@pytest.fixture
def remember(mine):
    """Set parts of the state: `remember(results={"1.1": "passed"})`."""

    def change(results=None, **parts):
        with state.change(mine.state_path) as known:
            for id_, found in (results or {}).items():
                known.results[id_] = {"state": found}
            for name, value in parts.items():
                setattr(known, name, value)

    return change


def test_status_names_the_workspace_it_speaks_of(mine, course):
    assert course("status").stdout.startswith(f"Workspace {mine.root}\n")


def line_of(text, id_):
    """The words of the line about one exercise."""
    (line,) = [line for line in text.split("\n") if line.split()[:1] == [id_]]
    return re.sub(" {2,}", "  ", line.strip())


def test_a_fresh_workspace_has_no_points(mine, course):
    first_line = course("status").stdout.split("\n")[1]
    assert first_line.endswith(": 0/100 points and 0 of 20 bonus points")


def test_a_fresh_exercise_is_not_started(mine, course):
    said = course("status").stdout
    assert line_of(said, "1.1") == "1.1  Central difference  5  not started"


def test_bonus_points_are_marked(mine, course):
    said = course("status").stdout
    assert line_of(said, "1.12") == "1.12  Dual numbers: forward mode  10 bonus  not started"


def test_points_are_those_of_the_exercises_that_passed(mine, course, remember):
    remember(results={"1.1": "passed", "1.2": "wrong", "1.3": "passed", "1.13": "passed"})
    first_line = course("status").stdout.split("\n")[1]
    assert first_line.endswith(": 20/100 points and 5 of 20 bonus points")


def test_code_that_was_never_graded_is_told(mine, course, fill):
    fill(mine, "gradcheck.central_difference", "return 0.0")
    assert line_of(course("status").stdout, "1.1").endswith("written, not graded yet")


def test_code_that_changed_since_it_was_graded_is_told(mine, course, fill, remember):
    remember(results={"1.1": "passed"})
    fill(mine, "gradcheck.central_difference", "return 0.0")
    assert line_of(course("status").stdout, "1.1").endswith("passed (changed since)")


@pytest.mark.parametrize(
    "ago, said",
    [
        (timedelta(seconds=5), "a moment ago"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=23), "23 hours ago"),
        (timedelta(days=1), "1 day ago"),
        (timedelta(days=40), "40 days ago"),
    ],
)
def test_the_last_visit_is_told(mine, course, remember, ago, said):
    remember(visited=(datetime.now() - ago).isoformat(timespec="seconds"))
    assert f"Last visit: {said}.\n" in course("status").stdout


def test_the_first_visit_speaks_of_no_other(mine, course):
    assert "Last visit" not in course("status").stdout


def test_a_visit_is_remembered(mine, course):
    course("status")
    assert "Last visit: a moment ago." in course("status").stdout


def test_status_without_a_workspace_says_how_to_get_one(course):
    result = course("status")
    assert result.exit_code == 2
    assert result.stderr.endswith("got none; type: course start\n")


def test_a_workspace_that_is_not_where_the_environment_says_is_told(course, monkeypatch, tmp_path):
    monkeypatch.setenv("GLASSBOX_WORKSPACE", str(tmp_path / "gone"))
    assert f"expected a workspace in {tmp_path / 'gone'}" in course("status").stderr


# What is next.


def test_the_first_exercise_is_next_at_first(mine, course):
    assert course("next").stdout.startswith("Next: 1.1 Central difference\n")


def test_the_first_that_has_not_passed_is_next(mine, course, remember):
    remember(results={"1.1": "passed", "1.2": "wrong", "1.3": "passed"})
    assert course("next").stdout.startswith("Next: 1.2 Local derivatives\n")


def test_next_says_what_to_write_and_where(mine, course, stage):
    path = mine.root / stage.package / "gradcheck.py"
    lines = path.read_text(encoding="utf-8").split("\n")
    number = next(i for i, line in enumerate(lines, 1) if line.startswith("def central_diff"))
    assert f"  write  {path}:{number}  central_difference\n" in course("next").stdout


def test_the_bonus_comes_last(mine, course, remember):
    remember(results={e.id: "passed" for e in exercises().values() if not e.bonus})
    assert course("next").stdout.startswith("Next: 1.11 Make it fast: one node per neuron, a bonus")


def test_after_the_last_exercise_none_is_next(mine, course, remember):
    remember(results=dict.fromkeys(exercises(), "passed"))
    assert course("next").stdout.startswith("Every exercise has passed.")


def test_next_works_although_the_file_cannot_be_read(mine, course, stage):
    path = mine.root / stage.package / "gradcheck.py"
    path.write_bytes(b"caf\xe9 (")
    assert f"  write  {path}  central_difference\n" in course("next").stdout


# On which code later stages are built.


def test_use_is_remembered(mine, course):
    course("use", "1", "reference")
    assert mine.state().use == {"stage1_autodiff": "reference"}


def test_use_says_what_is_imported_from_now_on(mine, course):
    said = course("use", "1", "reference").stdout
    assert (
        said == "Later stages, and their notebooks, now import the reference of stage1_autodiff.\n"
    )


def test_using_unfinished_code_is_told(mine, course):
    said = course("use", "1", "mine").stdout
    assert "Not all of its exercises pass yet" in said


def test_using_finished_code_needs_no_warning(mine, course, stage, remember):
    remember(results={e.id: "passed" for e in stage.exercises})
    assert course("use", "1", "mine").stdout.count("\n") == 1


def test_using_somebody_else_s_code_is_wrong_use(mine, course):
    assert course("use", "1", "theirs").exit_code == 2
