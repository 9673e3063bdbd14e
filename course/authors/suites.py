"""The parts of `make test` and `make proof`: `python -m course.authors.suites test`.

A part that runs no test is a failure, as is one that fails. Every part runs, so that one look
shows all that is wrong. Two parts that use one core each run side by side.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field

from course import ROOT
from course.manifest import stages

PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
ON_BOTH_CORES = ("-n", "2")
ALL = ("--all",)  # nothing is sampled: see tests/proof/conftest.py


@dataclass(frozen=True)
class Part:
    """One command of a suite."""

    name: str
    arguments: tuple[str, ...]  # of Python
    environment: dict[str, str] = field(default_factory=dict)
    cores: int = 1


GRADED = tuple(f"tests/{stage.package}" for stage in stages())
REFERENCE = {"GLASSBOX_CODE": "reference"}
NOTEBOOKS = {"OPENBLAS_NUM_THREADS": "1", "SOURCE_DATE_EPOCH": "0", **REFERENCE}
NBVAL = ("-p", "no:python", "-p", "nbval.plugin", "--nbval", "--nbval-current-env")


def proof(*more: str) -> list[Part]:
    """The parts of the proof; `more` are options of those that take samples."""
    names = ["mutants", "alternatives", "hints", "pasted", "crash", "damage", "fuzz", "upgrade"]
    folders = [f"tests/proof/{name}" for name in (*names, "notebooks")]
    planted = (*PYTEST, *ON_BOTH_CORES, *more, *folders)
    return [
        Part("exercises and stubs", ("-m", "course", "check"), cores=2),
        Part("mutants, alternatives, hints, crashes, fuzz, upgrades, notebooks", planted, cores=2),
        Part("parity with PyTorch", (*PYTEST, "tests/proof/parity")),
        Part("the wheel in a fresh environment", (*PYTEST, "tests/proof/wheel")),
    ]


SUITES = {
    "test": [
        Part("the library and the course tool", (*PYTEST, "tests/library", "tests/course")),
        Part("graded tests on the reference", (*PYTEST, *GRADED), REFERENCE),
        Part("notebooks", (*PYTEST, *NBVAL, "--nbval-cell-timeout=120", "notebooks"), NOTEBOOKS),
    ],
    "proof": proof(),
    "proof-full": proof(*ALL),
}


def main(name: str) -> int:
    """Run every part of a suite; 0 if all went well."""
    began = time.monotonic()
    failed = []
    for cores in (2, 1):
        with ThreadPoolExecutor(2 // cores) as pool:
            jobs = [pool.submit(run, name, part) for part in SUITES[name] if part.cores == cores]
            for job in as_completed(jobs):
                part, code, seconds, output = job.result()
                print(f"{output}== {name}: {part.name}: {seconds:.0f} s", flush=True)
                if code:
                    failed.append(part.name)
    verdict = f"failed: {', '.join(failed)}" if failed else "everything passed"
    print(f"== {name}: {verdict}, in {time.monotonic() - began:.0f} s", flush=True)
    return 1 if failed else 0


def run(suite: str, part: Part) -> tuple[Part, int, float, str]:
    """Run one part to its end: the part, its exit code, its seconds, and what it printed."""
    sys.stdout.write(f"== {suite}: {part.name} ...\n")  # in one piece: two parts may begin at once
    sys.stdout.flush()
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, *part.arguments],
        cwd=ROOT,
        env={**os.environ, **part.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    return part, done.returncode, time.monotonic() - began, done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
