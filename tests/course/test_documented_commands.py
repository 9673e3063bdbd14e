"""Every command that the texts name exists, takes what it is given, and, if it is quick, runs.

A command stands in a block of code, or in quotes if more than one word of it does. Each program has
a rule that says what is right for it; a command without a rule is a failure.
"""

import contextlib
import io
import re
import shlex
import sys
import tomllib
from pathlib import Path

import click
import pytest
from click.shell_completion import get_completion_class

from benchmarks import scaling, without
from benchmarks.__main__ import parser as parser_of_benchmarks
from course import ROOT
from course.authors.suites import SUITES
from course.commands import cli
from course.manifest import find, find_exercise, find_stage
from stage5_transformer.__main__ import parser as parser_of_stage5

TEXTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("stage*_*/README.md")),
    ROOT / "benchmarks" / "README.md",
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FENCED = re.compile(r"^ *```\w*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
FIGURES = ("stage 1  ", "1.1 Central difference: wrong", "stage1_autodiff/ ", '{"schema"')
OF_STAGE_5 = ("train", "evaluate", "curves", "summary", "pronounce", "generate")


# Where the commands are.


def words_of(line):
    """The words of a command line: without settings in front, a path, a comment, a redirection."""
    words = shlex.split(line.replace("\\", "/"), comments=True)
    while words and re.match(r"[A-Z_]+=", words[0]):
        words.pop(0)
    end = next((i for i, word in enumerate(words) if word in (">", "|")), len(words))
    if not words:
        return []
    program = Path(words[0])
    in_environment = program.parent.name in ("bin", "Scripts")
    return [program.name if in_environment else words[0], *words[1:end]]


def in_blocks(text):
    """The lines of every block of code that is no picture of something else."""
    for block in FENCED.findall(text):
        lines = [line.strip() for line in block.split("\n") if line.strip()]
        if not lines[0].startswith(FIGURES):
            yield from lines


def in_quotes(text):
    """What stands in quotes and begins with a program that has a rule; not its name alone."""
    for quote in re.findall(r"`([^`]+)`", FENCED.sub("", text)):
        line = " ".join(quote.split())
        with contextlib.suppress(ValueError):  # an apostrophe: no command line
            words = words_of(line)
            if len(words) > 1 and words[0] in RULES:
                yield line


def documented():
    """Every command once, without its comment."""
    texts = [path.read_text(encoding="utf-8") for path in TEXTS]
    lines = [line for text in texts for line in (*in_blocks(text), *in_quotes(text))]
    return list(dict.fromkeys(re.sub(r"\s+# .*", "", line) for line in lines))


# What is right for each program. A rule takes the words behind the program.


def rule_of_make(words):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z][\w -]*):", makefile, re.MULTILINE)
    assert set(words) <= {target for line in targets for target in line.split()}


def rule_of_course(words):
    """The command parses; what names a stage or an exercise names one that exists."""
    if words == ["--help"]:
        return
    name, *arguments = words
    command = cli.main.commands[name]
    if not arguments:  # its name stands for it
        return
    values = command.make_context(name, list(arguments)).params
    look_up = {"stage": find_stage, "exercise": find_exercise, "name": find}
    for key, value in values.items():
        if value is not None and key in look_up:
            look_up[key](value)
    if name == "run" and values["arguments"]:
        assert find_stage(values["stage"]).number == 5
        parser_of_stage5().parse_args(values["arguments"])


def rule_of_python(words):
    if words[0] == "-m":
        MODULES[words[1]](words[2:])
        return
    assert "__main__" in (ROOT / words[0]).read_text(encoding="utf-8")
    if words[0] == "course/install.py":
        assert set(words[1:]) <= set(PROJECT["optional-dependencies"])
    else:
        assert words[1:] == []


def rule_of_a_suite(words):
    [name] = words
    assert name in SUITES


def rule_of_a_module_without_options(words):
    assert words == []


def rule_of_venv(words):
    assert words == [".venv"]


def parser_of_the_fuzz():
    from tests.proof.fuzz.__main__ import parser

    return parser()


def rule_of_stage_5(words):
    if words:  # without any, the module is only named
        parser_of_stage5().parse_args(words)


def rule_of_pip(words):
    """Packages are this one, with extras that it has, or others that it declares."""
    command, *arguments = words
    if command == "freeze":
        assert arguments == ["--exclude-editable"]
        return
    assert command == "install"
    extras = PROJECT["optional-dependencies"]
    wanted = [word for group in extras.values() for word in group]
    after = ""
    for word in arguments:
        name, *extra = re.split(r"[\[\],]", word.removesuffix("]"))
        if after == "-c":
            assert (ROOT / word).is_file()
        elif after != "--find-links" and word[0] != "-":
            declared = [package for package in wanted if re.match(rf"{name}\b", package)]
            assert declared or name in (".", PROJECT["name"])
            assert set(extra) <= set(extras)
        after = word


