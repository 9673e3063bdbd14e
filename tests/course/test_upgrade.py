"""`course upgrade`: the new version comes in, and nothing that was written is lost."""

import json
import subprocess

import pytest

from course import ROOT, files
from course.workspace import stubs

FILE = "stage1_autodiff/gradcheck.py"
GIVEN = "stage1_autodiff/gradcheck_table.py"
NOTEBOOK = "notebooks/stage1_autodiff.ipynb"
WRITTEN = "    return (f(x + h) - f(x - h)) / (h + h)  # mine"


def handed_out_earlier(workspace, name, new, old):
    """Make it so that the course had `old` where it has `new`, in what it handed out."""
    for path in (workspace.root / name, workspace.course / "pristine" / name):
        text = path.read_text(encoding="utf-8")
        assert text.count(new) == 1
        path.write_text(text.replace(new, old), encoding="utf-8")
    files.write(workspace.course / "version", "earlier")


def edit(workspace, name, old, new):
    path = workspace.root / name
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")


def backups(workspace):
    """The contents of all backups of upgrades, by their place in the workspace."""
    found = workspace.course.glob("backups/*-upgrade/*/*")
    return {"/".join(path.parts[-2:]): path.read_bytes() for path in found}


def text_of(workspace, name):
    return files.read(workspace.root / name)


@pytest.fixture
def old(mine):
    """A workspace of an earlier course: another first line in a file with an exercise."""
    handed_out_earlier(mine, FILE, '"""Gradients checked against slopes', '"""Slopes')
    return mine


def write_exercise(workspace):
    path = workspace.root / FILE
    stub = stubs.extract(files.read(path), "central_difference")
    body = stub.replace(stub.split("\n")[-1], WRITTEN)
    files.write(path, stubs.replace(files.read(path), "central_difference", body))


def test_an_up_to_date_workspace_stays_as_it_is(solved, course, snapshot):
    before = snapshot(solved.root)
    assert course("upgrade").stdout == "Your workspace is up to date.\n"
    assert snapshot(solved.root) == before


def test_a_file_that_only_the_course_changed_is_renewed(old, course):
    assert f"new     {FILE}\n" in course("upgrade").stdout
    assert text_of(old, FILE).startswith('"""Gradients checked against slopes')
    assert backups(old) == {}


def test_afterwards_the_workspace_is_that_of_a_new_start(old, handed_out, course):
    course("upgrade")
    for path in handed_out.root.rglob("*"):
        if path.is_file():
            assert (old.root / path.relative_to(handed_out.root)).read_bytes() == path.read_bytes()


def test_what_was_written_stays_and_the_rest_is_new(old, course):
    write_exercise(old)
    before = (old.root / FILE).read_bytes()
    assert f"merged  {FILE}\n" in course("upgrade").stdout
    assert text_of(old, FILE).startswith('"""Gradients checked against slopes')
    assert WRITTEN in text_of(old, FILE)
    assert backups(old) == {FILE: before}


def test_what_was_written_between_the_functions_stays_too(old, course):
    write_exercise(old)
    edit(
        old,
        FILE,
        "from stage1_autodiff.value",
        "import itertools  # mine\n\nfrom stage1_autodiff.value",
    )
    course("upgrade")
    assert text_of(old, FILE).startswith('"""Gradients checked against slopes')
    assert "import itertools  # mine" in text_of(old, FILE)


def test_without_git_functions_are_carried_over(old, course, monkeypatch):
    def no_git(*_, **__):
        raise FileNotFoundError("git")

    write_exercise(old)
    monkeypatch.setattr(subprocess, "run", no_git)
    assert f"merged  {FILE}\n" in course("upgrade").stdout
    assert text_of(old, FILE).startswith('"""Gradients checked against slopes')
    assert WRITTEN in text_of(old, FILE)


def test_a_docstring_beside_the_written_body_is_no_hindrance(mine, course):
    handed_out_earlier(mine, FILE, "f(x + h) - f(x - h) = 2 h f'(x) + O(h^3).", "Taylor.")
    write_exercise(mine)
    assert f"merged  {FILE}\n" in course("upgrade").stdout
    assert WRITTEN in text_of(mine, FILE)


def test_windows_line_ends_stay(old, course):
    write_exercise(old)
    path = old.root / FILE
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    course("upgrade")
    lines = path.read_bytes().split(b"\n")
    assert all(line.endswith(b"\r") for line in lines[:-1])
    assert b"Gradients checked against slopes" in lines[0]


def test_changes_that_do_not_go_together_leave_the_file_alone(old, course):
    edit(old, FILE, '"""Slopes', '"""My own words')
    before = (old.root / FILE).read_bytes()
    said = course("upgrade").stdout
    assert f"kept    {FILE}: you changed it too" in said
    assert (old.root / FILE).read_bytes() == before
    aside = old.course / "new" / FILE
    assert files.read(aside).startswith('"""Gradients checked against slopes')
    assert course("upgrade").stdout == "Your workspace is up to date.\n"


def test_a_file_that_python_cannot_read_is_left_alone(old, course):
    edit(old, FILE, "def gradcheck(", "def gradcheck((")
    before = (old.root / FILE).read_bytes()
    assert f"kept    {FILE}" in course("upgrade").stdout
    assert (old.root / FILE).read_bytes() == before


