"""`course reset`: the stub comes back, and nothing that was written is lost."""

import errno
import os
import signal

import pytest

from course import files
from course.manifest import exercises
from course.workspace import state, stubs


def backups(workspace):
    """The contents of all backups, by file name."""
    return {p.name: p.read_bytes() for p in workspace.course.glob("backups/*/*")}


def is_stub(workspace, id_, file, name):
    source = files.read(workspace.path(exercises()[id_], file))
    return stubs.is_stub(stubs.functions(source)[name])


def test_the_function_is_a_stub_again(solved, course):
    course("reset", "1.6")
    assert is_stub(solved, "1.6", "graph.py", "backward")


def test_other_functions_of_the_file_stay(solved, course):
    course("reset", "1.6")
    assert not is_stub(solved, "1.6", "graph.py", "topological_order")


def test_resetting_everything_gives_the_stubs_byte_for_byte(solved, course, stage):
    for exercise in stage.exercises:
        course("reset", exercise.id)
    for path in (solved.root / stage.package).rglob("*.*"):
        pristine = solved.course / "pristine" / path.relative_to(solved.root)
        assert path.read_bytes() == pristine.read_bytes()


@pytest.mark.parametrize("options", [(), ("--file",)], ids=["functions", "whole file"])
def test_the_backup_is_the_file_byte_for_byte(solved, course, options):
    path = solved.path(exercises()["1.6"], "graph.py")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n") + b"# mine \xc3\xa4\r\n")
    before = path.read_bytes()
    course("reset", "1.6", *options)
    assert backups(solved) == {"graph.py": before}


def test_every_file_of_the_exercise_is_kept(solved, course):
    course("reset", "1.7")
    assert set(backups(solved)) == {"derivatives.py", "value.py"}


def test_a_second_reset_does_not_replace_the_first_backup(solved, course):
    course("reset", "1.6")
    course("reset", "1.5")
    assert len(list(solved.course.glob("backups/*"))) == 2


def test_reset_says_where_the_backup_is(solved, course):
    said = course("reset", "1.6").stdout
    (backup,) = solved.course.glob("backups/*/graph.py")
    assert said == f"Kept your graph.py as {backup}\n1.6 Backward is a stub again.\n"


def test_the_exercise_counts_as_not_graded(solved, course):
    with state.change(solved.state_path) as known:
        known.results["1.6"] = {"state": "passed"}
    course("reset", "1.6")
    assert not solved.state().passed("1.6")


def test_windows_line_ends_stay(solved, course):
    path = solved.path(exercises()["1.6"], "graph.py")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    course("reset", "1.6")
    assert path.read_bytes().count(b"\n") == path.read_bytes().count(b"\r\n")


def test_a_syntax_error_is_told_by_its_line(solved, course):
    path = solved.path(exercises()["1.6"], "graph.py")
    path.write_text("x = 1\ndef f(:\n")
    result = course("reset", "1.6")
    assert result.exit_code == 2
    assert "graph.py: expected Python, got a syntax error in line 2" in result.stderr
    assert "course reset 1.6 --file" in result.stderr


def test_a_file_of_other_text_is_told(solved, course):
    solved.path(exercises()["1.6"], "graph.py").write_bytes(b"caf\xe9 = 1\n")
    result = course("reset", "1.6")
    assert result.exit_code == 2
    assert "graph.py: expected UTF-8 text" in result.stderr


def test_a_missing_function_is_told(solved, course):
    solved.path(exercises()["1.6"], "graph.py").write_text("x = 1\n")
    result = course("reset", "1.6")
    assert result.exit_code == 2
    assert result.stderr == (
        "reset: expected a function backward in graph.py, got none; "
        "put back the whole file: course reset 1.6 --file\n"
    )


def test_a_refused_reset_changes_nothing(solved, course, snapshot):
    solved.path(exercises()["1.6"], "graph.py").write_text("def f(:\n")
    before = snapshot(solved.root)
    course("reset", "1.6")
    assert snapshot(solved.root) == before


