"""The grade: nothing for stubs, everything for the reference, and each exercise on its own."""

import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from course import ROOT
from course.grader import rendering, runner
from course.grader.outcomes import PASSED
from course.manifest import Exercise, exercises
from course.workspace.folder import Workspace


def states(found):
    return {o.exercise: o.state for o in found}


def test_in_a_fresh_workspace_every_exercise_is_not_started(fresh_results, stage):
    assert states(fresh_results) == dict.fromkeys([e.id for e in stage.exercises], "not started")


def test_a_fresh_workspace_has_no_points(fresh_results, stage):
    assert rendering.score(stage, fresh_results) == (0, 0)


def test_a_solved_workspace_has_every_point(solved_results, stage):
    assert rendering.score(stage, solved_results) == (100, 20)


def test_the_reference_has_every_point(stage):
    assert rendering.score(stage, runner.grade(stage.exercises, code="reference")) == (100, 20)


def test_every_solved_exercise_raises_the_score_by_its_points(
    handed_out, tmp_path, stage, solve, fill, own_neuron
):
    steps = []
    for exercise in stage.exercises:
        before = steps[-1] if steps else handed_out
        steps.append(Workspace(tmp_path / exercise.id))
        shutil.copytree(before.root, steps[-1].root)
        solve(steps[-1], exercise.id)
        if exercise.id == "1.9":
            fill(steps[-1], "neuron.Neuron.__call__", own_neuron)
    with ThreadPoolExecutor(2) as pool:
        graded = list(pool.map(lambda step: runner.grade(stage.exercises, step), steps))
    scores = [sum(rendering.score(stage, found)) for found in graded]
    expected = [sum(e.points for e in stage.exercises[: i + 1]) for i in range(len(steps))]
    assert scores == expected


# The exit code of `course test`.


def test_an_unfinished_stage_ends_with_1(mine, course, fresh_results, monkeypatch):
    monkeypatch.setattr(runner, "grade", lambda *_, **__: fresh_results)
    assert course("test", "1").exit_code == 1


def test_a_finished_stage_ends_with_0(solved, course, solved_results, monkeypatch):
    monkeypatch.setattr(runner, "grade", lambda *_, **__: solved_results)
    assert course("test", "1").exit_code == 0


def test_the_bonus_is_not_needed_to_finish(solved, course, solved_results, monkeypatch):
    def without_bonus(*_, **__):
        return [o for o in solved_results if not exercises()[o.exercise].bonus]

    monkeypatch.setattr(runner, "grade", without_bonus)
    assert course("test", "1").exit_code == 0


def test_a_passed_exercise_ends_with_0(mine, course, solve):
    solve(mine, "1.1")
    assert course("test", "1.1").exit_code == 0


def test_an_unknown_name_ends_with_2(mine, course):
    assert course("test", "1.77").exit_code == 2


@pytest.fixture
def no_tests(monkeypatch):
    missing = property(lambda exercise: ROOT / "tests" / exercise.package / "missing.py")
    monkeypatch.setattr(Exercise, "tests", missing)


def test_a_grader_without_tests_ends_with_3(mine, course, no_tests):
    assert course("test", "1.1").exit_code == 3


def test_a_grader_without_tests_does_not_blame_the_learner(mine, course, no_tests):
    said = course("test", "1.1").stderr
    assert said.startswith("course: the grader itself failed, not your code.")


def test_ctrl_c_ends_with_130_and_a_word(mine, course, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "grade", interrupt)
    result = course("test", "1.1")
    assert (result.exit_code, result.stderr) == (130, "Stopped. Nothing was lost.\n")


def test_a_grader_that_cannot_start_ends_with_3(mine, course, monkeypatch, tmp_path):
    (tmp_path / "pytest.py").write_text("raise SystemExit(1)\n")  # found before the real one
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert course("test", "1.1").exit_code == 3


def test_a_limit_that_is_no_number_is_wrong_use(mine, course, monkeypatch):
    monkeypatch.setenv("GLASSBOX_SECONDS", "ten")
    result = course("test", "1.1")
    assert result.exit_code == 2
    assert result.stderr == "GLASSBOX_SECONDS: expected a number of seconds, got 'ten'\n"


@pytest.mark.parametrize(
    "name, value",
    [("PYTEST_ADDOPTS", "-x"), ("PYTEST_PLUGINS", "nonsense"), ("PYTHONOPTIMIZE", "1")],
)
def test_settings_of_the_learner_s_shell_do_not_change_the_grade(
    solved, fill, grade, monkeypatch, name, value
):
    monkeypatch.setenv(name, value)
    fill(solved, "gradcheck.central_difference", "return 0.0")
    found = grade(solved, "1.1", "1.5")
    assert (found["1.1"].state, found["1.5"].state) == ("wrong", "passed")


# What a run is remembered for.


def test_a_result_is_remembered(mine, course, solve):
    solve(mine, "1.1")
    course("test", "1.1")
    assert mine.state().passed("1.1")


def test_after_a_pass_the_next_exercise_is_shown(mine, course, solve):
    solve(mine, "1.1")
    assert "Next: 1.2 Local derivatives" in course("test", "1.1").stdout


def test_after_a_pass_in_a_later_stage_the_next_is_of_that_stage(mine, course, solve):
    solve(mine, "2.1")
    told = course("test", "2.1").output
    assert "Next: 2.2" in told


