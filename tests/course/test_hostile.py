"""Code that misbehaves costs its own exercise, and no other.

Every test spoils exercises that no other needs: 1.8, 1.10, 1.11 and 1.13.
"""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from course import files
from course.grader import runner
from course.grader.outcomes import CRASH, ERROR, PASSED, TIMEOUT, WRONG
from course.grader.runner import GraderError
from course.workspace.folder import Workspace

LOOP = "while True:\n    pass"
DEAF_LOOP = """
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""
EXIT = "import os\nos._exit(7)"


@pytest.fixture(scope="module")
def misbehaved(all_solved, tmp_path_factory, stage, fill, own_neuron):
    """What grading says of a workspace in which four exercises end or never end the interpreter."""
    root = tmp_path_factory.mktemp("misbehaved") / "workspace"
    shutil.copytree(all_solved.root, root)
    spoilt = Workspace(root)
    fill(spoilt, "neuron.Neuron.__call__", own_neuron)  # so that 1.9 does not need 1.11
    fill(spoilt, "gradcheck.gradcheck", LOOP)
    fill(spoilt, "moons.train", EXIT)
    fill(spoilt, "neuron.dot", "import sys\nsys.exit(0)")
    fill(spoilt, "dual.second_derivative", DEAF_LOOP)
    asked = [replace(e, seconds=1 if e.id in ("1.8", "1.13") else 60) for e in stage.exercises]
    return {o.exercise: o for o in runner.grade(asked, spoilt)}


@pytest.mark.parametrize(
    "id_, state", [("1.8", TIMEOUT), ("1.10", CRASH), ("1.11", ERROR), ("1.13", TIMEOUT)]
)
def test_an_exercise_that_misbehaves_gets_its_own_state(misbehaved, id_, state):
    assert misbehaved[id_].state == state


def test_the_other_exercises_are_graded_all_the_same(misbehaved):
    spoilt = {"1.8", "1.10", "1.11", "1.13"}
    assert {o.state for id_, o in misbehaved.items() if id_ not in spoilt} == {PASSED}


def test_a_timeout_names_the_limit(misbehaved):
    said = misbehaved["1.8"].text
    assert said.startswith("This exercise took more than 1 seconds and was stopped")


def test_a_crash_names_the_exit_code(misbehaved):
    said = misbehaved["1.10"].text
    assert said.startswith("Python itself ended during this test, with exit code 7.")


def test_a_timeout_names_the_line_at_which_the_code_was(misbehaved):
    found = misbehaved["1.8"]
    source = files.read(Path(found.where.rsplit(":", 1)[0])).split("\n")
    assert "in gradcheck, at gradcheck.py:" in found.text
    assert source[int(found.where.rsplit(":", 1)[1]) - 1].strip() in ("while True:", "pass")


@pytest.mark.parametrize("id_, file", [("1.8", "gradcheck.py"), ("1.10", "moons.py")])
def test_a_test_that_never_ended_shows_the_place_in_the_code(misbehaved, id_, file):
    assert f"{file}:" in misbehaved[id_].where


def test_the_environment_can_set_the_limit(solved, fill, grade, monkeypatch):
    monkeypatch.setenv("GLASSBOX_SECONDS", "3")
    fill(solved, "gradcheck.gradcheck", LOOP)
    assert "took more than 3 seconds" in grade(solved, "1.8")["1.8"].text


def test_deep_recursion_is_an_error_with_advice(solved, fill, grade):
    fill(solved, "gradcheck.gradcheck", "return gradcheck(f, *inputs)")
    found = grade(solved, "1.8")["1.8"]
    assert found.state == ERROR
    assert "A loop with a list as stack does not." in found.text


def test_what_the_learner_prints_does_no_harm(solved, fill, grade):
    fill(solved, "gradcheck.central_difference", "print('x' * 10**7)\nreturn 0.0")
    assert grade(solved, "1.1")["1.1"].state == WRONG


def test_print_in_a_right_function_does_not_make_it_wrong(solved, fill, grade):
    body = "print('x' * 10**6)\nreturn (f(x + h) - f(x - h)) / (2 * h)"
    fill(solved, "gradcheck.central_difference", body)
    assert grade(solved, "1.1")["1.1"].state == PASSED


SPOILERS = {
    "closes the output": "import sys\nsys.stdout.close()",
    "changes the folder": "import os\nos.chdir('/')",
    "deletes its folder": """
