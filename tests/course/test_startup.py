"""Whose code a Python program runs: below a workspace, its packages; elsewhere the reference."""

import sys

import pytest

from course import ROOT

LOOK = "import stage2_tensor; print(stage2_tensor.__file__)\n"


@pytest.fixture
def runs(shell, tmp_path):
    """Run Python somewhere: what it printed, and what it said beside that."""

    def run(*arguments, cwd=tmp_path, **environment):
        done = shell(sys.executable, *arguments, cwd=cwd, **environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip(), done.stderr.strip()

    return run


def package(folder):
    return str(folder / "stage2_tensor" / "__init__.py")


@pytest.fixture
def script(mine):
    path = mine.root / "experiments" / "play.py"
    path.parent.mkdir()
    path.write_text(LOOK)
    return path


def test_a_script_runs_on_the_packages_around_it_from_whichever_folder(mine, script, runs):
    for cwd in (script.parent, mine.root, ROOT):
        assert runs(script, cwd=cwd) == (package(mine.root), "")


def test_a_file_of_a_package_runs_on_the_packages_around_it(mine, runs):
    path = mine.root / "stage1_autodiff" / "value.py"
    path.write_text(path.read_text() + "\nprint(d_add.__code__.co_filename)\n")
    where, told = runs(path)
    assert (where.splitlines()[-1], told) == (str(path.with_name("derivatives.py")), "")


def test_a_module_and_a_line_run_on_the_packages_around_the_working_directory(mine, script, runs):
    assert runs("-m", "play", cwd=script.parent) == (package(mine.root), "")
    assert runs("-c", LOOK, cwd=script.parent) == (package(mine.root), "")


def test_a_program_that_lies_elsewhere_runs_on_the_reference(mine, runs, tmp_path):
    elsewhere = tmp_path / "elsewhere.py"
    elsewhere.write_text(LOOK)
    assert runs(elsewhere, cwd=mine.root) == (package(ROOT), "")
    assert runs("-c", LOOK) == (package(ROOT), "")


def test_a_test_of_one_s_own_runs_on_the_packages_around_it(mine, runs):
    path = mine.root / "test_mine.py"
    path.write_text(f"import stage2_tensor\n\ndef test_x():\n    assert "
                    f"stage2_tensor.__file__ == {package(mine.root)!r}\n")  # fmt: skip
    for cwd in (mine.root, ROOT.parent):
        assert "1 passed" in runs("-m", "pytest", "-q", path, cwd=cwd)[0]


def test_what_use_says_holds_and_is_told(mine, script, runs, course):
    course("use", "2", "reference")
    line = f"glassbox: {script.name} runs on the reference of stage2_tensor: course use says so"
    assert runs(script) == (package(ROOT), line)


def test_what_the_environment_says_holds_and_is_told(script, runs):
    found, told = runs(script, GLASSBOX_CODE="reference")
    assert found == package(ROOT)
    assert "runs on the reference of stage2_tensor: GLASSBOX_CODE says so" in told


def test_a_copy_without_its_dotted_folder_is_a_workspace_too(mine, script, runs):
    mine.course.rename(mine.root.parent / "left behind")
    assert runs(script) == (package(mine.root), "")


# The settings of an editor.


def test_pytest_in_a_workspace_lists_and_grades_the_exercises(mine, solve, shell):
    solve(mine, "1.1")
    one = "tests/stage1_autodiff/test_1_01_central_difference.py"
    for cwd, path in ((mine.root, one), (ROOT, mine.root / one)):
        done = shell(sys.executable, "-m", "pytest", path, cwd=cwd)
        assert f"stage1_autodiff: yours ({mine.root / 'stage1_autodiff'})" in done.stdout
        assert "1.1  Central difference  5/5  passed" in done.stdout
    listed = shell(sys.executable, "-m", "pytest", "--collect-only", "-q", cwd=mine.root).stdout
    assert "tests/stage5_transformer/test_5_16_rotary.py::" in listed.replace("\\", "/")


def test_the_settings_of_an_editor_are_the_learner_s_once_they_are_there(mine, course):
    settings = mine.root / ".vscode" / "settings.json"
    assert sys.executable in settings.read_text()
    settings.write_text("{}")
    course("start")
    course("upgrade")
    assert settings.read_text() == "{}"