@pytest.mark.parametrize("content", [b"def f(:\n", b"caf\xe9", b"", b"x = 1\n"])
def test_a_broken_file_can_be_put_back_as_a_whole(solved, course, content):
    path = solved.path(exercises()["1.6"], "graph.py")
    path.write_bytes(content)
    course("reset", "1.6", "--file")
    assert path.read_bytes() == solved.pristine(exercises()["1.6"], "graph.py").read_bytes()
    assert backups(solved) == {"graph.py": content}


def test_a_deleted_file_comes_back(solved, course):
    path = solved.path(exercises()["1.6"], "graph.py")
    path.unlink()
    course("reset", "1.6")
    assert path.read_bytes() == solved.pristine(exercises()["1.6"], "graph.py").read_bytes()


def test_a_whole_file_takes_every_exercise_in_it_along(solved, course):
    with state.change(solved.state_path) as known:
        known.results = {id_: {"state": "passed"} for id_ in ("1.3", "1.4", "1.7", "1.9")}
    course("reset", "1.3", "--file")
    assert set(solved.state().results) == {"1.9"}


def test_a_whole_file_names_the_other_exercises_that_go(solved, course):
    said = course("reset", "1.3", "--file").stdout
    assert "1.4" in said
    assert "1.7" in said


# Interrupted, or without space.


class Failing:
    """files.write, whose n-th call fails."""

    def __init__(self, n, error):
        self.left, self.error = n, error
        self.write = files.write

    def __call__(self, path, content):
        self.left -= 1
        if self.left < 0:
            raise self.error
        self.write(path, content)


FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
STEPS = range(5)  # 1.7 keeps two files, writes two, and then the state


@pytest.mark.parametrize("error", [FULL, KeyboardInterrupt()], ids=["full disk", "Ctrl-C"])
@pytest.mark.parametrize("step", STEPS)
def test_at_any_moment_every_file_is_whole_or_in_a_backup(solved, course, monkeypatch, error, step):
    exercise = exercises()["1.7"]
    written = {file: solved.path(exercise, file).read_bytes() for file in exercise.files}
    monkeypatch.setattr(files, "write", Failing(step, error))
    result = course("reset", "1.7")
    assert result.exit_code not in (0, 2)
    for file in exercise.files:
        now = solved.path(exercise, file).read_bytes()
        assert now == written[file] or backups(solved)[file] == written[file]


@pytest.mark.parametrize("step", STEPS)
def test_after_an_interrupt_a_second_reset_does_the_rest(solved, course, monkeypatch, step):
    with monkeypatch.context() as patch:
        patch.setattr(files, "write", Failing(step, KeyboardInterrupt()))
        course("reset", "1.7")
    course("reset", "1.7")
    assert is_stub(solved, "1.7", "derivatives.py", "d_exp")
    assert is_stub(solved, "1.7", "value.py", "Value.exp")


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one process")
def test_ctrl_c_in_another_process_loses_nothing(solved, terminal):
    exercise = exercises()["1.7"]
    written = {file: solved.path(exercise, file).read_bytes() for file in exercise.files}
    one = terminal("reset", "1.7", pause=0.3)
    one.wait_until(lambda: backups(solved))
    os.kill(one.process.pid, signal.SIGINT)
    assert one.end() != 0
    assert "Traceback" not in one.text
    for file in exercise.files:
        now = solved.path(exercise, file).read_bytes()
        assert now == written[file] or backups(solved)[file] == written[file]


def test_a_full_disk_is_told_in_words(solved, course, monkeypatch):
    monkeypatch.setattr(files, "write", Failing(0, FULL))
    result = course("reset", "1.7")
    assert result.stderr == "course: No space left on device. Nothing was lost.\n"


def test_a_whole_stage_is_put_back_and_backed_up(solved, course, handed_out, stage):
    files_of = {p.name: p.read_bytes() for p in (solved.root / stage.package).glob("*.py")}
    done = course("reset", "1")
    assert done.exit_code == 0
    assert done.stdout.count("is a stub again.") == len(stage.exercises)
    (folder,) = solved.course.glob("backups/*-1")
    written = {file for e in stage.exercises for file in e.files}
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == {f: files_of[f] for f in written}
    for file in written:
        new = (solved.root / stage.package / file).read_bytes()
        assert new == (handed_out.root / stage.package / file).read_bytes()
