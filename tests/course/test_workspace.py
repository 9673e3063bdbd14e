"""The learner's folder: made whole, found from anywhere, never written over."""

import json
import shutil
import sys

import pytest

from course import ROOT, UsageError, files
from course.manifest import exercises, stages
from course.workspace import folder
from course.workspace.folder import Workspace, find, remember
from course.workspace.handing_out import create

EVERYTHING = [
    name for stage in stages() for name in (stage.package, f"tests/{stage.package}", stage.notebook)
]


def test_a_new_workspace_gets_everything(tmp_path):
    assert create(tmp_path / "new") == EVERYTHING


def test_a_second_time_adds_nothing(mine):
    assert create(mine.root) == []


def test_a_second_time_changes_no_file(mine, snapshot):
    before = snapshot(mine.root)
    create(mine.root)
    assert snapshot(mine.root) == before


def test_a_package_holds_the_same_files_as_the_reference(mine, stage):
    def files_of(package):
        return {path.relative_to(package) for path in package.rglob("*.*")}

    reference = {path for path in files_of(ROOT / stage.package) if path.suffix in (".py", ".md")}
    assert files_of(mine.root / stage.package) == reference


def test_files_without_exercises_are_the_reference_s(mine, stage):
    path = f"{stage.package}/view/microscope.py"
    assert (mine.root / path).read_bytes() == (ROOT / path).read_bytes()


def test_the_pristine_stubs_are_what_was_handed_out(mine, stage):
    for path in (mine.root / stage.package).rglob("*.*"):
        pristine = mine.course / "pristine" / path.relative_to(mine.root)
        assert path.read_bytes() == pristine.read_bytes()


def test_the_notebook_is_handed_out_without_outputs(mine, stage):
    cells = json.loads(files.read(mine.root / stage.notebook))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [(c["outputs"], c["execution_count"]) for c in code] == [([], None)] * len(code)


# What is missing comes back, and only that.


@pytest.mark.parametrize("lost", EVERYTHING)
def test_what_is_missing_is_added(mine, lost):
    (mine.root / lost).rename(mine.root.parent / "lost")
    assert create(mine.root) == [lost]


def test_a_single_missing_file_is_added(mine, stage):
    (mine.root / stage.package / "view" / "layout.py").unlink()
    create(mine.root)
    assert (mine.root / stage.package / "view" / "layout.py").is_file()


def test_lost_pristine_stubs_come_back(mine, handed_out, stage):
    path = f"pristine/{stage.package}"
    (mine.course / path).rename(mine.root.parent / "lost")
    create(mine.root)
    for file in (handed_out.course / path).rglob("*.*"):
        back = mine.course / file.relative_to(handed_out.course)
        assert back.read_bytes() == file.read_bytes()


def test_completing_a_workspace_leaves_the_learner_s_code_alone(mine, stage, fill):
    fill(mine, "graph.backward", "print('mine')")
    before = (mine.root / stage.package / "graph.py").read_bytes()
    (mine.root / stage.notebook).unlink()
    create(mine.root)
    assert (mine.root / stage.package / "graph.py").read_bytes() == before


# Ctrl-C at any moment.


class Interrupted:
    """files.write, until the n-th call, which is a Ctrl-C."""

    def __init__(self, n):
        self.left = n
        self.write = files.write

    def __call__(self, path, content):
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        self.write(path, content)


