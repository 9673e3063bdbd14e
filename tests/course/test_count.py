"""How long the stages may be, how much of them may refuse, and how many calls a sum may make."""

import pytest

from course import ROOT
from course.authors import count
from course.manifest import stages

SHORT = {stage.package: count.count(stage) for stage in stages()}


@pytest.mark.parametrize("package", SHORT)
def test_a_stage_keeps_to_its_budget_of_lines(package):
    assert SHORT[package].lines <= count.BUDGET[SHORT[package].stage.number]


@pytest.mark.parametrize("package", SHORT)
def test_refusals_do_not_drown_the_mathematics(package):
    assert SHORT[package].share <= count.LARGEST_SHARE


@pytest.mark.parametrize("package", SHORT)
def test_the_wider_forms_in_more_are_not_counted(package):
    folders = {path.relative_to(ROOT / package).parts[0] for path in count.counted(ROOT / package)}
    assert "__init__.py" in folders
    assert "more" not in folders


def test_a_sum_makes_few_python_calls():
    assert len(count.calls_of_a_sum()) <= count.MOST_CALLS


# What counts as a refusal.


@pytest.mark.parametrize(
    ("source", "refusing"),
    [
        ("x = 1\nraise ValueError\n", {2}),
        ("if a:\n    raise ValueError(\n        1\n    )\nx = 1\n", {1, 2, 3, 4}),
        ("if a:\n    told = 'a'\n    raise ValueError(told)\n", {1, 2, 3}),
        ("if a:\n    x.y()\n    raise ValueError\n", {3}),
        ("try:\n    x = 1\nexcept KeyError:\n    raise ValueError from None\n", {3, 4}),
        ("check_axis(1)\ny = check_axis(1)\n", {1}),
        (
            "def f(x):\n    '''Doc.'''\n    for a in x:\n        if a:\n            raise A\n",
            {1, 3, 4, 5},
        ),
        ("def f(x):\n    check_a(x)\n    y = x + x\n    return y\n", {2}),
    ],
    ids=["raise", "if", "words", "deeds", "except", "check", "only checks", "computes"],
)
def test_a_refusal_is_a_raise_with_its_guard_and_a_call_of_a_check(source, refusing):
    lines = count.lines_that_refuse(source) & count.lines_of_code(source)
    assert lines == refusing


def test_blank_lines_comments_and_docstrings_are_no_code():
    source = (
        '"""A file."""\n\n# why\nx = """text\n"""\n\n\ndef f():\n    """What."""\n    return 1\n'
    )
    assert count.lines_of_code(source) == {4, 5, 8, 10}
