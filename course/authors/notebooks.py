"""Run notebooks and store what they print: `python -m course.authors.notebooks [NOTEBOOK ...]`.

Without a name it runs all notebooks of the course. Below each prediction it folds the answer away,
from the file of predictions that stands beside the notebook. What changes from run to run without
meaning anything (times, versions, chunks of a stream) is left out, so that a diff shows real
changes. A notebook that fails is reported, and its file stays as it was.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from course import ROOT, files, predictions
from course.predictions import Prediction, show

CELL_TIMEOUT = 60  # seconds

# One thread, since the last digits of a product may depend on their number; a fixed date.
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "SOURCE_DATE_EPOCH": "0"}

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class NotebookError(Exception):
    """A notebook that could not be run to its end; the message says where and why."""


def main(names: list[str]) -> int:
    """Execute the named notebooks, or all; 0 if every one ran to its end, else 1."""
    os.environ.update(ENVIRONMENT)
    paths = [Path(name) for name in names] or sorted((ROOT / "notebooks").glob("*.ipynb"))
    failed = False
    for path in paths:
        try:
            execute(path)
            print(f"{path.name}: ok")
        except (NotebookError, OSError, nbformat.reader.NotJSONError) as error:
            failed = True
            print(f"{path.name}: {error}", file=sys.stderr)
    return int(failed)


def execute(path: Path) -> None:
    """Run the notebook in its own folder and store the outputs in its file.

    Raises:    NotebookError: if a cell fails, takes more than 60 s, or the kernel dies.
    """
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    if (beside := path.with_suffix(".toml")).is_file():
        fold_answers(notebook, predictions.read(files.read(beside)))
    try:
        client_for(notebook, path.resolve().parent).execute()
    except CellTimeoutError:
        raise NotebookError(f"{_where(notebook)} ran for more than {CELL_TIMEOUT} s") from None
    except CellExecutionError as error:
        raise NotebookError(f"{_where(notebook)} raised {error.ename}: {error.evalue}") from None
    except DeadKernelError:
        raise NotebookError(f"{_where(notebook)} ended the kernel") from None
    strip(notebook)
    files.write(path, nbformat.writes(notebook) + "\n")


def client_for(notebook: NotebookNode, folder: Path) -> NotebookClient:
    """A client that runs the cells of a notebook, in a kernel that is started in this folder."""
    return NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        coalesce_streams=True,
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
    )


def fold_answers(notebook: NotebookNode, known: dict[str, Prediction]) -> None:
    """Below each cell that asks for a guess, a text with its answer, folded away.

    Raises:    NotebookError: if a cell asks for a prediction that is not known.
    """
    cells = []
    for cell in notebook.cells:
        if "answer" in cell.metadata.get("tags", []):
            continue
        cells.append(cell)
        if name := prediction_of(cell):
            if name not in known:
                raise NotebookError(f"expected a prediction {name!r} in its .toml, got none")
            tags = {"tags": ["answer"]}
            cells.append(nbformat.v4.new_markdown_cell(folded(known[name]), metadata=tags))
            cells[-1].id = f"{cell.id}-answer"
    notebook.cells = cells


def prediction_of(cell: NotebookNode) -> str:
    """The name of the prediction that a cell asks for; empty if it asks for none."""
    asked = re.search(r'^predict\(.*\bwhy="([^"]+)"', cell.source, re.MULTILINE | re.DOTALL)
    return asked[1] if cell.cell_type == "code" and asked else ""


def folded(prediction: Prediction) -> str:
    """An answer and what is wrong with others, as a reader sees them who opens the fold."""
    lines = [f"**{literal(show(prediction.answer))}**", ""]
    lines += [f"- Not {literal(show(guess))}: {literal(said)}." for guess, said in prediction.why]
    summary = "<details><summary>The answer, once you have guessed</summary>"
    return "\n".join([summary, "", *lines, "", "</details>"])


def literal(text: str) -> str:
    """The text with no mark that Markdown would read, but for code in backticks."""
    pieces = text.split("`")
    pieces[::2] = [re.sub(r"([*_<\[\]$\\])", r"\\\1", piece) for piece in pieces[::2]]
    return "`".join(pieces)


def strip(notebook: NotebookNode) -> None:
    """Leave out what differs from run to run: versions, times, and editors' marks on cells."""
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for number, cell in enumerate(notebook.cells, start=1):
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        cell.setdefault("id", f"cell-{number}")


def _where(notebook: NotebookNode) -> str:
    """The last cell that was started, by number, section and first line."""
    section = ""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    started = [cell for cell in code if cell.execution_count or cell.outputs]
    last = started[-1] if started else code[0]
    for cell in notebook.cells:
        if cell is last:
            break
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            section = f" of section {cell.source.splitlines()[0].removeprefix('## ')!r}"
    return f"code cell {code.index(last) + 1}{section} ({last.source.splitlines()[0]!r})"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
