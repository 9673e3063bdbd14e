"""A job in a process of its own, which prints numbers.

PyTorch and NumPy in one process disturb each other: they share the heap, and the caches.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable

TIMED = 5  # steps


def numbers_from(module: str, *job: str, **environment: str) -> list[float]:
    """What `python -m MODULE JOB` printed, as numbers."""
    done = subprocess.run(
        [sys.executable, "-m", module, *job],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [float(word) for word in done.stdout.split()]


def print_cost(step: Callable[[], float]) -> None:
    """Print the CPU seconds of a steady step, its page faults, and the loss of the last one.

    A page fault is the operating system fetching a page of memory that the process has no longer,
    or not yet.
    """
    for _ in range(3):
        step()
    before, began = page_faults(), time.process_time()
    for _ in range(TIMED):
        loss = step()
    seconds = time.process_time() - began
    print(seconds / TIMED, (page_faults() - before) / TIMED, loss)


def page_faults() -> int:
    """How many this process has had that read nothing from a disk."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
