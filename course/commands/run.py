"""A stage that has commands of its own, run on the learner's code."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence

from course import ROOT, UsageError
from course.grader.exceptions import of_exception
from course.manifest import Stage
from course.workspace.folder import Workspace, untouched
from course.workspace.imports import choose, install


def run(workspace: Workspace, stage: Stage, arguments: Sequence[str]) -> None:
    """Run the package as `python -m` does, until it ends the interpreter.

    The stages before it are the learner's where they are complete, or where `course use` says so:
    the same choice as for the grade. A stage of which nothing is written yet is the reference, and
    a line says so. An exception is told as `course test` tells it: with the line it came from.

    Raises:    UsageError: if the package has no commands.
    """
    if not (ROOT / stage.package / "__main__.py").is_file():
        raise UsageError(
            f"run: expected a stage with commands of its own, got {stage.package}; stage 5 has some"
        )
    codes = choose([stage.package], workspace)
    if all(untouched(exercise, codes[stage.package].folder) for exercise in stage.exercises):
        codes |= choose([], None)
        print(f"{codes[stage.package]}, since you have written none of it yet", file=sys.stderr)
    install(codes)
    sys.argv[1:] = arguments
    try:
        runpy.run_module(stage.package, run_name="__main__")
    except Exception as error:
        text, where = of_exception(error, stage.package)
        print(f"{text}\n  {where}" if where else text, file=sys.stderr)
        sys.exit(1)
