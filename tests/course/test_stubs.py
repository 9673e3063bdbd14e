"""The stub writer: the bodies of the exercises go, and every other byte stays."""

import ast
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course import ROOT, UsageError, files
from course.manifest import stages
from course.workspace import stubs
from course.workspace.handing_out import stub_source

FILES = [
    (stage, path.name) for stage in stages() for path in sorted((ROOT / stage.package).glob("*.py"))
]
RAISE = 'raise NotImplementedError("exercise 9.9: Something")'
MESSAGE = "exercise 9.9: Something"


def on_every_file(test):
    return pytest.mark.parametrize(
        "stage, file", FILES, ids=[f"{stage.package}/{file}" for stage, file in FILES]
    )(test)


def exercise_functions(stage, file):
    return [name for e in stage.exercises for name in e.functions_in(file)]


# The reference.


@on_every_file
def test_pasting_the_solutions_into_the_stubs_gives_the_reference_byte_for_byte(stage, file):
    reference = files.read(ROOT / stage.package / file)
    source = stub_source(stage, file)
    for name in exercise_functions(stage, file):
        source = stubs.replace(source, name, stubs.extract(reference, name))
    assert source == reference


@on_every_file
def test_every_exercise_of_a_file_is_a_stub_and_nothing_else_is(stage, file):
    found = stubs.functions(stub_source(stage, file))
    assert {n for n in found if stubs.is_stub(found[n])} == set(exercise_functions(stage, file))


@on_every_file
def test_a_stub_keeps_signature_decorators_and_docstring(stage, file):
    reference = stubs.functions(files.read(ROOT / stage.package / file))
    found = stubs.functions(stub_source(stage, file))
    for name in exercise_functions(stage, file):
        assert outside(found[name]) == outside(reference[name])


