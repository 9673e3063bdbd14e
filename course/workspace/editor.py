"""Settings for an editor: definitions and tests lead to the learner's own code."""

from __future__ import annotations

import json
import sys

from course import HERE, files
from course.workspace.folder import Workspace

PYTEST = HERE / "grader" / "pytest.ini"  # what grades in the course grades in a workspace too


def set_up(workspace: Workspace) -> None:
    """Write the settings of VS Code and of pytest, unless there are some already."""
    settings = {
        "python.defaultInterpreterPath": sys.executable,
        "python.testing.pytestEnabled": True,
        "python.testing.unittestEnabled": False,
        "python.testing.pytestArgs": ["tests"],
        "files.exclude": {".course": True, "**/__pycache__": True},
    }
    for path, text in (
        (workspace.root / ".vscode" / "settings.json", json.dumps(settings, indent=2) + "\n"),
        (workspace.root / "pytest.ini", files.read(PYTEST)),
    ):
        if not path.exists():
            files.write(path, text)
