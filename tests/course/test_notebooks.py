"""The committed notebooks are complete, and what they import from `course` keeps its promises."""

import os
import re
from pathlib import Path

import nbformat
import pytest

from course import ROOT, files, predictions
from course.authors.notebooks import NotebookError, execute, fold_answers, folded, prediction_of
from course.notebook import predict
from course.predictions import Prediction

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def cells(request):
    """The code cells of one committed notebook."""
    notebook = nbformat.read(request.param, as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_notebooks():
    assert NOTEBOOKS


def test_cells_were_run_once_from_top_to_bottom(cells):
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))


def test_no_cell_failed_unless_it_says_so(cells):
    failed = [
        cell.source
        for cell in cells
        if any(output.output_type == "error" for output in cell.outputs)
        and "raises-exception" not in cell.metadata.get("tags", [])
    ]
    assert failed == []


def test_outputs_name_no_place_on_the_machine_that_ran_them(cells):
    outputs = "".join(str(cell.outputs) for cell in cells)
    for place in (str(ROOT), str(Path.home()) + os.sep, "site-packages", "/tmp/", "0x7f"):
        assert place not in outputs


def test_no_prediction_is_filled_in_or_shows_its_reasons(cells):
    calls = re.findall(r"^predict\((.*?)\)$", "\n".join(c.source for c in cells), re.M | re.S)
    assert calls
    shown = [
        call for call in calls if not re.fullmatch(r'\s*None,.*\bwhy="[^"]+",?\s*', call, re.S)
    ]
    assert shown == []


def test_what_a_cell_computes_is_the_answer_that_is_told(cells):
    outputs = "".join(str(cell.outputs) for cell in cells)
    assert "The course gets another answer" not in outputs  # nbval holds the outputs to be true


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_answers_are_folded_below_the_cells_that_ask(path):
    notebook = nbformat.read(path, as_version=4)
    known = predictions.read(files.read(path.with_suffix(".toml")))
    asked = [name for cell in notebook.cells if (name := prediction_of(cell))]
    assert asked == list(known)
    number = path.stem.removeprefix("stage").split("_")[0]
    assert {name[0] for name in asked} == {number}
    before = [dict(cell) for cell in notebook.cells]
    fold_answers(notebook, known)
    assert [dict(cell) for cell in notebook.cells] == before


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_carry_no_marks_of_an_editor(path):
    notebook = nbformat.read(path, as_version=4)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert set().union(*(cell.metadata for cell in notebook.cells)) <= {"tags"}


PREDICTIONS = """
["9.1 share"]
answer = 22
why = [[30, "the share came twice"], [12, "the ruler is a little off"], ["no", "it is a number"]]
"""


@pytest.fixture
def known(monkeypatch, tmp_path):
    """One prediction, `9.1 share`, is all that the course knows."""
    files.write(tmp_path / "notebooks/stage9_sharing.toml", PREDICTIONS)
    monkeypatch.setattr(predictions, "ROOT", tmp_path)


@pytest.mark.parametrize(
    "guess, answer, said",
    [
        (
            None,
            22,
            'No guess yet: put one in place of None, or "?" to be told, and run the cell again.',
        ),
        ("?", 22, "It is 22."),
        (22, 22.0, "Right: 22."),
        (22.1, 22, "Right: 22."),
        (30, 22, "Not 30 but 22: the share came twice."),
        (7, 22, "Not 7 but 22."),
        ("No", 22, "Not No but 22: it is a number."),
        ((2, 3), 22, "Not (2, 3) but 22."),
    ],
)
def test_predict_judges_a_guess(known, guess, answer, said, capsys):
    predict(guess, answer, why="9.1 share")
    assert capsys.readouterr().out == said + "\n"


@pytest.mark.parametrize("guess", [None, 21, 22])
def test_an_answer_that_is_not_the_course_s_is_told(known, guess, capsys):
    predict(guess, 21, why="9.1 share")
    told = "The course gets another answer here: was the cell changed, or is its code wrong?\n"
    assert capsys.readouterr().out.startswith(told)


def test_a_prediction_that_the_course_does_not_know_is_judged_all_the_same(known, capsys):
    predict(3, 4, why="9.2")
    predict(3, 4, why="8.1")
    predict(3, 4)
    assert capsys.readouterr().out == "Not 3 but 4.\n" * 3


@pytest.mark.parametrize(
    "guess, answer, said",
    [
        (12, 12.05, "Not 12 but 12.05: the ruler is a little off."),
        ("Yes", "no", "Not Yes but no."),
        ("(2,3)", "(2, 3)", "Right: (2, 3)."),
        ((2, 3), "(2, 3)", "Right: (2, 3)."),
    ],
)
def test_a_notebook_of_an_earlier_version_brings_its_reasons_along(guess, answer, said, capsys):
    predict(guess, answer, why={12: "the ruler is a little off"})
    assert capsys.readouterr().out == said + "\n"


def test_a_folded_answer_is_text_whatever_signs_are_in_it():
    wrong = (("(3,)", "`a*b` is 2*3, not 2**3"), (8, "x_1 < 3"))
    assert folded(Prediction(-1.5, wrong)).split("\n") == [
        "<details><summary>The answer, once you have guessed</summary>",
        "",
        "**-1.5**",
        "",
        r"- Not (3,): `a*b` is 2\*3, not 2\*\*3.",
        r"- Not 8: x\_1 \< 3.",
        "",
        "</details>",
    ]


def write(path: Path, *sources: str) -> Path:
    """A notebook file with the given code cells, which were never run."""
    code = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=code), path)
    return path


def test_execute_stores_outputs_and_leaves_out_what_is_volatile(tmp_path):
    path = write(tmp_path / "a.ipynb", "print(1)\nprint(2)", "3")
    execute(path)
    first = path.read_bytes()
    notebook = nbformat.read(path, as_version=4)
    assert notebook.cells[0].outputs[0].text == "1\n2\n"
    assert notebook.cells[1].outputs[0].data["text/plain"] == "3"
    execute(path)
    assert path.read_bytes() == first


def test_execute_says_which_cell_failed_and_leaves_the_file_alone(tmp_path):
    path = write(tmp_path / "a.ipynb", "x = 1", "x / 0")
    before = path.read_bytes()
    with pytest.raises(NotebookError, match=r"code cell 2 \('x / 0'\) raised ZeroDivisionError"):
        execute(path)
    assert path.read_bytes() == before


def test_execute_folds_the_answers_of_the_file_beside_it(tmp_path):
    path = write(
        tmp_path / "a.ipynb", 'def predict(*args, why): ...\n\npredict(None, 22, why="9.1")'
    )
    files.write(tmp_path / "a.toml", '["9.1"]\nanswer = 22\nwhy = []\n')
    execute(path)
    execute(path)
    asks, answer = nbformat.read(path, as_version=4).cells
    assert "**22**" in answer.source
    assert answer.id == f"{asks.id}-answer"


def test_a_cell_that_asks_for_an_unknown_prediction_is_told(tmp_path):
    path = write(tmp_path / "a.ipynb", 'predict(None, 22, why="9.1")')
    files.write(tmp_path / "a.toml", "")
    with pytest.raises(NotebookError, match=r"expected a prediction '9.1' in its .toml, got none"):
        execute(path)
