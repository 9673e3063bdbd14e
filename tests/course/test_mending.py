"""What a learner's function still uses is there after an upgrade, wherever the course moved it."""

import pytest

from course.workspace.mending import mend, undefined

OLD = {
    "stage/a.py": "import math\nfrom stage.b import far\n\n\ndef near(x):\n    return x + ONE\n\n\n"
    "ONE = 1\n",
    "stage/b.py": "def far(x):\n    return beside(x)\n\n\ndef beside(x):\n    return 2 * x\n",
}


def run(text):
    names = {}
    exec(text, names)
    return names["f"]


def mended(body, new=None):
    return mend("stage/a.py", f"def f(x):\n    return {body}\n", OLD, new or {})


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("x", 3),
        ("near(x)", 4),
        ("far(x)", 6),
        ("math.floor(x)", 3),
        ("[near(y) for y in [x]][0]", 4),
    ],
)
def test_a_definition_that_is_gone_comes_along_with_all_that_it_needs(body, value):
    assert run(mended(body))(3) == value


def test_nothing_is_added_where_nothing_is_missing():
    text = "import math\n\n\ndef f(x):\n    return math.floor(sum([x for x in x]))\n"
    assert mend("stage/a.py", text, OLD, {}) == text


def test_what_has_moved_is_imported_from_its_new_place():
    new = {"stage/c.py": "def far(x):\n    return 5\n"}
    assert "\nfrom stage.c import far\n" in "\n" + mended("far(x)", new)


def test_an_import_that_would_go_round_in_a_circle_is_none():
    new = {"stage/a.py": "", "stage/c.py": "from stage.a import f\n\n\ndef far(x):\n    return 5\n"}
    assert run(mended("far(x)", new))(3) == 6


def test_what_nobody_ever_defined_is_left_for_the_learner():
    assert mended("my_own_mistake(x)") == "def f(x):\n    return my_own_mistake(x)\n"


@pytest.mark.parametrize(
    "text",
    [
        "class A:\n    x = 1\n    def f(self):\n        return self.x, __class__\n",
        "def f():\n    global g\n    g = 1\n",
        "def f(a, *b, c=1, **d):\n    return lambda e: (a, b, c, d, e)\n",
        "try:\n    import x\nexcept ImportError as error:\n    print(error)\n",
        "for i in range(3):\n    print(i, __name__)\n",
    ],
)
def test_what_python_itself_defines_is_defined(text):
    assert undefined(text) == set()
