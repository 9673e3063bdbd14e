"""The committed notebooks are complete, and what they import from `course` keeps its promises."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from course import ROOT, notebook
from course.authors.notebooks import NotebookError, execute
from course.notebook import predict

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


def test_no_prediction_is_filled_in(cells):
    for cell in cells:
        assert cell.source.count("predict(\n") == cell.source.count("predict(\n    None,")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_carry_no_marks_of_an_editor(path):
    notebook = nbformat.read(path, as_version=4)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert set().union(*(cell.metadata for cell in notebook.cells)) <= {"tags"}


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
        (5.5, 5.545, "Right: 5.545."),
        (30, 22, "Not 30 but 22: the share came twice."),
        (7, 22, "Not 7 but 22."),
        ("No", "no", "Right: no."),
        ("yes", "no", "Not yes but no."),
    ],
)
def test_predict_judges_a_guess(guess, answer, said, capsys):
    predict(guess, answer, why={30: "the share came twice"})
    assert capsys.readouterr().out == said + "\n"


def test_a_known_mistake_near_the_answer_is_explained(capsys):
    predict(12, 12.05, why={12: "the ruler is a little off"})
    assert capsys.readouterr().out == "Not 12 but 12.05: the ruler is a little off.\n"


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


BEGIN = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("from course.notebook import begin\\nbegin('stage1_autodiff')")
shell.run_cell("raise NotImplementedError('exercise 1.4: Division and power')")
"""


def test_begin_says_whose_code_runs_and_shows_an_unfinished_exercise_as_a_sentence(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", BEGIN],
        cwd=tmp_path,
        env=os.environ | {"IPYTHONDIR": str(tmp_path), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    first, *rest = done.stdout.strip().split("\n")
    assert first == "stage1_autodiff: the reference"
    assert rest == [
        "This cell needs exercise 1.4, Division and power, which is not written yet: write it, "
        "try it with `course test 1.4`, then restart the kernel and run the notebook again."
    ]


class Shell:
    """What is used of IPython's shell."""

    def __init__(self):
        self.tracebacks = []

    def showtraceback(self, exc_tuple, tb_offset=None):
        self.tracebacks.append(exc_tuple[0])


def test_a_name_that_an_unfinished_cell_would_have_made_is_a_sentence(monkeypatch, capsys):
    monkeypatch.setattr(notebook, "WAITING", [])
    shell = Shell()
    stub = NotImplementedError("exercise 1.4: Division and power")
    notebook.show_unfinished(shell, NotImplementedError, stub, None)
    notebook.show_unfinished(shell, NameError, NameError("gone", name="y"), None)
    said = capsys.readouterr().out.split("\n")
    assert said[1] == "This cell needs `y`, which a cell above makes that waits for exercise 1.4."
    assert shell.tracebacks == []


def test_a_name_that_is_nobody_s_fault_shows_its_traceback(monkeypatch):
    monkeypatch.setattr(notebook, "WAITING", [])
    shell = Shell()
    notebook.show_unfinished(shell, NameError, NameError("gone", name="y"), None)
    assert shell.tracebacks == [NameError]
