"""`make start` on machines where something is missing. Nothing is installed here."""

import ast
import os
import shutil
import sys
from collections import namedtuple
from types import SimpleNamespace

import pytest

from course import ROOT, install

Version = namedtuple("Version", "major minor micro releaselevel serial")
SOURCE = (ROOT / "course" / "install.py").read_text(encoding="utf-8")


class Commands:
    """Every command that was run; those of which a word is in `fail` fail, the others make it."""

    def __init__(self, venv):
        self.run = []
        self.fail = set()
        self.venv = venv

    def __call__(self, command):
        self.run.append(" ".join(map(str, command)))
        if any(word in self.run[-1] for word in self.fail):
            return False
        if "venv" in command:
            self.venv.joinpath("bin").mkdir(parents=True, exist_ok=True)
            self.venv.joinpath("bin", "python").touch()
        return True

    def of(self, word):
        return [command for command in self.run if word in command]


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """An empty checkout, in which commands are only written down."""
    root = tmp_path / "my checkout"
    root.mkdir()
    for name in ("pyproject.toml", "constraints.txt"):
        (root / name).write_text(name)
    venv = root / ".venv"
    monkeypatch.setattr(install, "ROOT", str(root))
    monkeypatch.setattr(install, "VENV", str(venv))
    monkeypatch.setattr(install, "PYTHON", str(venv / "bin" / "python"))
    monkeypatch.setattr(install, "STAMP", str(venv / "glassbox-installed"))
    written = Commands(venv)
    monkeypatch.setattr(install, "run", written)
    monkeypatch.setattr(install, "quietly", written)
    programs(monkeypatch)
    return written


def programs(monkeypatch, **paths):
    """Let only these programs be on the path."""
    monkeypatch.setattr(install.shutil, "which", lambda name: paths.get(name.replace(".", "_")))


def python(monkeypatch, *version):
    """Let this be another version of Python."""
    fake = SimpleNamespace(
        version_info=Version(*version, "final", 0), version="old", executable="/usr/bin/python3"
    )
    monkeypatch.setattr(install, "sys", fake)


# Going well.


def test_a_first_run_makes_a_venv_and_installs(commands):
    assert install.main(["course"]) == 0
    assert len(commands.of("-m venv")) == 1
    assert len(commands.of("pip install")) == 1


def test_what_is_installed_are_the_versions_that_were_tested(commands):
    install.main(["course"])
    (command,) = commands.of("pip install")
    assert f"--editable {install.ROOT}[course]" in command
    assert f"--constraint {os.path.join(install.ROOT, 'constraints.txt')}" in command


def test_a_second_run_does_nothing(commands):
    install.main(["course"])
    commands.run.clear()
    assert install.main(["course"]) == 0
    assert commands.run == []


def test_a_second_run_says_nothing(commands, capsys):
    install.main(["course"])
    capsys.readouterr()
    install.main(["course"])
    assert capsys.readouterr().out == ""


def test_two_kinds_of_use_do_not_forget_each_other(commands):
    for extras in (["course"], ["proof"]):
        install.main(extras)
    commands.run.clear()
    for extras in (["course"], ["proof"]):
        install.main(extras)
    assert commands.run == []


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_changed_requirement_is_installed_again(commands, name):
    install.main(["course"])
    with open(os.path.join(install.ROOT, name), "a", encoding="utf-8") as file:
        file.write("changed")
    commands.run.clear()
    install.main(["course"])
    assert len(commands.of("pip install")) == 1
    assert commands.of("-m venv") == []


def test_uv_is_used_where_it_is(commands, monkeypatch):
    programs(monkeypatch, uv="/bin/uv")
    install.main(["course"])
    assert commands.run[0].startswith("/bin/uv venv")
    assert len(commands.of("/bin/uv pip install")) == 1


# A Python that is too old.


def test_an_old_python_is_told_what_to_do(commands, monkeypatch, capsys):
    python(monkeypatch, 3, 9, 2)
    assert install.main(["course"]) == 2
    said = capsys.readouterr().out
    assert "install: expected Python 3.11 or newer, got Python 3.9.2." in said
    assert "https://www.python.org/downloads" in said


