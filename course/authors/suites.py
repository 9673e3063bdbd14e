"""What `make test` and `make proof` run, part by part: `python -m course.authors.suites test`.

A part that runs no test is a failure, as is one that fails. Every part runs, so that one look
shows all that is wrong.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field

from course import ROOT
from course.manifest import stages

PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")


@dataclass(frozen=True)
class Part:
    """One command of a suite."""

    name: str
    arguments: tuple[str, ...]  # of Python
    environment: dict[str, str] = field(default_factory=dict)


GRADED = tuple(f"tests/{stage.package}" for stage in stages())
REFERENCE = {"GLASSBOX_CODE": "reference"}
NOTEBOOKS = {"OPENBLAS_NUM_THREADS": "1", "SOURCE_DATE_EPOCH": "0", **REFERENCE}
NBVAL = ("-p", "no:python", "-p", "nbval.plugin", "--nbval", "--nbval-current-env")

SUITES = {
    "test": [
        Part("graded tests on the reference", (*PYTEST, *GRADED), REFERENCE),
        Part("the library and the course tool", (*PYTEST, "tests/library", "tests/course")),
        Part("notebooks", (*PYTEST, *NBVAL, "--nbval-cell-timeout=120", "notebooks"), NOTEBOOKS),
    ],
    "proof": [
        Part("exercises and stubs", ("-m", "course", "check")),
        Part("mutants, alternatives, crashes", (
            *PYTEST, "-n", "2", "tests/proof/mutants", "tests/proof/alternatives", "tests/proof/crash")),
        Part("parity with PyTorch", (*PYTEST, "tests/proof/parity")),
    ],
}  # fmt: skip


def main(name: str) -> int:
    """Run every part of a suite; 0 if all went well."""
    failed = []
    for part in SUITES[name]:
        print(f"== {name}: {part.name}", flush=True)
        environment = {**os.environ, **part.environment}
        command = [sys.executable, *part.arguments]
        if subprocess.call(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL):
            failed.append(part.name)
    verdict = f"failed: {', '.join(failed)}" if failed else "everything passed"
    print(f"== {name}: {verdict}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
