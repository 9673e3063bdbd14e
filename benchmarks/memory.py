"""The peak memory of a training step, each in a process of its own. Linux only.

It is the operating system that counts: by how much the resident memory of the process rose above
what it was before the step. So every buffer of either library is in it, and every node.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.own_process import numbers_from
from benchmarks.target import Pair, UnmeasurableError

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


def peaks(module: str, own: list[str], theirs: list[str], rounds: int) -> list[Pair]:
    """The bytes of two jobs of a module: what `python -m MODULE OWN` printed, and the other.

    Memory hardly varies from one process to the next, so a third of the rounds is enough.
    """
    if not RESET.exists():
        raise UnmeasurableError("Linux only")
    pairs = []
    for number in range(max(1, rounds // 3)):
        mine, my_loss = peak(module, *own, number=number)
        other, their_loss = peak(module, *theirs, number=number)
        np.testing.assert_allclose(my_loss, their_loss, rtol=1e-5)
        pairs.append((mine, other))
    return pairs


@cache
def peak(module: str, *job: str, number: int) -> tuple[int, float]:
    """The bytes and the loss of a job, in a process of its own; `number` tells equal ones apart."""
    n_bytes, loss = numbers_from(module, *job, **AT_ONCE)
    return int(n_bytes), loss
