"""The peak memory of a training step, each in a process of its own. Linux only.

It is the operating system that counts: by how much the resident memory of the process rose above
what it was before the step. So every buffer of either library is in it, and every node.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from peers import row

AT_ONCE = {"MALLOC_MMAP_THRESHOLD_": "4096", "OMP_NUM_THREADS": "1"}  # what is freed is given back
RESET = Path("/proc/self/clear_refs")


def resident(field: str) -> int:
    """VmRSS, the resident memory in bytes, or VmHWM, the most it has been."""
    lines = Path("/proc/self/status").read_text().splitlines()
    [line] = [line for line in lines if line.startswith(field)]
    return int(line.split()[1]) * 1024


def print_peak(step: Callable[[], float]) -> None:
    """Print the bytes that a step needs at most, and the loss that it returns.

    Two steps run before: they load what a library loads only when it is used.
    """
    step()
    step()
    RESET.write_text("5")  # VmHWM starts again
    before = resident("VmRSS")
    loss = step()
    print(resident("VmHWM") - before, loss)


def compare_peaks(
    what: str, goal: float | None, script: str, job: list[str], rounds: int
) -> list[list[str]]:
    """A row of the table: what `script JOB glassbox` printed, over `script JOB pytorch`, in kB."""
    if not RESET.exists():
        return []

    def kilobytes(library: str) -> tuple[float, float]:
        done = subprocess.run(
            [sys.executable, str(Path(__file__).with_name(script)), *job, library],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | AT_ONCE,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        peak, loss = done.stdout.split()
        return int(peak) / 1000, float(loss)

    pairs = []
    for _ in range(min(rounds, 3)):
        (mine, my_loss), (theirs, their_loss) = kilobytes("glassbox"), kilobytes("pytorch")
        np.testing.assert_allclose(my_loss, their_loss, rtol=1e-5)
        pairs.append((mine, theirs))
    return [row(f"{what}, kB / PyTorch", goal, pairs)]
