"""`course use`: whose code of a stage the later stages are built on."""

from __future__ import annotations

from rich.console import Console

from course.manifest import Stage
from course.workspace import state
from course.workspace.folder import Workspace


def use(console: Console, workspace: Workspace, stage: Stage, whose: str) -> None:
    """Remember which code of a stage the later ones are built on."""
    with state.change(workspace.state_path) as known:
        known.use[stage.package] = whose
    owner = "your own code" if whose == "mine" else "the reference"
    console.print(f"Later stages, and their notebooks, now import {owner} of {stage.package}.")
    if whose == "mine" and not workspace.complete(stage):
        console.print("Not all of its exercises pass yet: what is missing will show up there.")