def test_a_file_that_is_no_text_is_left_alone(old, course):
    (old.root / FILE).write_bytes(b"caf\xe9 = 1\n")
    assert f"kept    {FILE}" in course("upgrade").stdout
    assert (old.root / FILE).read_bytes() == b"caf\xe9 = 1\n"


def test_a_new_file_arrives(mine, course):
    for path in (mine.root / GIVEN, mine.course / "pristine" / GIVEN):
        path.unlink()
    assert course("upgrade").stdout.startswith(f"new     {GIVEN}\n")
    assert (mine.root / GIVEN).read_bytes() == (ROOT / GIVEN).read_bytes()


@pytest.fixture
def old_notebook(mine):
    handed_out_earlier(mine, NOTEBOOK, "# Stage 1", "# Stage one")
    return mine


def change_cells(workspace, change):
    path = workspace.root / NOTEBOOK
    table = json.loads(files.read(path))
    change(table["cells"])
    files.write(path, json.dumps(table))


def test_a_notebook_that_was_only_run_is_renewed(old_notebook, course):
    def run(cells):
        for cell in cells:
            if cell["cell_type"] == "code":
                cell["execution_count"] = 1

    change_cells(old_notebook, run)
    assert f"new     {NOTEBOOK}\n" in course("upgrade").stdout
    assert "# Stage one" not in text_of(old_notebook, NOTEBOOK)


def test_a_notebook_with_guesses_in_it_is_kept(old_notebook, course):
    change_cells(old_notebook, lambda cells: cells.append(dict(cells[0], source="my note")))
    before = (old_notebook.root / NOTEBOOK).read_bytes()
    assert f"kept    {NOTEBOOK}" in course("upgrade").stdout
    assert (old_notebook.root / NOTEBOOK).read_bytes() == before


@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_an_interrupted_upgrade_begins_again(old, course, monkeypatch, fails_at):
    write_exercise(old)
    before = (old.root / FILE).read_bytes()
    write, calls = files.write, []

    def full_disk(path, content):
        calls.append(path)
        if len(calls) == fails_at:
            raise OSError(28, "No space left on device", str(path))
        write(path, content)

    monkeypatch.setattr(files, "write", full_disk)
    assert course("upgrade").exit_code == 3
    monkeypatch.setattr(files, "write", write)
    course("upgrade")
    assert text_of(old, FILE).startswith('"""Gradients checked against slopes')
    assert WRITTEN in text_of(old, FILE)
    assert backups(old) == {FILE: before}
    assert course("upgrade").stdout == "Your workspace is up to date.\n"


def test_start_tells_that_the_course_has_changed(old, course):
    assert "course upgrade brings it in" in course("start").stdout
    course("upgrade")
    assert "course upgrade" not in course("start").stdout


@pytest.mark.parametrize("command", ["status", "next", "hint 1.1", "reset 1.1", "report 1"])
def test_every_command_says_first_that_the_course_has_changed(old, course, command):
    line = "The course has changed since this workspace: course upgrade\n"
    assert course(*command.split()).stderr == line
    course("upgrade")
    assert course(*command.split()).stderr == ""


def test_a_workspace_from_before_versions_were_noted_is_told_too(mine, course):
    (mine.course / "version").unlink()
    assert "course upgrade" in course("next").stderr
    assert course("upgrade").stdout == "Your workspace is up to date.\n"
    assert course("next").stderr == ""


@pytest.fixture
def with_an_old_file(mine):
    """A workspace with a file that the course has no longer."""
    for folder in (mine.root, mine.course / "pristine"):
        files.write(folder / OLD, "old\n")
    return mine


OLD = "stage1_autodiff/old.py"


def test_a_file_that_the_course_no_longer_has_goes(with_an_old_file, course):
    assert f"gone    {OLD}: the course no longer has it\n" in course("upgrade").stdout
    assert not (with_an_old_file.root / OLD).exists()
    assert backups(with_an_old_file) == {OLD: b"old\n"}
    assert course("upgrade").stdout == "Your workspace is up to date.\n"


def test_a_file_that_the_course_no_longer_has_stays_if_it_was_changed(with_an_old_file, course):
    files.write(with_an_old_file.root / OLD, "mine\n")
    assert f"kept    {OLD}: the course no longer has it, but you" in course("upgrade").stdout
    assert text_of(with_an_old_file, OLD) == "mine\n"
    assert course("upgrade").stdout == "Your workspace is up to date.\n"


def test_a_parameter_that_is_renamed_is_renamed_in_what_was_written(mine, course):
    new, old_name = "def central_difference(f: Callable[[float], float], x: float, h", "f: Callable"
    handed_out_earlier(mine, FILE, new, new.replace(old_name, "function: Callable"))
    write_exercise(mine)
    edit(mine, FILE, WRITTEN, WRITTEN.replace("f(", "function("))
    assert f"merged  {FILE}\n" in course("upgrade").stdout
    assert WRITTEN in text_of(mine, FILE)
    assert new in text_of(mine, FILE)
    assert course("test", "1.1").exit_code == 0


def test_what_passed_still_passes(old, course):
    write_exercise(old)
    assert course("test", "1.1").exit_code == 0
    course("upgrade")
    assert course("test", "1.1").exit_code == 0
