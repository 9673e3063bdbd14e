"""`pytest tests/stage1_autodiff` grades too: the workspace if there is one, and it says so."""

import os
import re
import subprocess
import sys

import pytest

from course import ROOT

TESTS = ROOT / "tests" / "stage1_autodiff"
FIRST = TESTS / "test_1_01_central_difference.py"
QUIET = ["-p", "no:cacheprovider"]
PYTEST = [os.path.join(os.path.dirname(sys.executable), "pytest"), *QUIET]
PYTHON_PYTEST = [sys.executable, "-m", "pytest", *QUIET]


def table(text):
    """The lines about the exercises."""
    return re.findall(r"^1\.\d+  .*$", text, re.MULTILINE)


@pytest.fixture(scope="module")
def whole_stage(handed_out):
    """`pytest tests/stage1_autodiff` in the checkout, with a fresh workspace."""
    names = ("GLASSBOX_CODE", "GLASSBOX_SECONDS")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    return subprocess.run(
        [*PYTEST, str(TESTS)],
        cwd=ROOT,
        env=environment | {"GLASSBOX_WORKSPACE": str(handed_out.root)},
        capture_output=True,
        encoding="utf-8",
    )


def test_the_header_says_whose_code_is_graded(whole_stage, handed_out, stage):
    assert (
        f"grading {stage.package}: yours ({handed_out.root / stage.package})"
        in (whole_stage.stdout.split("collected")[0])
    )


def test_every_exercise_is_told_once(whole_stage, stage):
    told = [line.split()[0] for line in table(whole_stage.stdout)]
    assert told == [e.id for e in stage.exercises]


def test_every_exercise_has_the_state_that_course_test_gives(whole_stage, fresh_results):
    told = [re.split(" {2,}", line)[-1] for line in table(whole_stage.stdout)]
    assert told == [o.label for o in fresh_results]


def test_the_points_are_told(whole_stage):
    assert "stage1_autodiff: 0/100 points" in whole_stage.stdout


def test_unfinished_exercises_fail_the_run(whole_stage):
    assert whole_stage.returncode == 1


def test_python_m_pytest_does_the_same(mine, shell):
    done = shell(*PYTHON_PYTEST, FIRST, cwd=ROOT)
    assert f"grading stage1_autodiff: yours ({mine.root / 'stage1_autodiff'})" in done.stdout
    assert "1.1  Central difference  0/5  not started" in done.stdout


def test_from_inside_the_workspace_it_is_graded(mine, shell, monkeypatch):
    monkeypatch.delenv("GLASSBOX_WORKSPACE")
    done = shell(*PYTEST, FIRST, cwd=mine.root / "stage1_autodiff")
    assert f"grading stage1_autodiff: yours ({mine.root / 'stage1_autodiff'})" in done.stdout


def test_from_any_other_folder_it_is_graded(mine, shell, tmp_path):
    done = shell(*PYTEST, FIRST, cwd=tmp_path)
    assert "1.1  Central difference  0/5  not started" in done.stdout


def test_the_reference_can_be_asked_for(mine, shell):
    done = shell(*PYTEST, FIRST, cwd=ROOT, GLASSBOX_CODE="reference")
    assert "grading stage1_autodiff: the reference" in done.stdout
    assert "1.1  Central difference  5/5  passed" in done.stdout


def test_the_feedback_is_that_of_course_test(mine, shell, fill):
    fill(mine, "gradcheck.central_difference", "return (f(x + h) - f(x)) / h")
    by_pytest = shell(*PYTEST, FIRST, cwd=ROOT).stdout
    by_course = shell(sys.executable, "-m", "course", "test", "1.1", COLUMNS="100").stdout
    told = [line.rstrip() for line in by_course.split("\n\n", 1)[1].split("\n")]
    assert told[0].startswith("1.1  Central difference  0/5  wrong")
    assert "\n".join(told) in by_pytest


@pytest.mark.parametrize("some", [[f"{FIRST}::test_a_falling_line"], [FIRST, "-k", "falling"]])
def test_one_test_alone_is_no_grade(solved, shell, some):
    done = shell(*PYTEST, *some, cwd=ROOT)
    assert "1.1  Central difference  0/5  no grade: 1 of 4 tests ran" in done.stdout
    assert done.returncode == 0


def test_exercises_whose_tests_were_deselected_are_not_told(solved, shell):
    done = shell(*PYTEST, TESTS, "-k", "falling", cwd=ROOT)
    assert len(table(done.stdout)) == 1
    assert "fault of the course" not in done.stdout


def test_the_whole_traceback_comes_on_request(mine, shell, fill):
    fill(mine, "gradcheck.central_difference", "return 1 / 0")
    assert "    return 1 / 0" in shell(*PYTEST, "--tb=long", FIRST, cwd=ROOT).stdout


def test_what_the_code_printed_is_shown(mine, shell, fill):
    fill(mine, "gradcheck.central_difference", "print('here', x)\nreturn x")
    assert "your code printed:\n    here 3.0" in shell(*PYTEST, FIRST, cwd=ROOT).stdout


def test_the_long_form_shows_pytest_s_own_traces(mine, shell):
    done = shell(*PYTEST, "-v", FIRST, cwd=ROOT)
    assert 'NotImplementedError("exercise 1.1: Central difference")' in done.stdout


def test_a_deleted_package_is_not_replaced_by_the_reference(mine, shell):
    (mine.root / "stage1_autodiff").rename(mine.root.parent / "away")
    done = shell(*PYTHON_PYTEST, FIRST, cwd=ROOT)
    assert done.returncode != 0
    assert "`course start` puts back what is missing" in done.stdout


def test_even_a_quiet_run_says_whose_code_it_grades(mine, shell):
    done = shell(*PYTEST, "-q", FIRST, cwd=ROOT)
    assert f"yours ({mine.root / 'stage1_autodiff'})" in done.stdout


def test_a_marker_of_an_unknown_exercise_is_told(mine, shell, tmp_path):
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_x.py").write_text(
        "from course.grade import exercise\n\n\n@exercise('1.99')\ndef test_x():\n    pass\n"
    )
    done = shell(*PYTEST, folder, FIRST, cwd=ROOT)
    assert "exercise '1.99' is in no exercises.toml" in done.stdout + done.stderr
