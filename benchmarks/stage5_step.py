"""The peak memory of one training step of stage5.py, in a process of its own.

    python -m benchmarks.stage5_step "GPT, 12 x 64" 4 glassbox

4 says in how many parts the step is done.
"""

from __future__ import annotations

import sys

from benchmarks.memory import print_peak
from benchmarks.stage5 import cases, step, step_of_pytorch


def main() -> None:
    """Measure the step that the command line names."""
    _, name, parts, library = sys.argv
    case = cases()[name]
    run = (step_of_pytorch if library == "pytorch" else step)(case, int(parts))
    print_peak(lambda: float(run()))


if __name__ == "__main__":
    main()
