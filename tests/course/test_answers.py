"""What a learner is told beside the failing comparison: prints, places, reasons, other failures."""

import re
import sys

import pytest

from course import ROOT
from course.authors.mutants import make_mutant, mutant
from course.grader import rendering, runner
from course.grader.outcomes import CRASH, ERROR, NOT_STARTED, TIMEOUT, WRONG
from course.grader.printed import LINES, last_lines, readable
from course.manifest import exercises


def shown(stage, found):
    return rendering.to_text(rendering.results, stage, [found])


# What the code printed.


def test_the_last_lines_are_kept_and_told_to_be_the_last():
    text = "".join(f"line {i}\n" for i in range(100))
    assert last_lines(text).split("\n") == ["...", *(f"line {i}" for i in range(90, 100))]
    assert len(last_lines(text).split("\n")) == LINES + 1


def test_colours_and_bells_are_taken_out():
    assert readable("\x1b[31mred\x1b[0m\a \x9b é\t→\n") == "red  é\t→\n"


def test_a_huge_text_keeps_its_ends():
    text = readable("a" * 5_000_000 + "z")
    assert len(text) < 5000
    assert (text[0], text[-1]) == ("a", "z")


def test_what_was_printed_in_the_failing_test_is_shown(solved, fill, grade, stage):
    fill(solved, "gradcheck.central_difference", "print('DEBUG', x, h)\nreturn x")
    found = grade(solved, "1.1")["1.1"]
    assert found.printed.startswith("DEBUG")
    assert "  your code printed:\n    DEBUG" in shown(stage, found)


def test_what_was_printed_in_another_test_is_not(solved, fill, grade):
    body = "if x == 2:\n    return x\nprint('other')\nreturn (f(x + h) - f(x - h)) / (2 * h)"
    fill(solved, "gradcheck.central_difference", body)
    found = grade(solved, "1.1")["1.1"]
    assert (found.state, found.printed) == (WRONG, "")


@pytest.mark.parametrize(
    "end, state", [("while True:\n    pass", TIMEOUT), ("import os\nos._exit(1)", CRASH)]
)
def test_what_was_printed_before_the_end_is_shown(solved, fill, grade, end, state):
    fill(solved, "gradcheck.central_difference", f"print('before')\n{end}")
    found = grade(solved, "1.1", seconds={"1.1": 2})["1.1"]
    assert (found.state, found.printed) == (state, "before")


def test_a_loop_that_prints_fills_nothing(solved, fill, grade):
    fill(solved, "gradcheck.central_difference", "while True:\n    print('x' * 1000)")
    found = grade(solved, "1.1", seconds={"1.1": 2})["1.1"]
    assert found.state == TIMEOUT
    assert found.printed.endswith("x" * 200)


def test_an_exception_of_five_megabytes_is_bounded(solved, fill, grade):
    fill(solved, "gradcheck.central_difference", "raise ValueError('\\x1b[31m' + 'x' * 5_000_000)")
    found = grade(solved, "1.1")["1.1"]
    assert len(found.text) < 5000
    assert "\x1b" not in found.text


# Which function.

TWO = {
    "the product": ("value.py", 'Value(a * b, (self, other), d_mul(a, b), "*")', "__mul__"),
    "the sum": ("value.py", 'Value(a + b, (self, other), d_add(a, b), "+")', "__add__"),
}


@pytest.mark.parametrize("name", TWO)
def test_the_place_is_that_of_the_function_that_failed(name, tmp_path, stage):
    file, line, function = TWO[name]
    wrong = line.replace("(a", "(2 * a", 1)
    make_mutant(stage, mutant(name, "1.3", file, line, wrong), tmp_path)
    (found,) = runner.grade([exercises()["1.3"]], code=tmp_path)
    number = int(found.where.split("\n")[0].rsplit(":", 1)[1])
    source = (ROOT / stage.package / file).read_text(encoding="utf-8").split("\n")
    assert source[number - 1].strip().startswith(f"def {function}(")


def test_the_other_failures_are_named(solved, fill, grade, stage):
    fill(solved, "gradcheck.central_difference", "return 0.5")
    assert re.search(r"also failing: .+; .+", shown(stage, grade(solved, "1.1")["1.1"]))


# What is left to write.


def test_an_exercise_that_is_begun_says_what_is_left(mine, fill, grade, stage):
    fill(mine, "derivatives.d_add", "return 1.0, 1.0")
    found = grade(mine, "1.2")["1.2"]
    told = shown(stage, found)
    assert found.state == NOT_STARTED
    assert "1.2 Local derivatives: begun\n  Still to write: d_sub, d_mul" in told
    assert "d_add" not in told


# The reason behind an import that fails.

IMPORTS = {
    "circular": (
        "from stage1_autodiff.value import Value",
        "value.py and derivatives.py import each other",
    ),
    "a package that is not there": (
        "import scikit_learnt",
        "There is no module scikit_learnt in this environment",
    ),
    "a file beside": ("import helper", "from stage1_autodiff import helper"),
}


@pytest.mark.parametrize("name", IMPORTS)
def test_an_import_that_fails_tells_why(solved, grade, name):
    line, words = IMPORTS[name]
    package = solved.root / "stage1_autodiff"
    (package / "helper.py").write_text("")
    path = package / "derivatives.py"  # value.py imports it
    path.write_text(f"{line}\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
    found = grade(solved, "1.2")["1.2"]
    assert found.state == ERROR
    assert words in found.text
    assert found.where.startswith(str(package))


# Looking closer.


def test_a_breakpoint_is_told_where_it_works(solved, fill, grade):
    fill(solved, "gradcheck.central_difference", "breakpoint()\nreturn x")
    assert "course test 1.2 --pdb" in grade(solved, "1.1")["1.1"].text


def test_the_debugger_opens_in_the_failing_test(solved, fill, shell):
    fill(solved, "gradcheck.central_difference", "wrong = x * 100\nbreakpoint()\nreturn wrong")
    done = shell(sys.executable, "-m", "course", "test", "1.1", "--pdb", typed="p wrong\nq\n")
    assert "-> return wrong" in done.stdout
    assert "(Pdb) 300.0" in done.stdout


def test_the_debugger_wants_an_exercise(solved, course):
    told = course("test", "1", "--pdb")
    assert told.exit_code == 2
    assert "expected an exercise" in told.stderr


def test_the_whole_traceback_comes_on_request(solved, fill, course):
    fill(solved, "gradcheck.central_difference", "return 1 / 0")
    told = course("test", "1.1", "--tb=long").output
    assert "test_1_01_central_difference.py" in told
    assert "ZeroDivisionError" in told
    assert "test_1_01_central_difference.py" not in course("test", "1.1").output


# Scripts that can be pasted.

NO_BIAS = "dot(self.w, x, self.b, self.nonlin)", "dot(self.w, x, Value(0.0), self.nonlin)"


def test_the_lines_of_a_failing_test_run_as_they_are_printed(tmp_path, stage, shell):
    make_mutant(stage, mutant("", "1.9", "neuron.py", *NO_BIAS), tmp_path)
    (found,) = runner.grade([exercises()["1.9"]], code=tmp_path)
    script = tmp_path / "pasted.py"
    script.write_text(found.code, encoding="utf-8")
    done = shell(sys.executable, script)
    assert found.state == WRONG
    assert "grade" not in found.code
    assert (done.returncode, done.stderr) == (0, "")
