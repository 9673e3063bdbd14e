"""The rules of the folders `more`: wider forms that programs from elsewhere ask for.

They may lean on everything; nothing may lean on them. So the exercises stay as short as they are.
"""

import ast
import importlib
import re

import pytest

from course import ROOT
from course.manifest import stages
from stage2_tensor import Tensor

PACKAGES = ["stage2_tensor", "stage3_nn", "stage4_optim"]
MORE_FILES = [path for name in PACKAGES for path in sorted((ROOT / name / "more").glob("*.py"))]
OTHER_FILES = [
    path
    for stage in stages()
    for path in sorted((ROOT / stage.package).rglob("*.py"))
    if "more" not in path.relative_to(ROOT).parts
]
LONGEST_FILE = 200
MOST_METHODS = 15


def each(files):
    return pytest.mark.parametrize("path", files, ids=[str(f.relative_to(ROOT)) for f in files])


def modules_of(path):
    """The modules that a file imports, or imports from, and what it takes from them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def more(package):
    return importlib.import_module(f"{package}.more")


@each(OTHER_FILES)
def test_no_file_beside_them_imports_them(path):
    assert [name for name in modules_of(path) if "more" in name.split(".")] == []


def test_no_exercise_stands_there():
    written = {file for stage in stages() for e in stage.exercises for file in e.files}
    assert [file for file in written if file.startswith("more")] == []


def test_few_methods_of_a_tensor_come_from_there():
    modules = [getattr(member, "__module__", "") or "" for member in vars(Tensor).values()]
    assert sum(name.startswith("stage2_tensor.more") for name in modules) <= MOST_METHODS


@each(MORE_FILES)
def test_their_files_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("package", PACKAGES)
def test_they_are_exported_by_name(package):
    tree = ast.parse((ROOT / package / "more/__init__.py").read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    assert sorted(more(package).__all__) == sorted(a.name for node in imports for a in node.names)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_readme_of_the_stage_lists_each_of_them_once(package):
    text = (ROOT / package / "README.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^## More operations\n(.*?)^## ", text, re.DOTALL | re.MULTILINE)
    rows = [line for line in table.split("\n") if line.startswith("| ")]
    named = [name for row in rows for name in re.findall(r"`(\w+)", row.split("|")[2])]
    assert sorted(named) == sorted(more(package).__all__)
