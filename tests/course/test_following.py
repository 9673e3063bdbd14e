"""A notebook follows the files of the packages it runs on: what is saved counts at once."""

import importlib
import sys
import textwrap

import pytest

from course.workspace.following import Follower


class Package:
    """A package on disk, and a namespace as cells of a notebook have one."""

    def __init__(self, root):
        self.root = root / "followed"
        self.root.mkdir()
        self.save("__init__", "")
        self.follower = Follower()
        self.follower.packages = {"followed"}
        self.cells = self.follower.namespace

    def save(self, module, text):
        (self.root / f"{module}.py").write_text(textwrap.dedent(text), encoding="utf-8")

    def cell(self, code):
        """Run a cell, as IPython does between the two events."""
        self.follower.follow()
        exec(code, self.cells)
        self.follower.note()


@pytest.fixture
def package(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield Package(tmp_path)
    for name in [name for name in sys.modules if name.split(".")[0] == "followed"]:
        del sys.modules[name]
    importlib.invalidate_caches()


def test_a_function_that_was_imported_by_name_has_the_new_code(package):
    package.save("a", "def f(x, by=1):\n    return x + by\n")
    package.cell("from followed.a import f; keep = [f]")
    package.save("a", "def f(x, by=2):\n    return x * by\n")
    package.cell("y = f(5), keep[0](5)")
    assert package.cells["y"] == (10, 10)


def test_two_texts_of_one_length_are_told_apart(package):
    package.save("a", "def f():\n    return 1\n")
    package.cell("from followed.a import f")
    package.save("a", "def f():\n    return 2\n")
    package.cell("y = f()")
    assert package.cells["y"] == 2


def test_a_function_that_another_module_imported_has_the_new_code(package):
    package.save("a", "def f():\n    return 1\n")
    package.save("b", "from followed.a import f\n\ndef twice():\n    return 2 * f()\n")
    package.cell("from followed.b import twice")
    package.save("a", "def f():\n    return helper()\n\ndef helper():\n    return 5\n")
    package.cell("y = twice()")
    assert package.cells["y"] == 10


CLASS = """
class Base:
    def name(self):
        return "base"

class Number(Base):
    def __init__(self, data):
        self.data = data

    def __add__(self, other):
        other = other if isinstance(other, Number) else Number(other)
        return Number(self.data + other.data)
"""
WIDER = """
    def __mul__(self, other):
        return Number(self.data * other)

    def name(self):
        return super().name() + " of a number"

    @property
    def half(self):
        return self.data / 2

    @classmethod
    def zero(cls):
        return cls(0)
"""


def test_an_instance_that_lives_on_has_the_new_methods(package):
    package.save("a", CLASS)
    package.cell("from followed.a import Number\nold = Number(3)")
    package.save("a", CLASS + WIDER)
    package.cell("y = (old * 2 + old + Number(1)).data, old.name(), old.half, Number.zero().data")
    assert package.cells["y"] == (10, "base of a number", 1.5, 0)
    package.cell("same = type(old + 1) is Number and isinstance(old, Number)")
    assert package.cells["same"]


def test_super_goes_on_to_work_when_a_method_that_calls_it_changes(package):
    package.save("a", CLASS + WIDER)
    package.cell("from followed.a import Number\nold = Number(3)")
    package.save("a", CLASS + WIDER.replace("of a number", "of a new number"))
    package.cell("y = old.name()")
    assert package.cells["y"] == "base of a new number"


def test_a_method_that_was_taken_out_is_gone(package):
    package.save("a", CLASS + WIDER)
    package.cell("from followed.a import Number\nold = Number(3)")
    package.save("a", CLASS)
    package.cell("there = hasattr(old, 'half')")
    assert package.cells["there"] is False


def test_a_class_of_another_module_that_builds_on_it_has_the_new_code(package):
    package.save("a", CLASS)
    package.save("b", "from followed.a import Base\n\nclass Own(Base):\n    pass\n")
    package.cell("from followed.b import Own\nown = Own()")
    package.save("a", CLASS.replace('"base"', '"new"'))
    package.cell("y = own.name()")
    assert package.cells["y"] == "new"


def test_a_class_with_slots_keeps_its_instances(package):
    slots = "class A:\n    __slots__ = ('x',)\n    def get(self):\n        return self.x\n"
    package.save("a", slots)
    package.cell("from followed.a import A\na = A()\na.x = 3")
    package.save("a", slots.replace("self.x", "10 * self.x"))
    package.cell("y = a.get()")
    assert package.cells["y"] == 30


def test_a_class_with_other_slots_is_a_new_one_in_the_cells(package):
    package.save("a", "class A:\n    __slots__ = ('x',)\n")
    package.cell("from followed.a import A")
    package.save("a", "class A:\n    __slots__ = ('x', 'y')\n")
    package.cell("a = A()\na.y = 3")
    assert package.cells["a"].y == 3


def test_a_decorated_function_and_a_constant_are_the_new_ones(package):
    text = """
        from contextlib import contextmanager

        LIMIT = 1000

        @contextmanager
        def limit():
            yield LIMIT
    """
    package.save("a", text)
    package.cell("from followed.a import LIMIT, limit")
    package.save("a", text.replace("1000", "2000").replace("yield LIMIT", "yield -LIMIT"))
    package.cell("with limit() as low:\n    y = low, LIMIT")
    assert package.cells["y"] == (-2000, 2000)


def test_a_constant_is_the_new_one_where_it_was_imported_and_stays_where_it_was_not(package):
    package.save("a", "LIMIT = 1000.5\n")
    package.save("b", "from followed.a import LIMIT\n\ndef get():\n    return LIMIT\n")
    package.cell("from followed import a, b\nfrom followed.b import get")
    package.save("a", "LIMIT = 2000.5\n")
    package.cell("y = get()")
    assert package.cells["y"] == 2000.5
    package.save("b", "LIMIT = 3000.5\n\ndef get():\n    return LIMIT\n")
    package.cell("y = get(), a.LIMIT")
    assert package.cells["y"] == (3000.5, 2000.5)


def test_a_file_that_is_half_typed_is_told_once_and_the_old_code_goes_on(package, capsys):
    package.save("a", "def f():\n    return 1\n")
    package.cell("from followed.a import f")
    package.save("a", "def f():\n    return (\n")
    package.cell("y = f()")
    package.cell("y = f()")
    assert package.cells["y"] == 1
    assert capsys.readouterr().out == (
        "followed/a.py cannot be read as it stands (line 2: '(' was never closed), "
        "so cells go on with what it was before.\n"
    )
    package.save("a", "def f():\n    return 22\n")
    package.cell("y = f()")
    assert package.cells["y"] == 22


def test_a_file_that_fails_half_way_changes_nothing(package, capsys):
    package.save("a", "A = 1000\n\ndef f():\n    return A\n")
    package.cell("from followed.a import f")
    package.save("a", "A = 2000\n\ndef f():\n    return -A\n\nprint(missing)\n")
    package.cell("y = f()")
    assert package.cells["y"] == 1000
    assert "(NameError: name 'missing' is not defined)" in capsys.readouterr().out


def test_two_files_that_were_saved_together_may_need_each_other(package, capsys):
    package.save("a", "from followed.b import one\n\ndef f():\n    return one()\n")
    package.save("b", "def one():\n    return 1\n")
    package.cell("from followed.a import f")
    package.save("a", "from followed.b import two\n\ndef f():\n    return two()\n")
    package.save("b", "def one():\n    return 1\n\ndef two():\n    return 2\n")
    package.cell("y = f()")
    assert package.cells["y"] == 2
    assert capsys.readouterr().out == ""


def test_a_file_that_is_gone_for_a_moment_is_no_change(package):
    package.save("a", "def f():\n    return 1\n")
    package.cell("from followed.a import f")
    (package.root / "a.py").unlink()
    package.cell("y = f()")
    assert package.cells["y"] == 1