def outside(node):
    """All of a function but its body."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    returns = node.returns and ast.unparse(node.returns)
    return decorators, ast.unparse(node.args), returns, ast.get_docstring(node)


@pytest.mark.parametrize("exercise", stages()[0].exercises, ids=lambda e: e.id)
def test_a_stub_names_its_exercise_when_it_is_called(exercise):
    for file in exercise.files:
        found = stubs.functions(stub_source(stages()[0], file))
        for name in exercise.functions_in(file):
            last = ast.unparse(found[name].body[-1])
            assert last == f"raise NotImplementedError('exercise {exercise.id}: {exercise.title}')"


def test_one_exercise_alone_can_be_cut_out(stage):
    exercise = stage.exercises[2]
    found = stubs.functions(stub_source(stage, "value.py", only=exercise))
    left = {name for name in found if stubs.is_stub(found[name])}
    assert left == set(exercise.functions_in("value.py"))


# Small modules of every kind. Each is a list of pieces: some lines, and the name of the function
# whose body they are, if they are one.

SIGNATURES = ["()", "(self, x)", "(\n    a: int,  # why\n    b: str = ')',\n) -> int", "(*a, **b)"]
DECORATORS = ["", "@property\n", "@mark('a:')\n@mark(\n    1,\n)\n"]
DOCSTRINGS = [
    "",
    '"""One line."""\n',
    "'''Zwölf Boxkämpfer.\n\nAn indented\n    line, a # and a \"quote\".\n'''\n",
]
BODIES = [
    "return 1\n",
    "x = [\n    1,\n]\n# The reason.\nreturn x\n",
    "if a:\n    return 2\nelse:\n    raise ValueError('no')\n",
    "def inner():\n    return 3\n\nreturn inner\n",
    "text = '''\n  def not_a_function():\n'''\nreturn text\n",
    "for i in range(3):\n    yield i\n",
    "raise NotImplementedError\n",
]
BETWEEN = ["", "\n", "\n\n# A comment.\n", "X = 'ü'  # a constant\n\n", "# def f(): pass\n"]


def indented(text, indent):
    return "".join(
        " " * indent + line if line.strip() else line for line in text.splitlines(keepends=True)
    )


def function_pieces(draw, numbers, prefix, indent):
    name = f"f{next(numbers)}"
    kind = draw(st.sampled_from(["def ", "async def "]))
    head = draw(st.sampled_from(DECORATORS)) + kind + name + draw(st.sampled_from(SIGNATURES))
    docstring = draw(st.sampled_from(DOCSTRINGS))
    head = indented(head + ":\n", indent) + indented(docstring, indent + 4)
    body = indented(draw(st.sampled_from(BODIES)), indent + 4)
    after = indented(draw(st.sampled_from(BETWEEN)), indent)
    return [(head, None), (body, prefix + name), (after, None)]


def class_pieces(draw, numbers, prefix, indent):
    name = f"C{next(numbers)}"
    pieces = [(indented(f'class {name}:\n    """A class."""\n\n', indent), None)]
    for _ in range(draw(st.integers(1, 2))):
        pieces += function_pieces(draw, numbers, f"{prefix}{name}.", indent + 4)
    if indent == 0 and draw(st.booleans()):
        pieces += class_pieces(draw, numbers, f"{name}.", 4)
    return pieces


@st.composite
def modules(draw):
    numbers = count()  # no two functions have one name
    pieces = [('"""A module."""\n\nimport os\n\n', None)]
    for _ in range(draw(st.integers(1, 3))):
        make = draw(st.sampled_from([function_pieces, class_pieces]))
        pieces += make(draw, numbers, "", 0)
    return pieces


def source_of(pieces):
    return "".join(text for text, _ in pieces)


def stubbed(pieces, names):
    """The same module with some bodies exchanged by hand."""
    lines = []
    for text, name in pieces:
        indent = " " * (len(text) - len(text.lstrip()))
        lines.append(f"{indent}{RAISE}\n" if name in names else text)
    return "".join(lines)


@settings(max_examples=50, deadline=None)
@given(modules(), st.data())
def test_only_the_bodies_of_the_named_functions_change(pieces, data):
    names = [name for _, name in pieces if name]
    chosen = data.draw(st.sets(st.sampled_from(names)))
    result = stubs.stub(source_of(pieces), dict.fromkeys(chosen, MESSAGE))
    assert result == stubbed(pieces, chosen)


@settings(max_examples=50, deadline=None)
@given(modules())
def test_windows_line_ends_stay(pieces):
    names = {name for _, name in pieces if name}
    source = source_of(pieces).replace("\n", "\r\n")
    result = stubs.stub(source, dict.fromkeys(names, MESSAGE))
    assert result == stubbed(pieces, names).replace("\n", "\r\n")


@settings(max_examples=50, deadline=None)
@given(modules())
def test_what_was_extracted_can_be_put_back(pieces):
    source = source_of(pieces)
    names = [name for _, name in pieces if name]
    empty = stubs.stub(source, dict.fromkeys(names, MESSAGE))
    for name in names:
        empty = stubs.replace(empty, name, stubs.extract(source, name))
    assert empty == source


@settings(max_examples=50, deadline=None)
@given(modules())
def test_a_function_is_a_stub_exactly_if_stub_made_it(pieces):
    names = [name for _, name in pieces if name]
    found = stubs.functions(stubs.stub(source_of(pieces), {names[0]: MESSAGE}))
    assert [name for name in names if stubs.is_stub(found[name])] == names[:1]


# The corners.


def test_the_text_of_a_unix_function_takes_the_line_ends_of_a_windows_file():
    windows = "def f():\r\n    return 1\r\n"
    assert stubs.replace(windows, "f", "def f():\n    return 2") == "def f():\r\n    return 2\r\n"


def test_the_text_of_a_windows_function_takes_the_line_ends_of_a_unix_file():
    assert stubs.replace("def f(): 1\n", "f", "def f():\r\n    2") == "def f():\n    2\n"


def test_a_body_without_docstring_goes_with_its_leading_comment():
    source = "def f():\n    # first double it\n    return 2\n"
    assert stubs.stub(source, {"f": MESSAGE}) == f"def f():\n    {RAISE}\n"


def test_a_body_that_begins_with_a_decorator_goes_as_a_whole():
    source = "def f():\n    @cache\n    def g():\n        return 1\n\n    return g\n"
    assert stubs.stub(source, {"f": MESSAGE}) == f"def f():\n    {RAISE}\n"


def test_two_statements_on_a_line_do_not_push_the_stub_to_the_right():
    source = "def f():\n    a = 1; return a\n"
    assert stubs.stub(source, {"f": MESSAGE}) == f"def f():\n    {RAISE}\n"


def test_a_body_that_is_only_a_docstring_keeps_it():
    source = 'def f():\n    """Nothing yet."""\n'
    assert stubs.stub(source, {"f": MESSAGE}) == f"{source}    {RAISE}\n"


def test_a_file_without_a_last_line_end_gets_none():
    assert stubs.stub("def f():\n    return 1", {"f": MESSAGE}) == f"def f():\n    {RAISE}"


def test_code_above_the_stub_line_is_no_stub_any_more():
    source = (
        'def f():\n    """Two."""\n    return 2\n    raise NotImplementedError("exercise 9.9: x")'
    )
    assert not stubs.is_stub(stubs.functions(source)["f"])


def test_functions_inside_functions_have_no_name_of_their_own():
    source = "def f():\n    def g():\n        pass\n"
    assert list(stubs.functions(source)) == ["f"]


@pytest.mark.parametrize("work", [stubs.extract, lambda s, n: stubs.replace(s, n, "")])
def test_a_function_that_is_not_there_is_a_key_error(work):
    with pytest.raises(KeyError):
        work("x = 1\n", "f")


def test_a_function_that_the_file_lacks_is_named():
    with pytest.raises(UsageError, match="expected a function g for exercise 9"):
        stubs.stub("def f():\n    pass\n", {"g": "exercise 9.9"})
