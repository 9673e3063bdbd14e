"""One training step of stage5.py, in a process of its own: what it costs.

    python -m benchmarks.stage5_step "GPT, 12 x 64" 4 glassbox memory
    python -m benchmarks.stage5_step "GPT, 12 x 64" 4 glassbox time

4 says in how many parts the step is done.
"""

from __future__ import annotations

import sys

from benchmarks import peers
from benchmarks.memory import print_peak
from benchmarks.own_process import print_cost
from benchmarks.stage5 import cases, step, step_of_pytorch


def main() -> None:
    """Measure the step that the command line names."""
    _, name, parts, library, what = sys.argv
    peers.use_one_thread()
    case = cases()[name]
    run = (step_of_pytorch if library == "pytorch" else step)(case, int(parts))
    told = {"memory": print_peak, "time": print_cost}[what]
    told(lambda: float(run()))


if __name__ == "__main__":
    main()
