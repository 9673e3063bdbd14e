"""JupyterLab on a stage's notebook in the workspace, where `begin` picks the learner's code."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

from rich.console import Console

from course import UsageError
from course.manifest import Stage
from course.workspace.folder import Workspace


def open_lab(console: Console, workspace: Workspace, stage: Stage) -> int:
    """Run JupyterLab until it is closed; its exit code.

    Raises:    UsageError: if JupyterLab is not installed, or the workspace lacks the notebook.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise UsageError("lab: expected JupyterLab, got none; type: pip install jupyterlab")
    notebook = workspace.root / stage.notebook
    if not notebook.is_file():
        raise UsageError(f"lab: expected {notebook}, got no such file; type: course start")
    console.print(f"Opening {notebook} on your code. Ctrl-C here closes it.", soft_wrap=True)
    command = [sys.executable, "-m", "jupyterlab", str(notebook)]
    try:
        return subprocess.call(command, cwd=notebook.parent)
    except KeyboardInterrupt:
        return 0
