"""`course report`: grade, and print the result for a machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from course.grader import rendering, runner
from course.grader.report_formats import as_json, as_junit, as_markdown
from course.manifest import Stage
from course.workspace.folder import Workspace


def report(
    asked: Sequence[Stage],
    workspace: Workspace | None,
    code: Path | None,
    form: str,
    traceback: str = "auto",
) -> tuple[str, bool]:
    """Grade the stages; the result as text in the asked form, and whether all points were made.

    Every exercise of the manifest is in it once; what did not pass counts 0.
    """
    graded = [(s, runner.grade(s.exercises, workspace, code, traceback)) for s in asked]
    text = {"json": as_json, "junit": as_junit, "markdown": as_markdown}[form](graded)
    return text, all(rendering.score(stage, found)[0] == stage.points for stage, found in graded)
