"""Hints one at a time; the reference's way only after a pass, or on giving up."""

import pytest

from course import ROOT, files
from course.manifest import exercises
from course.workspace import state, stubs


@pytest.fixture
def passed(solved):
    """A solved workspace in which 1.1 was graded, too."""
    with state.change(solved.state_path) as known:
        known.results["1.1"] = {"state": "passed"}
    return solved


def hints_shown(text, exercise):
    """How many of the hints are in the text, whatever its line breaks."""
    words = " ".join(text.split())
    return [hint for hint in exercise.hints if " ".join(hint.split()) in words]


@pytest.mark.parametrize("calls, shown", [(1, 1), (2, 2), (3, 3), (4, 3)])
def test_every_call_shows_one_more_hint(mine, course, calls, shown):
    for _ in range(calls):
        said = course("hint", "1.5").stdout
    assert hints_shown(said, exercises()["1.5"]) == list(exercises()["1.5"].hints[:shown])


def test_hints_of_one_exercise_do_not_open_those_of_another(mine, course):
    course("hint", "1.5")
    said = course("hint", "1.6").stdout
    assert len(hints_shown(said, exercises()["1.6"])) == 1


def test_a_hint_says_how_many_are_left(mine, course):
    assert course("hint", "1.5").stdout.endswith("  2 more: course hint 1.5\n")


def test_the_last_hint_says_so(mine, course):
    for _ in range(3):
        said = course("hint", "1.5").stdout
    assert said.endswith("  That was the last one.\n")


def test_a_long_hint_is_indented_below_its_number(mine, course):
    _, first, second, *_ = course("hint", "1.5").stdout.split("\n")
    assert first.startswith("  1. ")
    assert second.startswith("     ")


@pytest.mark.parametrize("id_", exercises())
def test_near_code_keeps_its_lines_on_the_screen(mine, course, id_):
    with state.change(mine.state_path) as known:
        known.hints[id_] = 2
    shown = [line.rstrip() for line in course("hint", id_, width=80).stdout.split("\n")]
    code = [line for line in exercises()[id_].hints[-1].split("\n") if line.startswith("    ")]
    assert [line for line in code if f"     {line}" not in shown] == []
    assert shown[-3:] == [f"     {code[-1]}", "  That was the last one.", ""]


def test_hints_lose_no_points(passed, course):
    course("hint", "1.1")
    assert passed.state().passed("1.1")


def test_a_hint_of_an_unknown_exercise_suggests_the_nearest(mine, course):
    result = course("hint", "1.55")
    assert result.exit_code == 2
    assert "did you mean 1.5?" in result.stderr


# The solution.


def test_a_solution_waits_for_a_pass(mine, course):
    result = course("solution", "1.1")
    assert result.exit_code == 2
    assert result.stderr.startswith("solution: expected 1.1 to have passed, got ")
    assert result.stderr.endswith("; try course hint 1.1, or add --give-up\n")


def test_a_refused_solution_shows_nothing(mine, course):
    assert course("solution", "1.1").stdout == ""


def test_a_solution_is_shown_after_a_pass(passed, course):
    assert "return (f(x + h) - f(x - h)) / (2 * h)" in course("solution", "1.1").stdout


def test_a_solution_is_shown_on_giving_up(mine, course):
    said = course("solution", "1.1", "--give-up").stdout
    assert "return (f(x + h) - f(x - h)) / (2 * h)" in said


def test_who_gave_up_once_need_not_say_so_again(mine, course):
    course("solution", "1.1", "--give-up")
    assert course("solution", "1.1").exit_code == 0


def test_giving_up_counts_for_that_exercise_only(mine, course):
    course("solution", "1.1", "--give-up")
    assert course("solution", "1.2").exit_code == 2


@pytest.mark.parametrize("id_", [e.id for e in exercises().values()])
def test_a_solution_can_be_copied_from_the_screen(mine, course, id_):
    said = course("solution", id_, "--give-up", width=40).stdout
    shown = [line.rstrip() for line in said.split("\n")]
    for line in solution_lines(exercises()[id_]):
        assert line in shown


def solution_lines(exercise):
    for file in exercise.files:
        source = files.read(ROOT / exercise.package / file)
        for name in exercise.functions_in(file):
            yield from stubs.extract(source, name).split("\n")


# The difference.


def test_a_difference_waits_for_a_pass(mine, course):
    result = course("diff", "1.1")
    assert result.exit_code == 2
    assert result.stderr.startswith("diff: expected 1.1 to have passed, got ")


def test_a_difference_shows_both(passed, course, fill):
    fill(passed, "gradcheck.central_difference", "rise = f(x + h) - f(x - h)\nreturn rise / 2 / h")
    said = course("diff", "1.1").stdout
    assert "-    return rise / 2 / h" in said
    assert "+    return (f(x + h) - f(x - h)) / (2 * h)" in said


def test_a_difference_is_not_cut_at_the_edge_of_the_screen(passed, course, fill):
    fill(passed, "gradcheck.central_difference", "return (f(x + h) - f(x)) / h  # one side only")
    said = course("diff", "1.1", width=40).stdout
    assert "-    return (f(x + h) - f(x)) / h  # one side only" in said


def test_equal_functions_are_called_equal(passed, course):
    assert "central_difference: the same, line by line" in course("diff", "1.1").stdout


def test_windows_line_ends_are_no_difference(passed, course):
    path = passed.path(exercises()["1.1"], "gradcheck.py")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert "central_difference: the same, line by line" in course("diff", "1.1").stdout


def test_a_missing_function_differs_by_all_its_lines(passed, course):
    path = passed.path(exercises()["1.1"], "gradcheck.py")
    path.write_text("# nothing here\n")
    assert "+def central_difference(" in course("diff", "1.1").stdout


BROKEN = {
    "a syntax error": (b"x = (\n", "gradcheck.py: expected Python, got a syntax error in line 1"),
    "other text": (b"caf\xe9 = 1\n", "gradcheck.py: expected UTF-8 text"),
    "no file": (None, "gradcheck.py: expected a file, got none"),
}


@pytest.mark.parametrize("content, said", BROKEN.values(), ids=BROKEN.keys())
def test_a_difference_to_a_file_that_cannot_be_read_says_what_is_wrong(
    passed, course, content, said
):
    path = passed.path(exercises()["1.1"], "gradcheck.py")
    path.unlink() if content is None else path.write_bytes(content)
    result = course("diff", "1.1")
    assert result.exit_code == 2
    assert said in result.stderr
    assert "course reset 1.1 --file" in result.stderr
