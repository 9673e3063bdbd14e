"""Run a notebook as a learner reads it: `python -m course.authors.sections [STAGE ...]`.

In a new workspace each exercise is written when its section begins, while the notebook is open. So
a cell that asks for an exercise of a later section is found, and so is code that the notebook does
not follow. Without a stage it reads all of them.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course import ROOT, files
from course.authors.notebooks import ENVIRONMENT, client_for
from course.manifest import Exercise, Stage, find_exercise, find_stage, stages
from course.workspace import handing_out, stubs

HEADING = re.compile(r"^## (\d+\.\d+) ", re.MULTILINE)
WAITS = "This cell needs "  # how `course.unfinished` begins


def main(names: list[str]) -> int:
    """Read the named stages, or all; 0 if no cell asked for what comes later, else 1."""
    os.environ.update(ENVIRONMENT)
    early = []
    for stage in [find_stage(name) for name in names] or stages():
        with tempfile.TemporaryDirectory() as folder:
            early += waiting(read_along(stage, Path(folder) / "workspace", write_exercises=True))
    print("\n".join(early) or "every cell runs with the exercises up to its section")
    return int(bool(early))


def read_along(stage: Stage, root: Path, *, write_exercises: bool) -> NotebookNode:
    """The stage's notebook as it has run to its end in a new workspace at `root`.

    Exercises are written when their section begins, or not at all.

    Raises:    CellExecutionError: if a cell fails.
    """
    handing_out.create(root)
    path = root / stage.notebook
    notebook = nbformat.read(path, as_version=4)
    client = client_for(notebook, path.parent)
    with client.setup_kernel():
        for index, cell in enumerate(notebook.cells):
            if cell.cell_type == "markdown" and write_exercises:
                begun = HEADING.findall(cell.source)
                for exercise in [e for e in stage.exercises if e.section in begun]:
                    for id_ in (exercise.id, *exercise.reference_uses):
                        write(find_exercise(id_), root)
            client.execute_cell(cell, index)
    return notebook


def write(exercise: Exercise, root: Path) -> None:
    """Put the reference's functions of one exercise into the files of a workspace."""
    for file in exercise.files:
        path = root / exercise.package / file
        reference, source = files.read(ROOT / exercise.package / file), files.read(path)
        for name in exercise.functions_in(file):
            source = stubs.replace(source, name, stubs.extract(reference, name))
        files.write(path, source)


def waiting(notebook: NotebookNode) -> list[str]:
    """A line for each cell that waits for an exercise: its section, and what it says."""
    found, section = [], ""
    for cell in notebook.cells:
        section = (HEADING.findall(cell.source) or [section])[-1]
        for output in cell.get("outputs", []):
            said = [line for line in output.get("text", "").split("\n") if line.startswith(WAITS)]
            found += [f"{section}, {cell.id}: {line}" for line in said]
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
