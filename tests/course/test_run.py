"""`course run` starts the commands of a stage, on the code that the grade would take."""

import pytest


@pytest.fixture
def printed(terminal):
    """What `course run 5 ...` prints, in a process of its own."""

    def run(*arguments):
        started = terminal("run", "5", *arguments)
        started.end()
        return started.text

    return run


def test_a_stage_without_commands(mine, course):
    done = course("run", "2", "train")
    assert done.exit_code == 2
    assert "expected a stage with commands of its own, got stage2_tensor" in done.output


def test_a_stage_of_which_nothing_is_written_is_the_reference_and_says_so(mine, printed):
    told = printed("pronounce", "--plain", "cab")
    assert "stage5_transformer: the reference, since you have written none of it yet\n" in told
    assert told.endswith("cab\tK AE B\n")


def test_an_unfinished_exercise_is_named(mine, solve, printed):
    solve(mine, "5.2")
    told = printed("train", "reverse")
    assert "stage5_transformer: exercise 5.1: Vocabulary and padding is not written yet" in told


def test_solved_code_runs(solved, printed):
    assert printed("pronounce", "--plain", "cab") == "cab\tK AE B\n"
    (solved.root / "stage5_transformer" / "scoring.py").write_text("raise ValueError('mine')")
    assert "ValueError: mine" in printed("pronounce", "cab")


def test_an_exception_of_one_s_own_code_is_told_with_its_line(solved, printed):
    path = solved.root / "stage5_transformer" / "vocabulary.py"
    text = path.read_text(encoding="utf-8")
    head, body = text.split("def pad(", 1)
    line = body.index('"""', body.index('"""') + 3) + 3
    path.write_text(f"{head}def pad({body[:line]}\n    a, b = [1, 2, 3]{body[line:]}")
    told = printed("pronounce", "cab")
    assert "ValueError: too many values to unpack (expected 2)\n  in pad: a, b = [1, 2, 3]" in told
    assert f"{path}:" in told


def test_the_options_are_those_of_the_stage(mine, printed):
    assert "--preset" in printed("train", "--help")
