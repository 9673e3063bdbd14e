"""Which code runs: a finder that maps each stage to one folder, before any path is searched.

The order of `sys.path` is not enough. `python -m pytest` puts the checkout first, and a package
that the learner deleted would silently be replaced by the reference.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from pathlib import Path

from course import ROOT
from course.manifest import Stage, stages
from course.workspace.folder import Workspace, around, find


@dataclass(frozen=True)
class Code:
    """Where one stage is imported from, and whose code that is."""

    package: str
    folder: Path  # the folder that contains the package
    whose: str  # "yours", "the reference", or the folder that GLASSBOX_CODE names

    def __str__(self) -> str:
        if self.whose == "the reference":
            return f"{self.package}: the reference"
        return f"{self.package}: {self.whose} ({self.folder / self.package})"


class StageFinder(MetaPathFinder):
    """Imports each stage from the folder it is mapped to, or not at all."""

    def __init__(self, codes: dict[str, Code], told: Mapping[str, str] | None = None) -> None:
        self.codes = codes
        self.told = dict(told or {})  # a line for each package that is not what one would expect

    def find_spec(self, fullname: str, path=None, target=None):
        """The spec of a stage's package; None for every other module."""
        code = self.codes.get(fullname)
        if code is None:
            return None
        if line := self.told.pop(fullname, ""):
            print(line, file=sys.stderr)
        package = code.folder / fullname
        init = package / "__init__.py"
        if not init.is_file():
            raise ModuleNotFoundError(
                f"import: expected the package {fullname} in {code.folder}, got no such package; "
                "`course start` puts back what is missing",
                name=fullname,
            )
        return importlib.util.spec_from_file_location(
            fullname, init, submodule_search_locations=[str(package)]
        )


def finder_for(script: str | None) -> StageFinder:
    """The finder for a program that is not one of the course's own.

    Below a workspace it runs on that workspace's packages, finished or not. Anywhere else it runs
    on the reference. An installed tool, the kernel of a notebook for instance, is where it was
    started.
    """
    folder = Path(script).resolve().parent if script else Path.cwd()
    if around(folder) is None and folder.is_relative_to(sys.prefix):
        folder = Path.cwd()
    return finder_in(folder, Path(script).name if script else "this program")


def finder_in(folder: Path, program: str) -> StageFinder:
    """The finder for a program in this folder.

    It runs on the packages of the workspace around it. Where one is not there, or GLASSBOX_CODE or
    `course use STAGE reference` wants another, a line tells so.
    """
    workspace = around(folder)
    codes = choose([], workspace)
    if workspace is None:
        return StageFinder(codes)
    told = {}
    use = workspace.state().use
    for package, code in codes.items():
        if os.environ.get("GLASSBOX_CODE"):
            why = "GLASSBOX_CODE says so"
        elif use.get(package) == "reference" and folder != workspace.root / package:
            why = "course use says so"
        elif not (workspace.root / package).is_dir():
            why = f"there is none in {workspace.root}"
        else:
            codes[package] = Code(package, workspace.root, "yours")
            continue
        told[package] = f"glassbox: {program} runs on {code.whose} of {package}: {why}"
    return StageFinder(codes, told)


def choose(under_test: Iterable[str], workspace: Workspace | None) -> dict[str, Code]:
    """Where each stage comes from, by package.

    A stage under test comes from the workspace. Any other does if it is complete there, unless
    `course use STAGE mine` or `reference` decided. Without a workspace everything is the reference.
    """
    under_test = set(under_test)
    forced = os.environ.get("GLASSBOX_CODE")
    return {s.package: _choose(s, s.package in under_test, workspace, forced) for s in stages()}


def _choose(stage: Stage, tested: bool, workspace: Workspace | None, forced: str | None) -> Code:
    reference = Code(stage.package, ROOT, "the reference")
    if forced == "reference":
        return reference
    if forced:
        folder = Path(forced)
        return (
            Code(stage.package, folder, "GLASSBOX_CODE")
            if tested or (folder / stage.package).is_dir()
            else reference
        )
    if workspace is None:
        return reference
    mine = Code(stage.package, workspace.root, "yours")
    use = workspace.state().use.get(stage.package)
    if tested or use == "mine" or (use is None and workspace.complete(stage)):
        return mine
    return reference


def install(codes: dict[str, Code]) -> None:
    """Import the stages from where `codes` says, from now on.

    Raises:    RuntimeError: if a stage was imported from somewhere else before.
    """
    for package, code in codes.items():
        loaded = sys.modules.get(package)
        if loaded is not None and Path(loaded.__file__ or "").parent != code.folder / package:
            raise RuntimeError(
                f"import: expected {package} from {code.folder}, got it from {loaded.__file__} "
                "before; start a new Python (in a notebook: restart the kernel)"
            )
    put_first(StageFinder(codes))


def put_first(finder: StageFinder) -> None:
    """Let this finder be asked before all others, in place of one that was."""
    sys.meta_path[:] = [f for f in sys.meta_path if not isinstance(f, StageFinder)]
    sys.meta_path.insert(0, finder)


def activate(under_test: Iterable[str], start: Path | None = None) -> dict[str, Code]:
    """Choose the code for this interpreter, install the finder, and return the choice."""
    codes = choose(under_test, find(start))
    install(codes)
    return codes
