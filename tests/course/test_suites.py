"""`make test` and `make proof`: every part runs, and one that fails is not forgotten."""

import re
import subprocess

import pytest

from course import ROOT
from course.authors import suites


@pytest.fixture
def parts(monkeypatch):
    """Run no part; those of which a word is in the returned set fail. Notes what would run."""
    notes = {"run": [], "fail": set()}

    def run(command, env, **more):
        notes["run"].append((" ".join(command), env))
        code = int(any(word in " ".join(command) for word in notes["fail"]))
        return subprocess.CompletedProcess(command, code, "what it printed\n")

    monkeypatch.setattr(subprocess, "run", run)
    return notes


@pytest.mark.parametrize("name", ["test", "proof", "proof-full"])
def test_a_suite_that_goes_well_ends_with_0(parts, name):
    assert suites.main(name) == 0


@pytest.mark.parametrize("name", ["test", "proof", "proof-full"])
def test_one_part_that_fails_is_enough(parts, name):
    parts["fail"] = {suites.SUITES[name][0].arguments[-1]}
    assert suites.main(name) == 1


def test_after_a_failure_the_other_parts_still_run(parts):
    parts["fail"] = {"tests/stage1_autodiff"}
    suites.main("test")
    assert len(parts["run"]) == len(suites.SUITES["test"])


def test_the_last_line_names_what_failed(parts, capsys):
    parts["fail"] = {"tests/stage1_autodiff"}
    suites.main("test")
    last_line = capsys.readouterr().out.split("\n")[-2]
    assert re.fullmatch(r"== test: failed: graded tests on the reference, in \d+ s", last_line)


def test_a_part_says_what_it_printed_and_its_seconds(parts, capsys):
    suites.main("test")
    said = capsys.readouterr().out
    assert said.count("what it printed\n") == len(suites.SUITES["test"])
    assert re.search(r"^== test: notebooks: \d+ s$", said, re.MULTILINE)


def test_only_the_full_proof_takes_no_sample(parts):
    for name in ("test", "proof", "proof-full"):
        suites.main(name)
    assert [command for command, _ in parts["run"] if "--all" in command] == [
        command for command, _ in parts["run"][-3:] if "mutants" in command
    ]


def test_the_graded_tests_run_on_the_reference(parts, monkeypatch):
    monkeypatch.delenv("GLASSBOX_CODE", raising=False)
    suites.main("test")
    (environment,) = [env for command, env in parts["run"] if "tests/stage1_autodiff" in command]
    assert environment["GLASSBOX_CODE"] == "reference"


def test_every_folder_that_a_suite_names_exists():
    named = {a for parts in suites.SUITES.values() for part in parts for a in part.arguments}
    folders = {name for name in named if name.startswith("tests/") or name == "notebooks"}
    assert {name for name in folders if not (ROOT / name).exists()} == set()


def test_every_folder_of_tests_belongs_to_a_suite():
    named = {a for parts in suites.SUITES.values() for part in parts for a in part.arguments}
    tests = ROOT.glob("tests/**/test_*.py")
    folders = {path.parent.relative_to(ROOT).as_posix() for path in tests}
    assert folders - named == set()
