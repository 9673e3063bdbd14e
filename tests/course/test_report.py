"""Results for machines: every exercise once, and nothing for what did not pass."""

import json
from xml.etree import ElementTree

import pytest

from course.grader import outcomes, runner
from course.grader.outcomes import Outcome
from course.grader.printed import readable

SCHEMA = {
    "stage": str,
    "points": int,
    "max_points": int,
    "bonus_points": int,
    "max_bonus_points": int,
    "exercises": list,
}
EXERCISE_SCHEMA = {
    "id": str,
    "title": str,
    "state": str,
    "points": int,
    "max_points": int,
    "bonus": bool,
    "tests_passed": int,
    "tests": int,
    "feedback": str,
    "printed": str,
    "also_failing": list,
    "traceback": str,
}
NOT_PASSED = ["not started", "blocked", "wrong", "error", "timeout", "crash"]


@pytest.fixture
def graded(mine, stage, monkeypatch):
    """Let grading come out as told: `graded("wrong")` for all exercises, or 1.1 alone passed."""

    def arrange(state, but=(), text=""):
        found = [
            Outcome(e.id, outcomes.PASSED if e.id in but else state, text=text, passes=1, tests=2)
            for e in stage.exercises
        ]
        monkeypatch.setattr(runner, "grade", lambda *_, **__: found)

    return arrange


@pytest.fixture
def as_json(course):
    def run():
        (stage,) = json.loads(course("report", "1").stdout)["stages"]
        return stage

    return run


@pytest.fixture
def as_xml(course):
    return lambda: ElementTree.fromstring(course("report", "1", "--format", "junit").stdout)


@pytest.fixture
def table_rows(course):
    def run():
        lines = course("report", "1", "--format", "markdown").stdout.split("\n")
        return [line.strip("| ").split(" | ") for line in lines if line.startswith("| 1.")]

    return run


# JSON.


def test_json_has_a_schema_of_its_own(graded, course):
    graded("passed")
    assert json.loads(course("report", "1").stdout)["schema"] == "glassbox/report/v1"


def test_json_has_the_fields_of_a_stage(graded, as_json):
    graded("wrong")
    assert {name: type(value) for name, value in as_json().items()} == SCHEMA


def test_json_has_the_fields_of_an_exercise(graded, as_json):
    graded("wrong", but=["1.1"])
    for row in as_json()["exercises"]:
        assert {name: type(value) for name, value in row.items()} == EXERCISE_SCHEMA


def test_json_names_every_exercise_once(graded, as_json, stage):
    graded("wrong")
    assert [row["id"] for row in as_json()["exercises"]] == [e.id for e in stage.exercises]


def test_json_gives_every_point_for_everything(graded, as_json):
    graded("passed")
    report = as_json()
    assert (report["points"], report["bonus_points"]) == (100, 20)


@pytest.mark.parametrize("state", NOT_PASSED)
def test_json_gives_nothing_for_what_did_not_pass(graded, as_json, state):
    graded(state, but=["1.1"])
    report = as_json()
    assert sum(row["points"] for row in report["exercises"]) == report["points"] == 5


def test_json_keeps_the_highest_possible_points(graded, as_json):
    graded("wrong")
    report = as_json()
    assert (report["max_points"], report["max_bonus_points"]) == (100, 20)


# JUnit XML.


def test_xml_has_a_suite_per_stage(graded, as_xml):
    graded("wrong", but=["1.1"])
    root = as_xml()
    (suite,) = root
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    assert suite.attrib == {"name": "stage1_autodiff", "tests": "13", "failures": "12"}


def test_xml_names_every_exercise_once(graded, as_xml, stage):
    graded("wrong")
    names = [case.get("name") for case in as_xml().iter("testcase")]
    assert names == [f"{e.id} {e.title}" for e in stage.exercises]


def test_xml_names_the_class_of_every_case(graded, as_xml):
    graded("wrong")
    assert {case.get("classname") for case in as_xml().iter("testcase")} == {"stage1_autodiff"}


@pytest.mark.parametrize("state", NOT_PASSED)
def test_xml_fails_what_did_not_pass(graded, as_xml, state):
    graded(state, but=["1.1"])
    failed = [case.find("failure") is not None for case in as_xml().iter("testcase")]
    assert failed == [False] + [True] * 12


def test_xml_carries_the_feedback(graded, as_xml):
    graded("wrong", text=readable("expected 1 < 2 & got \x1b[31m3\x00 ä \ufffe"))
    failure = as_xml().find(".//failure")
    assert failure.text == "expected 1 < 2 & got 3 ä "


def test_xml_has_no_failure_where_everything_passes(graded, as_xml):
    graded("passed")
    assert list(as_xml().iter("failure")) == []


# Markdown.


def test_markdown_names_every_exercise_once(graded, table_rows, stage):
    graded("wrong")
    assert [row[0] for row in table_rows()] == [f"{e.id} {e.title}" for e in stage.exercises]


def test_markdown_shows_points_and_result(graded, table_rows):
    graded("timeout", but=["1.1"])
    first, second, *_ = table_rows()
    assert (first[1:], second[1:]) == (["5/5", "passed"], ["0/10", "timeout"])


def test_markdown_marks_the_bonus(graded, table_rows):
    graded("passed")
    assert table_rows()[-1][1:] == ["5/5 bonus", "passed"]


def test_markdown_begins_with_the_score(graded, course):
    graded("passed")
    said = course("report", "1", "--format", "markdown").stdout
    assert said.startswith("## stage1_autodiff: 100/100 points and 20 bonus points\n")


# The command.


@pytest.mark.parametrize("form", ["json", "junit", "markdown"])
@pytest.mark.parametrize("state, code", [("passed", 0), ("wrong", 1)])
def test_the_exit_code_says_whether_every_point_was_made(graded, course, form, state, code):
    graded(state)
    assert course("report", "1", "--format", form).exit_code == code


def test_the_bonus_is_not_needed(graded, course, stage):
    graded("wrong", but=[e.id for e in stage.exercises if not e.bonus])
    assert course("report", "1").exit_code == 0


def test_an_unknown_format_is_wrong_use(mine, course):
    assert course("report", "--format", "pdf").exit_code == 2


def test_a_folder_that_is_not_there_is_wrong_use(mine, course, tmp_path):
    result = course("report", "--code", str(tmp_path / "nowhere"))
    assert result.exit_code == 2
    assert result.stderr.startswith("report: expected a folder, got ")


def test_a_folder_can_be_graded_without_a_workspace(all_solved, course):
    said = course("report", "1", "--code", str(all_solved.root)).stdout
    assert json.loads(said)["stages"][0]["points"] == 100


def test_a_folder_without_the_package_gets_nothing(tmp_path, course):
    said = course("report", "1", "--code", str(tmp_path)).stdout
    assert {row["state"] for row in json.loads(said)["stages"][0]["exercises"]} == {"error"}


def test_a_report_changes_nothing_in_the_workspace(graded, mine, course, snapshot):
    graded("passed")
    before = snapshot(mine.root)
    course("report", "1")
    assert snapshot(mine.root) == before