def test_what_another_file_kept_from_being_graded_has_changed_once_it_is_mended(solved, course):
    path = solved.root / "stage1_autodiff" / "derivatives.py"
    right = path.read_text(encoding="utf-8")
    path.write_text(right + "\n)", encoding="utf-8")
    course("test", "1")
    path.write_text(right, encoding="utf-8")
    course("test", "1.5")
    assert "error (changed since)" in course("status").output


def test_after_the_third_failure_hints_are_mentioned(mine, course, monkeypatch):
    wrong = runner.Outcome("1.1", "wrong", text="expected 6", tests=4)
    monkeypatch.setattr(runner, "grade", lambda *_, **__: [wrong])
    said = ["There are hints" in course("test", "1.1").stdout for _ in range(3)]
    assert said == [False, False, True]


def test_a_stub_is_no_failure(mine, course, fresh_results, monkeypatch):
    monkeypatch.setattr(runner, "grade", lambda *_, **__: fresh_results[:1])
    course("test", "1.1")
    assert mine.state().failures == {}


# Code that cannot be imported, or is not there: an error, never a pass of the reference.


def change(file, text):
    """A function that gives a file of a workspace another text, made from the old one."""

    def spoil(workspace):
        path = workspace.root / "stage1_autodiff" / file
        path.write_bytes(text(path.read_bytes()))

    return spoil


SPOILERS = {
    "deleted package": lambda workspace: shutil.rmtree(workspace.root / "stage1_autodiff"),
    "empty file": change("graph.py", lambda old: b""),
    "empty package file": change("__init__.py", lambda old: b""),
    "missing function": change("graph.py", lambda old: old.replace(b"def topo", b"def tipo")),
    "missing method": change("value.py", lambda old: old.replace(b"def __rpow__", b"def rpow")),
    "syntax": change("graph.py", lambda old: b"x = 1\ndef f(:\n    pass\n"),
    "indentation": change("graph.py", lambda old: b"def f():\n    x = 1\n  y = 2\n"),
    "latin-1 text": change("graph.py", lambda old: b"x = 1\ny = 'caf\xe9'\n"),
    "latin-1 comment": change("graph.py", lambda old: old + b"# caf\xe9\n"),
    "zeros": change("graph.py", lambda old: bytes(100)),
}


@pytest.fixture(scope="module")
def spoilt(grade_copies):
    """What grading says of solved workspaces that are spoilt in one way each."""
    return grade_copies(SPOILERS, "1.1", "1.4", "1.5")


@pytest.mark.parametrize("name", ["deleted package", "empty file", "empty package file", "zeros"])
def test_what_cannot_be_imported_gives_nothing(spoilt, name):
    assert {o.state for o in spoilt[name].values()} == {"error"}


def test_a_deleted_package_says_how_to_get_it_back(spoilt):
    assert "`course start` puts back what is missing" in spoilt["deleted package"]["1.1"].text


def test_a_missing_function_is_an_error_that_names_it(spoilt):
    found = spoilt["missing function"]["1.5"]
    assert found.state == "error"
    assert "topological_order" in found.text


def test_a_missing_method_is_an_error_of_its_exercise_only(spoilt):
    states = {id_: o.state for id_, o in spoilt["missing method"].items()}
    assert states == {"1.1": "passed", "1.4": "error", "1.5": "passed"}


def test_a_syntax_error_is_told_by_file_and_line(spoilt):
    assert spoilt["syntax"]["1.5"].where.endswith("graph.py:2")


def test_a_syntax_error_is_told_kindly(spoilt):
    assert spoilt["syntax"]["1.5"].text == (
        "Python cannot read this line: invalid syntax\n"
        "  def f(:\n"
        "Often a bracket or a colon is missing here or in the line above."
    )


def test_a_wrong_indentation_is_not_blamed_on_a_bracket(spoilt):
    found = spoilt["indentation"]["1.5"]
    assert "bracket" not in found.text
    assert "line up" in found.text


def test_text_that_is_not_utf_8_is_told_by_file_and_line(spoilt):
    found = spoilt["latin-1 text"]["1.5"]
    assert found.where.endswith("graph.py:2")
    assert "save it as UTF-8" in found.text


def test_a_comment_that_is_not_utf_8_does_no_harm(spoilt):
    assert spoilt["latin-1 comment"]["1.5"].state == PASSED


def test_a_file_of_zeros_names_no_line_that_is_not_there(spoilt):
    assert "None" not in spoilt["zeros"]["1.5"].where


def test_windows_line_ends_are_graded_as_any_other(solved, stage, grade):
    for path in (solved.root / stage.package).glob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert {o.state for o in grade(solved).values()} == {PASSED}


def test_a_file_of_the_learner_s_own_can_be_imported(solved, fill, grade):
    helper = solved.root / "stage1_autodiff" / "helper.py"
    helper.write_text("def half(x):\n    return x / 2\n")
    body = "from stage1_autodiff.helper import half\nreturn half(f(x + h) - f(x - h)) / h"
    fill(solved, "gradcheck.central_difference", body)
    assert grade(solved, "1.1")["1.1"].state == PASSED


def test_grading_leaves_no_trace_in_the_workspace(solved, grade, snapshot):
    before = snapshot(solved.root)
    grade(solved, "1.1")
    assert snapshot(solved.root) == before


def test_the_grader_reads_its_own_settings_not_the_folder_s(solved, grade):
    (solved.root / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    assert grade(solved, "1.1")["1.1"].state == PASSED
