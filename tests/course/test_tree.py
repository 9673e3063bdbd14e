"""The rules of the tree: what may import what, how long a file is, what the README may name."""

import ast
import re
import sys

import pytest

from course import ROOT
from course.commands import cli

STAGES = sorted(path.name for path in ROOT.glob("stage*_*") if (path / "__init__.py").is_file())
STAGE_FILES = [path for name in STAGES for path in sorted((ROOT / name).rglob("*.py"))]
COURSE_FILES = sorted((ROOT / "course").rglob("*.py"))
TEST_FILES = [path for name in STAGES for path in sorted((ROOT / "tests" / name).rglob("*.py"))]

ANYWHERE = {"numpy", "safetensors", *sys.stdlib_module_names}
INSIDE_FUNCTIONS = {"rich", "matplotlib"}  # not needed to learn, only to show
INHERITED = {"extra_repr"}  # overrides a method that is explained in Module
PUBLIC_PACKAGES = {"view", "more"}  # inside a stage, for later ones to import from
LONGEST_FILE = 240


def each(files):
    return pytest.mark.parametrize("path", files, ids=[str(f.relative_to(ROOT)) for f in files])


def parse(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(tree):
    """The top-level packages that are imported anywhere below this node of the syntax."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found


def imported_in_functions(tree):
    """The packages that are imported in functions, so only when one of them is called."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [imported(node) for node in ast.walk(tree) if isinstance(node, functions)]
    return set().union(*found)


def imported_at_once(tree):
    """The packages that are imported with the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [ast.Pass()]
    return imported(tree)


def up_to(stage):
    return set(STAGES[: STAGES.index(stage) + 1])


def test_there_are_stages_and_files_to_look_at():
    assert STAGES[0] == "stage1_autodiff"
    assert len(STAGES) == 5
    assert {path.parent.name for path in COURSE_FILES} >= {"commands", "grader", "workspace"}
    assert {path.relative_to(ROOT).parts[0] for path in STAGE_FILES} == set(STAGES)
    assert {path.parent.name for path in TEST_FILES} == set(STAGES)


@each(STAGE_FILES)
def test_a_stage_imports_earlier_stages_numpy_and_the_standard_library(path):
    allowed = up_to(path.relative_to(ROOT).parts[0]) | ANYWHERE
    assert imported_at_once(parse(path)) <= allowed


@each(STAGE_FILES)
def test_a_function_of_a_stage_imports_little_more(path):
    allowed = up_to(path.relative_to(ROOT).parts[0]) | ANYWHERE | INSIDE_FUNCTIONS
    assert imported_in_functions(parse(path)) <= allowed


@each(STAGE_FILES)
def test_a_stage_takes_from_earlier_ones_only_what_they_export(path):
    own = path.relative_to(ROOT).parts[0]
    modules = [node.module or "" for node in ast.walk(parse(path)) if from_a_stage(node)]
    private = [module for module in modules if "." in module and module.split(".")[0] != own]
    assert [module for module in private if module.split(".")[1] not in PUBLIC_PACKAGES] == []


@pytest.mark.parametrize("number", range(1, len(STAGES)))
def test_the_conventions_list_what_later_stages_import(number):
    stage = STAGES[number - 1]
    text = (ROOT / "docs/conventions.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| stage {number} \| (.*) \|$", text, re.MULTILINE)
    files = [path for path in STAGE_FILES if path.relative_to(ROOT).parts[0] != stage]
    nodes = [node for path in files if "more" not in path.parts for node in ast.walk(parse(path))]
    taken = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == stage]
    names = {alias.name for node in taken for alias in node.names}
    assert set(re.findall(r"`(\w+)`", row)) == names


def from_a_stage(node):
    return isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in STAGES


@each(COURSE_FILES)
def test_the_course_imports_no_stage(path):
    assert imported(parse(path)) & set(STAGES) == set()


@each(STAGE_FILES)
def test_no_stage_imports_the_course(path):
    assert "course" not in imported(parse(path))


@each(TEST_FILES)
def test_the_tests_of_a_stage_import_no_later_stage(path):
    stage = path.relative_to(ROOT / "tests").parts[0]
    assert imported(parse(path)) & set(STAGES) <= up_to(stage)


@each(STAGE_FILES)
def test_everything_public_in_a_stage_has_a_docstring(path):
    assert list(without_docstring(parse(path))) == []


def without_docstring(tree, prefix=""):
    """The public functions and classes, and the file itself, that say nothing of themselves."""
    if not prefix and ast.get_docstring(tree) is None:
        yield "the file"
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name[0] != "_":
            if node.name in INHERITED and prefix != "Module.":
                continue
            if ast.get_docstring(node) is None and not is_part_of_a_protocol(tree, prefix):
                yield prefix + node.name
            if isinstance(node, ast.ClassDef):
                yield from without_docstring(node, f"{prefix}{node.name}.")


def is_part_of_a_protocol(tree, prefix):
    """A protocol's members are named there, and explained where they are defined."""
    return bool(prefix) and any("Protocol" in ast.unparse(base) for base in tree.bases)


@each(STAGE_FILES)
def test_no_file_of_a_stage_is_too_long(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@each(STAGE_FILES)
def test_an_error_says_what_was_expected_and_what_came_since_not_all_have_a_fix(path):
    texts = [words_of(node) for node in ast.walk(parse(path)) if isinstance(node, ast.Raise)]
    sentences = [text for text in texts if " " in text]  # the others are written by a function
    assert [text for text in sentences if not re.search("expected.* got", text)] == []


def words_of(error):
    """All the text that is written out in a `raise`."""
    constants = [node.value for node in ast.walk(error) if isinstance(node, ast.Constant)]
    return "".join(text for text in constants if isinstance(text, str))


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_exports_what_it_imports(stage):
    tree = parse(ROOT / stage / "__init__.py")
    (exported,) = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    assert set(exported) == {alias.name for node in imports for alias in node.names}


# What the README promises.


def named_in_the_readme(program):
    """The commands of `program`: a word behind it, on lines of their own or in quotes."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = re.findall(rf"^(?:\S*[\\/])?{program} ([a-z]+)", text, re.MULTILINE)
    quotes = re.findall(rf"`{program}\s([a-z]+)", text)
    return {*lines, *quotes}


def targets_of_the_makefile():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    lines = re.findall(r"^([\w -]+):", text, re.MULTILINE)
    return {target for line in lines for target in line.split()}


def test_the_readme_names_the_two_commands():
    assert {"start", "test"} <= named_in_the_readme("make")


def test_every_course_command_of_the_readme_exists():
    assert named_in_the_readme("course") <= set(cli.main.commands)


def test_every_target_of_the_makefile_is_declared_as_a_command():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert set(phony.split()) == targets_of_the_makefile()


def test_git_ignores_what_a_learner_s_commands_leave_in_the_checkout():
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split("\n")
    assert {"/workspace/", ".workspace", ".venv/"} <= set(ignored)


def test_help_loads_neither_numpy_nor_pytest(shell):
    look = "import sys, course.commands.cli; print({'numpy', 'pytest'} & set(sys.modules))"
    assert shell(sys.executable, "-c", look).stdout == "set()\n"


@pytest.mark.parametrize("stage", STAGES)
def test_the_readme_of_a_stage_names_every_file_and_no_other(stage):
    text = (ROOT / stage / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:\w+/)*\w+\.py)`", text))
    files = {path.name for path in (ROOT / stage).glob("*.py")} - {"__init__.py"}
    assert files <= named
    assert {name for name in named if not (ROOT / stage / name).is_file()} == set()
