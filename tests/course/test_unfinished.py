"""A notebook with unfinished exercises runs to its end, and follows what is written meanwhile."""

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from course import files
from course.authors.notebooks import client_for
from course.authors.sections import read_along, waiting
from course.unfinished import names_in

FILE = "stage1_autodiff/gradcheck.py"


@pytest.fixture
def kernel(mine):
    """Run one cell after another in a notebook of the workspace: `kernel("1 + 1")`."""
    notebook = nbformat.v4.new_notebook()
    client = client_for(notebook, mine.root / "notebooks")

    def run(source):
        cell = nbformat.v4.new_code_cell(source)
        notebook.cells.append(cell)
        client.execute_cell(cell, len(notebook.cells) - 1)
        return "".join(o.get("text") or o["data"]["text/plain"] for o in cell.outputs).strip()

    with client.setup_kernel():
        begun = run("from course.notebook import begin\nbegin('stage1_autodiff')")
        assert begun == "stage1_autodiff: your code"
        yield run


SLOPE = "central_difference(lambda x: x * x, 3.0)"
IMPORT = "from stage1_autodiff.gradcheck import central_difference"


def test_a_cell_that_waits_says_so_and_runs_once_the_exercise_is_written(kernel, mine, solve):
    kernel(IMPORT)
    assert kernel(SLOPE) == (
        "This cell needs exercise 1.1, Central difference, which is not written yet: write it, "
        "try it with `course test 1.1`, then run on from this cell."
    )
    solve(mine, "1.1")
    assert kernel(f"round({SLOPE}, 6)") == "6.0"


def test_a_file_that_is_half_typed_costs_no_kernel(kernel, mine, solve):
    solve(mine, "1.1")
    kernel(IMPORT)
    path = mine.root / FILE
    files.write(path, files.read(path) + "\ndef f(:\n")
    said = kernel(f"round({SLOPE}, 6)").split("\n")
    assert said[0].startswith("stage1_autodiff/gradcheck.py cannot be read as it stands (line ")
    assert said[1:] == ["6.0"]


def test_what_a_waiting_cell_would_have_made_is_not_what_an_earlier_one_left(kernel):
    kernel(f"{IMPORT}\ny = 'of an earlier section'")
    kernel(f"y = {SLOPE}\nz = y + 1")
    asks = "This cell needs `{}`, which a cell above makes that waits for exercise 1.1."
    assert kernel("later = y") == asks.format("y")
    assert kernel("later") == asks.format("later")


def test_a_function_of_a_waiting_cell_is_kept(kernel):
    kernel(f"{IMPORT}\ndef double(x):\n    return 2 * x\ny = {SLOPE}")
    assert kernel("double(4)") == "8"


def test_any_other_error_stops_the_notebook(kernel):
    kernel(f"{IMPORT}\ny = {SLOPE}")
    own = ["1 / 0", "missing", "import stage1_autodiff.missing", "raise NotImplementedError"]
    for wrong in own:
        with pytest.raises(CellExecutionError):
            kernel(wrong)


def test_a_name_that_a_file_lacks_is_no_fault_of_a_cell(kernel, mine, fill):
    kernel(f"from stage1_autodiff.derivatives import d_add\n{IMPORT}\ny = {SLOPE}")
    fill(mine, "derivatives.d_add", "return y")
    with pytest.raises(CellExecutionError, match="NameError"):
        kernel("d_add(1.0, 2.0)")


def test_a_cell_that_waited_and_now_fails_excuses_no_other(kernel, mine, solve):
    kernel(f"{IMPORT}\ny = {SLOPE}")
    solve(mine, "1.1")
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        kernel(f"y = {SLOPE} / 0")
    with pytest.raises(CellExecutionError, match="NameError"):
        kernel("y")


def test_begin_may_run_twice(kernel):
    kernel("begin('stage1_autodiff')")
    kernel(IMPORT)
    assert kernel(SLOPE).count("This cell needs") == 1


def test_names_that_a_cell_binds():
    cell = """
import numpy as np
from math import tau as t
a = b, (c, *d) = 1, (2, 3)
for i in range(3):
    e = [inner for inner in range(3)]
with open("f") as f:
    g += 1
def function():
    local = 1
class Class:
    attribute = 1
h = lambda: (k := 1)
"""
    assigned, defined = names_in(cell)
    assert assigned == {"a", "b", "c", "d", "i", "e", "f", "g", "h"}
    assert defined == {"np", "t", "function", "Class"}


def test_run_all_on_a_fresh_notebook_runs_to_its_end(stage, tmp_path):
    notebook = read_along(stage, tmp_path / "workspace", write_exercises=False)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert len(waiting(notebook)) > len(code) / 2


def test_the_cells_of_a_section_need_no_later_exercise(stage, tmp_path):
    notebook = read_along(stage, tmp_path / "workspace", write_exercises=True)
    assert waiting(notebook) == []