def interrupted_create(root, n, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(files, "write", Interrupted(n))
        with pytest.raises(KeyboardInterrupt):
            create(root)


def writes_of_the_first_stage(stage):
    reference = [p for p in (ROOT / stage.package).rglob("*") if p.suffix in (".py", ".md")]
    tests = [*(ROOT / "tests" / stage.package).glob("*.py")]
    return 1 + 2 * len(reference) + 2 * len(tests) + 2  # the version; all twice, the notebook too


def test_an_interrupt_at_any_moment_leaves_a_whole_package_or_none(
    tmp_path, monkeypatch, stage, handed_out
):
    whole = {path.name for path in (handed_out.root / stage.package).iterdir()}
    for n in range(writes_of_the_first_stage(stage)):
        root = tmp_path / f"{n}"
        interrupted_create(root, n, monkeypatch)
        package = root / stage.package
        assert not package.exists() or {path.name for path in package.iterdir()} == whole


def test_an_interrupted_start_is_completed_by_the_next(tmp_path, monkeypatch, stage, handed_out):
    contents = relative_contents(handed_out.root)
    for n in range(0, writes_of_the_first_stage(stage), 5):
        root = tmp_path / f"{n}"
        interrupted_create(root, n, monkeypatch)
        create(root)
        assert relative_contents(root) == contents


def relative_contents(root):
    return {p.relative_to(root): p.read_bytes() for p in root.rglob("*") if p.is_file()}


# Folders that belong to somebody else.


@pytest.fixture
def foreign(tmp_path):
    folder = tmp_path / "thesis"
    folder.mkdir()
    (folder / "chapter1.tex").write_text("In the beginning")
    return folder


def test_a_folder_with_something_else_in_it_is_refused(foreign):
    with pytest.raises(UsageError, match=r"start: expected a new or empty folder, got .*thesis"):
        create(foreign)


def test_a_refused_folder_stays_as_it_was(foreign, snapshot):
    before = snapshot(foreign)
    with pytest.raises(UsageError):
        create(foreign)
    assert snapshot(foreign) == before


def test_a_file_is_refused(foreign):
    with pytest.raises(UsageError, match="start: expected a new or empty folder"):
        create(foreign / "chapter1.tex")


def test_a_copy_without_its_dotted_folder_is_taken_in_as_it_is(solved, course, snapshot):
    shutil.rmtree(solved.course)
    before = snapshot(solved.root)
    assert course("start", str(solved.root)).exit_code == 0
    after = snapshot(solved.root)
    assert {path: after[path] for path in before} == before
    assert "100/100 points" in course("test", "1").stdout


def test_any_command_takes_such_a_copy_in_and_says_so(solved, course, monkeypatch):
    shutil.rmtree(solved.course)
    monkeypatch.delenv("GLASSBOX_WORKSPACE")
    monkeypatch.chdir(solved.root / "stage1_autodiff")
    done = course("status")
    assert f"Took in the workspace {solved.root}" in done.stderr
    assert done.stdout.startswith(f"Workspace {solved.root}\n")
    assert "written, not graded yet" in done.stdout
    assert course("reset", "1.1").exit_code == 0


def test_another_checkout_is_no_workspace(tmp_path, monkeypatch):
    for name in ("course", "stage1_autodiff"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    assert find() is None


def test_four_starts_at_once_come_one_after_another(terminals, tmp_path, handed_out):
    root = tmp_path / "shared"
    command = [sys.executable, "-m", "course", "start", str(root)]
    four = [terminals(command) for _ in range(4)]
    assert [one.wait(120) for one in four] == [0, 0, 0, 0]
    left_over = {path.name for path in root.rglob(".*") if path.is_dir()}
    assert left_over == {".course", ".vscode"}
    assert relative_contents(root).keys() == relative_contents(handed_out.root).keys()


def test_an_empty_folder_will_do(tmp_path):
    (tmp_path / "empty").mkdir()
    assert create(tmp_path / "empty") == EVERYTHING


@pytest.mark.parametrize("place", ["course", "course/new"])
def test_the_course_s_own_folder_is_refused(place):
    with pytest.raises(UsageError, match="start: expected "):
        create(ROOT / place)


# Finding it.


def test_without_a_workspace_none_is_found():
    assert find() is None


def test_it_is_found_where_start_makes_it():
    create(folder.DEFAULT)
    assert find() == Workspace(folder.DEFAULT)


def test_it_is_found_from_any_folder_inside(mine, stage, monkeypatch):
    monkeypatch.delenv("GLASSBOX_WORKSPACE")
    assert find(mine.root / stage.package) == Workspace(mine.root)


def test_it_is_found_by_the_environment(mine):
    assert find() == mine


def test_the_folder_one_stands_in_wins_over_the_environment(handed_out, mine):
    assert find(handed_out.root) == Workspace(handed_out.root)


def test_a_workspace_elsewhere_is_remembered(mine, monkeypatch):
    monkeypatch.delenv("GLASSBOX_WORKSPACE")
    remember(mine)
    assert find() == mine


def test_a_remembered_workspace_that_is_gone_is_no_obstacle(tmp_path):
    create(folder.DEFAULT)
    remember(Workspace(tmp_path / "gone"))
    assert find() == Workspace(folder.DEFAULT)


def test_the_usual_place_needs_no_remembering():
    remember(Workspace(folder.DEFAULT.parent))
    remember(Workspace(folder.DEFAULT))
    assert not folder.ELSEWHERE.exists()


# Whether code has changed since it was graded.


def test_a_fingerprint_changes_with_the_function(mine, fill):
    before = mine.fingerprint(exercises()["1.6"])
    fill(mine, "graph.backward", "return None")
    assert mine.fingerprint(exercises()["1.6"]) != before


def test_a_fingerprint_does_not_change_with_another_function(mine, fill):
    before = mine.fingerprint(exercises()["1.5"])
    fill(mine, "graph.backward", "return None")
    assert mine.fingerprint(exercises()["1.5"]) == before


def test_a_fingerprint_does_not_change_with_the_line_ends(mine, stage):
    before = mine.fingerprint(exercises()["1.6"])
    path = mine.root / stage.package / "graph.py"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert mine.fingerprint(exercises()["1.6"]) == before


def test_a_file_that_cannot_be_read_has_a_fingerprint_too(mine, stage):
    (mine.root / stage.package / "graph.py").write_bytes(b"caf\xe9 (")
    assert mine.fingerprint(exercises()["1.6"]) == mine.fingerprint(exercises()["1.5"])
