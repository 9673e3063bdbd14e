"""Mutants and other designs are made of the reference, and say so when it has moved on."""

import pytest

from course import ROOT, files
from course.authors.mutants import Edit, Mutant, make_alternative, make_mutant, mutant


def test_a_mutant_differs_in_its_edit_only(stage, tmp_path):
    make_mutant(stage, mutant("", "1.6", "graph.py", "grad += 1.0", "grad += 2.0"), tmp_path)
    old = files.read(ROOT / stage.package / "graph.py")
    new = files.read(tmp_path / stage.package / "graph.py")
    assert new == old.replace("grad += 1.0", "grad += 2.0")


def test_a_mutant_can_have_several_edits(stage, tmp_path):
    edits = Edit("graph.py", "grad += 1.0", "grad += 2.0"), Edit("graph.py", "Griewank", "Griew")
    make_mutant(stage, Mutant("m", "1.6", edits), tmp_path)
    new = files.read(tmp_path / stage.package / "graph.py")
    assert "grad += 2.0" in new
    assert "Griewank" not in new


@pytest.mark.parametrize("old, times", [("no such text", 0), ("node", r"\d\d")])
def test_a_mutant_of_text_that_is_not_there_once_is_an_error(stage, tmp_path, old, times):
    with pytest.raises(ValueError, match=f"expected its old text in graph.py once, got {times}"):
        make_mutant(stage, mutant("m", "1.6", "graph.py", old, "new"), tmp_path)


def test_another_design_lies_over_the_reference(stage, tmp_path):
    design = tmp_path / "design"
    design.mkdir()
    (design / "graph.py").write_text("# another\n")
    make_alternative(stage, design, tmp_path / "out")
    made = tmp_path / "out" / stage.package
    assert files.read(made / "graph.py") == "# another\n"
    assert files.read(made / "value.py") == files.read(ROOT / stage.package / "value.py")
