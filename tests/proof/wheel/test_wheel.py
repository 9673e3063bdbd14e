"""The wheel is the course: built, installed outside of any checkout, and used by a learner."""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from course import ROOT
from course.manifest import stages

BIN = "Scripts" if os.name == "nt" else "bin"


def run(*command, cwd, home, code=0):
    """Run a command as somebody with a home of their own; what it printed."""
    ours = ("GLASSBOX_", "PYTEST_", "PYTHON", "COV")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment | {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "APPDATA": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The wheel, made from the sdist as a package index would, and the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder, home=folder)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


@pytest.fixture(scope="session")
def installed(built, tmp_path_factory):
    """A fresh environment that holds the wheel: its folder of commands."""
    venv = tmp_path_factory.mktemp("fresh") / "venv"
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    pip = [venv / BIN / "python", "-m", "pip", "install", "--quiet"]
    constraints = ["--constraint", ROOT / "constraints.txt"]
    subprocess.run([*pip, f"{built[0]}[course]", *constraints], check=True)
    return venv / BIN


@pytest.fixture(scope="session")
def course(installed, tmp_path_factory):
    """Run a `course` command in a folder of its own, on a workspace that `start` has made there."""
    home, here = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("somewhere")

    def command(*arguments, code=0, program="course"):
        return run(installed / program, *arguments, cwd=here, home=home, code=code)

    command("start")
    return command


def files_of(folder):
    """Every file below a folder but Python's caches, with its bytes' number and time."""
    found = [p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in found}


def test_everything_in_the_wheel_lies_below_one_package(built):
    names = zipfile.ZipFile(built[0]).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith((".dist-info", ".pth"))} == {"course"}
    assert not [name for name in names if "__pycache__" in name or "checkpoints" in name]


def test_the_sdist_holds_what_the_wheel_is_made_from(built):
    with tarfile.open(built[1]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    needed = {"hatch_build.py", "tests/course/conftest.py", "notebooks/stage1_autodiff.ipynb"}
    assert needed <= names


def test_the_commands_of_a_learner_work_and_write_nothing_into_the_package(installed, course):
    package = installed.parent
    before = files_of(package)
    assert "1.1  Central difference  0/5  not started" in course("test", "1.1", code=1)
    assert "0/100 points" in course("status")
    assert "Your workspace is up to date." in course("upgrade")
    assert json.loads(course("report", "1", code=1))["stages"][0]["points"] == 0
    assert "knight\tN AY T" in course("run", "5", "pronounce", "knight")
    assert "wrong" not in course("doctor")
    assert files_of(package) == before


def test_a_solved_exercise_passes_and_all_notebooks_are_there(course):
    root = Path(course("status").split("\n")[0].removeprefix("Workspace "))
    assert sorted(p.stem for p in (root / "notebooks").glob("*.ipynb")) == [
        stage.package for stage in stages()
    ]
    path = root / "stage1_autodiff" / "gradcheck.py"
    stub = 'raise NotImplementedError("exercise 1.1: Central difference")'
    body = "return (f(x + h) - f(x - h)) / (2 * h)"
    path.write_text(path.read_text(encoding="utf-8").replace(stub, body), encoding="utf-8")
    assert "1.1  Central difference  5/5  passed" in course("test", "1.1")


def test_a_notebook_of_the_workspace_runs_the_learner_s_code(course):
    begin = "from course.notebook import begin; begin('stage1_autodiff')"
    look = f"import os; os.chdir('workspace/notebooks'); {begin}"
    assert course("-c", look, program="python") == "stage1_autodiff: your code\n"


def test_a_plain_python_imports_the_reference(course):
    look = "import stage5_transformer as s; print(s.__file__)"
    where = course("-c", look, program="python")
    assert Path(where.strip()).parts[-4:-1] == ("course", "material", "stage5_transformer")