def rule_of_uv(words):
    command, *arguments = words
    if command == "run":
        check(arguments)
    else:
        assert words == ["lock"]


def rule_of_git(words):
    assert words[0] in ("merge-file", "pull", "tag")


def rule_of_paths(words):
    """Every word is a file or a folder."""
    assert [word for word in words if not (ROOT / word).exists()] == []


def rule_of_source(words):
    assert words == [".venv/bin/activate"]


def rule_of_completion(words):
    """It names the variable that click reads, and a shell that click knows."""
    [shell] = re.findall(r"_COURSE_COMPLETE=(\w+)_source course\b", " ".join(words))
    assert get_completion_class(shell)


def rule_of_pre_commit(words):
    assert words == ["install"]
    assert (ROOT / ".pre-commit-config.yaml").is_file()


MODULES = {
    "benchmarks": lambda words: parser_of_benchmarks().parse_args(words),
    "benchmarks.scaling": lambda words: scaling.parser().parse_args(words),
    "benchmarks.without": lambda words: without.parser().parse_args(words),
    "build": rule_of_a_module_without_options,
    "course.authors.count": rule_of_a_module_without_options,
    "course.authors.sections": lambda words: [find_stage(name) for name in words],
    "course.authors.suites": rule_of_a_suite,
    "pytest": rule_of_paths,
    "stage5_transformer": rule_of_stage_5,
    "tests.proof.fuzz": lambda words: parser_of_the_fuzz().parse_args(words),
    "venv": rule_of_venv,
}
RULES = {
    ".ci/run": rule_of_a_module_without_options,
    "course": rule_of_course,
    "env": rule_of_completion,
    "eval": rule_of_completion,
    "git": rule_of_git,
    "make": rule_of_make,
    "pip": rule_of_pip,
    "pre-commit": rule_of_pre_commit,
    "py": rule_of_python,
    "pytest": rule_of_paths,
    "python": rule_of_python,
    "python3": rule_of_python,
    "source": rule_of_source,
    "uv": rule_of_uv,
    **{name: lambda words, name=name: rule_of_stage_5([name, *words]) for name in OF_STAGE_5},
}


def check(words):
    """Apply the rule of a program to the words of a command."""
    program, *arguments = words
    assert program in RULES, f"no rule for {program}"
    try:
        RULES[program](arguments)
    except SystemExit:  # argparse has said why
        pytest.fail(f"{program} refuses {' '.join(arguments)}")


# The tests.

COMMANDS = documented()

RUN = {  # what is quick and harmless, with its exit code in a fresh workspace
    "course --help": 0,
    "course start": 0,
    "course status": 0,
    "course next": 0,
    "course hint 1.1": 0,
    "course test 1.1": 1,
    "course diff 1.4": 2,
    "course doctor": 0,
    "course upgrade": 0,
    "course run 5 pronounce knight": 0,
    "python -m course.authors.count": 0,
    "python -m stage5_transformer pronounce glassbox": 0,
}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_text_is_read(path):
    assert path.read_text(encoding="utf-8").startswith("# ")


def test_there_are_commands_of_every_kind():
    found = {words_of(line)[0] for line in COMMANDS}
    assert {"course", "make", "pip", "python", "python3", "pytest"} <= found
    assert len(COMMANDS) > 60


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_is_right(line):
    with contextlib.redirect_stderr(io.StringIO()):
        check(words_of(line))


@pytest.mark.parametrize("line", RUN)
def test_a_quick_command_runs(line, mine, shell):
    assert line in COMMANDS, "no text names it any more"
    program, *arguments = words_of(line)
    start = ["-m", "course"] if program == "course" else []
    done = shell(sys.executable, *start, *arguments, cwd=ROOT)
    assert done.returncode == RUN[line], done.stdout + done.stderr
    assert "Traceback" not in done.stderr


WRONG = [
    "make tea",
    "course tests",
    "course test 1.99",
    "course report 1 --form json",
    "course lab 6",
    "course run 5 train pronounce --preset huge",
    "python -m stage5_transformer train pronounce --fold runs/a --size 3",
    "python -m stage5_transformer evaluate poems",
    "python -m benchmarks stage6",
    "python -m course.authors.suites tests",
    "python -m nothing",
    "python benchmarks/stage1.py",
    "python3 course/install.py benches",
    'pip install -e ".[everything]"',
    "pip install requests",
    "pytest tests/stage6_agents",
    'eval "$(_COURSE_COMPLETE=csh_source course)"',
    "docker run glassbox",
]


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_command_is_found(line):
    wrong = (AssertionError, KeyError, ValueError, click.ClickException, pytest.fail.Exception)
    with contextlib.redirect_stderr(io.StringIO()), pytest.raises(wrong):
        check(words_of(line))


def test_a_line_of_a_block_is_a_command_even_if_no_program_has_its_name():
    assert list(in_blocks("```\nmake test\ndocker run glassbox\n```\n")) == [
        "make test",
        "docker run glassbox",
    ]