def test_an_old_python_installs_nothing(commands, monkeypatch):
    python(monkeypatch, 3, 9, 2)
    install.main(["course"])
    assert commands.run == []


def test_an_old_python_hands_over_to_a_newer_one(commands, monkeypatch, capsys):
    python(monkeypatch, 3, 9, 2)
    programs(monkeypatch, python3_12="/usr/bin/python3.12")
    assert install.main(["course"]) == 0
    assert commands.run == [f"/usr/bin/python3.12 {os.path.abspath(install.__file__)} course"]
    assert capsys.readouterr().out == ""


def test_where_the_newer_python_fails_the_version_is_not_blamed(commands, monkeypatch, capsys):
    python(monkeypatch, 3, 9, 2)
    programs(monkeypatch, python3_12="/usr/bin/python3.12")
    commands.fail = {"python3.12"}
    assert install.main(["course"]) == 2
    assert "expected Python 3.11" not in capsys.readouterr().out


def test_an_old_python_can_read_the_file():
    tree = ast.parse(SOURCE, feature_version=(3, 5))
    newer = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr)
    assert [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, newer)] == []


def test_only_the_standard_library_is_needed():
    imports = [node for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.Import)]
    names = {alias.name for node in imports for alias in node.names}
    assert names <= set(sys.stdlib_module_names)
    assert "ImportFrom" not in ast.dump(ast.parse(SOURCE))


# A venv that cannot be made.


def test_without_venv_it_is_told_what_to_do(commands, capsys):
    commands.fail = {"-m venv"}
    assert install.main(["course"]) == 2
    assert "sudo apt install python3-venv" in capsys.readouterr().out


def test_without_venv_no_half_environment_is_left(commands):
    commands.fail = {"import pip"}
    install.main(["course"])
    assert not os.path.exists(install.VENV)


def test_where_uv_cannot_make_a_venv_python_does(commands, monkeypatch):
    programs(monkeypatch, uv="/bin/uv")
    commands.fail = {"uv venv"}
    assert install.main(["course"]) == 0
    assert len(commands.of("-m venv")) == 1


def test_an_environment_that_no_longer_works_is_made_again(commands):
    install.main(["course"])
    os.remove(install.PYTHON)
    install.main(["course"])
    assert len(commands.of("-m venv")) == 2


def test_an_environment_of_the_user_s_own_is_not_deleted(commands):
    own = os.path.join(install.VENV, "bin")
    os.makedirs(own)
    with open(os.path.join(own, "python"), "w", encoding="utf-8"):
        pass
    with open(os.path.join(own, "my-tool"), "w", encoding="utf-8"):
        pass
    install.main(["course"])
    assert os.path.exists(os.path.join(own, "my-tool"))


# An installation that fails.


def test_where_the_tested_versions_do_not_install_the_newest_are_tried(commands, capsys):
    commands.fail = {"--constraint"}
    assert install.main(["course"]) == 0
    assert "Trying the newest releases" in capsys.readouterr().out


def test_without_a_network_it_is_told(commands, capsys):
    commands.fail = {"pip install"}
    assert install.main(["course"]) == 2
    assert "is there a\nnetwork?" in capsys.readouterr().out


def test_a_failed_installation_is_tried_again(commands):
    commands.fail = {"pip install"}
    install.main(["course"])
    commands.fail = set()
    commands.run.clear()
    assert install.main(["course"]) == 0
    assert len(commands.of("pip install")) == 1


def test_a_cache_that_cannot_be_written_is_done_without(commands, monkeypatch):
    programs(monkeypatch, uv="/bin/uv")
    commands.fail = {f"--python {install.PYTHON} --editable"}
    assert install.main(["course"]) == 0
    assert len(commands.of("--no-cache")) == 1


# The Makefile.


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
def test_make_without_python_says_where_to_get_it(shell):
    done = shell("make", "-C", ROOT, "install", "PYTHON=no-such-python")
    assert done.returncode == 2
    assert "expected a command no-such-python, got none" in done.stdout