import os, tempfile
folder = tempfile.mkdtemp()
os.chdir(folder)
os.rmdir(folder)
""",
    "deletes zip": "import builtins\nbuiltins.zip = None",
    "deletes open": "import builtins\nbuiltins.open = builtins.len = builtins.print = None",
    "presses Ctrl-C": "raise KeyboardInterrupt",
    "ends pytest": "import pytest\npytest.exit('enough')",
    "ends pytest well": "import pytest\npytest.exit('enough', returncode=0)",
    "lets NumPy overflow": "import numpy\nnumpy.seterr(all='ignore')\nreturn None",
    "seeds NumPy": "import numpy\nnumpy.random.seed(0)\nreturn None",
    "raises BaseException": "raise BaseException('no')",
}


@pytest.fixture(scope="module")
def spoilt(grade_copies, fill, own_neuron):
    """What grading says where 1.8 spoils the interpreter."""

    def spoiler(body):
        def spoil(workspace):
            fill(workspace, "gradcheck.gradcheck", body)
            fill(workspace, "neuron.Neuron.__call__", own_neuron)

        return spoil

    by_name = {name: spoiler(body) for name, body in SPOILERS.items()}
    return grade_copies(by_name, "1.8", "1.9", "1.13")


def test_numpy_s_errors_are_put_back(solved, fill, grade, add_to_graph):
    add_to_graph("import numpy\nnumpy.seterr(all='ignore')")
    fill(solved, "gradcheck.central_difference", "import numpy\nreturn numpy.exp(1e4)")
    assert "RuntimeWarning: overflow" in grade(solved, "1.1")["1.1"].text


@pytest.mark.parametrize("name", SPOILERS)
def test_an_exercise_that_spoils_the_interpreter_does_not_pass(spoilt, name):
    assert spoilt[name]["1.8"].state in (ERROR, CRASH, WRONG)


@pytest.mark.parametrize("name", SPOILERS)
def test_an_exercise_that_spoils_the_interpreter_harms_no_other(spoilt, name):
    assert [spoilt[name][id_].state for id_ in ("1.9", "1.13")] == [PASSED, PASSED]


@pytest.mark.parametrize("name", SPOILERS)
def test_every_test_counts_once(spoilt, name):
    assert spoilt[name]["1.8"].tests <= 6


@pytest.mark.parametrize("call", ["pytest.skip('later')", "pytest.xfail('known')"])
def test_a_test_that_the_learner_s_code_skips_counts_nothing(solved, fill, grade, call):
    fill(solved, "gradcheck.gradcheck", f"import pytest\n{call}")
    found = grade(solved, "1.8")["1.8"]
    assert found.state == ERROR
    assert "a skipped test earns nothing" in found.text


# At import, before any exercise can run.


@pytest.fixture
def add_to_graph(solved):
    def append(code):
        with open(solved.root / "stage1_autodiff" / "graph.py", "a", encoding="utf-8") as file:
            file.write(f"\n{code}\n")

    return append


def test_a_loop_at_import_is_a_timeout_of_all(solved, grade, add_to_graph, monkeypatch):
    monkeypatch.setattr(runner, "IMPORT_SECONDS", 1)
    add_to_graph(LOOP)
    found = grade(solved)
    assert {o.state for o in found.values()} == {TIMEOUT}
    assert found["1.1"].text.startswith("Importing your code took more than 1 seconds")


AT_IMPORT = {
    "sys.exit": "import sys\nsys.exit(0)",
    "os._exit": "import os\nos._exit(0)",
    "KeyboardInterrupt": "raise KeyboardInterrupt",
    "pytest.skip": "import pytest\npytest.skip('no', allow_module_level=True)",
    "NameError": "x = undefined",
}


@pytest.mark.parametrize("code", AT_IMPORT.values(), ids=AT_IMPORT.keys())
def test_code_that_misbehaves_at_import_is_an_error_of_the_learner(
    solved, grade, add_to_graph, code
):
    add_to_graph(code)
    try:
        found = grade(solved, "1.1", "1.5")
    except GraderError as error:
        pytest.fail(f"the grader took the blame: {str(error)[:200]}")
    assert {o.state for o in found.values()} <= {ERROR, CRASH}
