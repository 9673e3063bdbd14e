"""Every notebook in a new workspace: with no exercise written, and written section by section."""

import pytest

from course.authors.notebooks import ENVIRONMENT
from course.authors.sections import read_along, waiting
from course.manifest import stages

STAGES = pytest.mark.parametrize("stage", stages()[1:], ids=lambda stage: stage.package)


@pytest.fixture(autouse=True)
def no_other_code(monkeypatch):
    """Kernels run as they do for a learner, but on one core."""
    for name in ("GLASSBOX_WORKSPACE", "GLASSBOX_CODE", "GLASSBOX_SHIPPED_COUNTS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@STAGES
@pytest.mark.sampled(2, "fresh")
def test_run_all_on_a_fresh_notebook_runs_to_its_end(stage, tmp_path):
    notebook = read_along(stage, tmp_path / "workspace", write_exercises=False)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert waiting(notebook)


@STAGES
@pytest.mark.sampled(1, "section by section")
def test_the_cells_of_a_section_need_no_later_exercise(stage, tmp_path):
    notebook = read_along(stage, tmp_path / "workspace", write_exercises=True)
    assert waiting(notebook) == []
