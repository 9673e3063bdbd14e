"""The operators make one mistake each, and leave alone what is no mistake."""

import ast

import pytest

from course import ROOT, files
from course.authors import mutating, mutation_report
from course.authors.mutating import mutations, plant, survivors
from course.authors.operators import OPERATORS
from course.grader import outcomes
from course.grader.outcomes import Outcome
from course.manifest import stages


def mutants(operator, body, signature="f(x)"):
    """What an operator makes of the body of a function."""
    source = f"def {signature}:\n    " + body.replace("\n", "\n    ")
    function = ast.parse(source).body[0]
    made = mutating._of_function(None, "f.py", "f", source, function)
    return [cut(m.source) for m in made if m.operator == operator]


def cut(source):
    return source.split("\n", 1)[1].removeprefix("    ").replace("\n    ", "\n")


@pytest.mark.parametrize(
    "operator, body, expected",
    [
        ("arithmetic", "return a + b", ["return a - b"]),
        ("arithmetic", "return a * (b + c)", ["return a / (b + c)", "return a * (b - c)"]),
        ("arithmetic", "return x / a ** b", ["return x * a ** b", "return x / (a * b)"]),
        ("arithmetic", "total += x", ["total -= x"]),
        ("comparison", "return a < b", ["return a <= b", "return a >= b"]),
        ("comparison", "return a == b", ["return a != b"]),
        ("comparison", "return p in seen", ["return p not in seen"]),
        ("constant", "return 1", ["return 2"]),
        ("constant", "return 0.5", ["return 1.0"]),
        ("constant", "return 0.0", ["return 1.0"]),
        ("constant", "return False", ["return True"]),
        ("constant", "return sum(x, axis=1)", []),
        ("negation", "return -x", ["return x"]),
        ("negation", "return 1 if x else 2", ["return 1 if not x else 2"]),
        ("negation", "return a and b", ["return a or b"]),
        ("deleted statement", "a()\nb()", ["pass\nb()", "a()\npass"]),
        ("deleted statement", "if x:\n    raise e", ["pass"]),
        ("exchanged arguments", "return f(a, b)", ["return f(b, a)"]),
        ("exchanged arguments", "return f(a, a)", []),
        ("exchanged arguments", "return f(*a, b)", []),
        ("exchanged arguments", "return f((a, g), (b, h))", []),
        ("exchanged arguments", 'return check("f", a)', []),
        ("exchanged arguments", "return a, b", ["return (b, a)"]),
        ("exchanged arguments", "return a @ b", ["return b @ a"]),
        ("axis", "return f(x, axis=1)", [f"return f(x, axis={a})" for a in ("0", "-1", "None")]),
        ("axis", "return f(x, axis=0)", ["return f(x, axis=-1)", "return f(x, axis=None)"]),
        ("axis", "return f(x, axis)", ["return f(x, 0)", "return f(x, -1)"]),
        ("keepdims", "return f(x, keepdims=True)", ["return f(x, keepdims=False)"]),
        ("removed accumulation", "total += x", ["total = x"]),
        ("removed accumulation", "p.grad = p.grad + g", ["p.grad = g"]),
        ("first group", 'return options["lr"]', ['return self.param_groups[0]["lr"]']),
        ("ignored upstream", "return lambda g: g * y", ["return lambda g: (0 * g + 1) * y"]),
        ("ignored upstream", "return g.shape", []),
        ("ignored upstream", "return d * node.grad", ["return d * (0 * node.grad + 1)"]),
    ],
)  # fmt: skip
def test_an_operator(operator, body, expected):
    assert mutants(operator, body) == expected


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize(
    "body",
    [
        '"""At most 1 + 1."""\nreturn x',
        'if x:\n    raise ValueError(f"{1 + 1}", 2, axis=0)\nreturn x',
        'return f"{x + 1}"',
        "y: F[1] = x\nreturn y",
    ],
)
def test_text_and_annotations_are_left_alone(operator, body):
    made = [text for text in mutants(operator, body) if "pass" not in text and "not x" not in text]
    assert made == []


def test_what_is_given_is_left_alone():
    assert mutants("constant", "return x", signature="f(x=1, *, y: int = 2) -> F[3]") == []


def test_the_text_around_a_mistake_stays():
    body = "return f(  # é\n    'a',  a+b)"
    assert mutants("arithmetic", body) == ["return f(  # é\n    'a',  a - b)"]


@pytest.mark.parametrize("stage", stages(), ids=lambda stage: stage.package)
def test_every_mutant_is_another_program(stage):
    made = mutations(stage)
    assert len({(m.file, m.source) for m in made}) == len(made)
    for m in made[::10]:
        old = files.read(ROOT / stage.package / m.file)
        assert ast.dump(ast.parse(m.source)) != ast.dump(ast.parse(old)), m.key


def test_a_planted_mutant_differs_in_its_file_only(stage, tmp_path):
    mutation = mutations(stage)[0]
    plant(mutation, tmp_path)
    for path in (tmp_path / stage.package).rglob("*.py"):
        name = path.relative_to(tmp_path)
        assert (files.read(path) == files.read(ROOT / name)) == (name.name != mutation.file)


def test_a_row_of_the_list_outlives_a_moved_line(stage, monkeypatch):
    before = {m.key for m in mutations(stage)}
    monkeypatch.setattr(mutating.files, "read", lambda path: "\n\n" + path.read_text())
    assert {m.key for m in mutations(stage)} == before


def test_survivors_are_told_with_their_reason(course, stage, monkeypatch):
    first, second, *_ = made = mutations(stage)[:3]
    monkeypatch.setattr(mutation_report, "mutations", lambda stage: made)
    monkeypatch.setattr(mutation_report, "seconds", lambda exercise: 1.0)
    monkeypatch.setattr(mutation_report, "found_elsewhere", lambda mutation, stage: "1.3")
    passed = {first, second}
    told = Outcome("1.1", outcomes.WRONG, text="y\n  cause     the sign is flipped")
    right = Outcome("1.1", outcomes.PASSED)
    monkeypatch.setattr(mutation_report, "outcome", lambda m: right if m in passed else told)
    monkeypatch.setattr(mutation_report, "survivors", lambda: {first.key: "equivalent"})
    result = course("check", "--mutate", "1")
    assert result.exit_code == 1
    assert f"{first.place}: 1.1 central_difference, {first.operator}: equivalent" in result.stdout
    assert "no reason; found by 1.3" in result.stdout
    assert f"-{second.old[0]}\n+{second.new[0]}" in result.stdout
    assert result.stdout.split("\n")[-2].split() == ["all", "3", "1", "1", "0", "1", "1"]
    passed.remove(second)
    assert course("check", "--mutate", "1", "--only", "1.1").exit_code == 0
    passed.remove(first)
    result = course("check", "--mutate", "1")
    assert result.exit_code == 1
    assert f"{first.operator}: listed as a survivor, but found" in result.stdout


def test_the_list_of_survivors_is_read():
    assert isinstance(survivors(), dict)
