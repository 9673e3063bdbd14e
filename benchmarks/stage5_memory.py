"""The peak memory of one training step of stage5.py, in a process of its own.

python benchmarks/stage5_memory.py "GPT, 12 x 64" 1 glassbox

1 is in how many parts our step is done; PyTorch's is done in one.
"""

from __future__ import annotations

import sys

from memory import print_peak
from stage5 import cases, sides


def main() -> None:
    _, name, parts, library = sys.argv
    run = sides(cases()[name], int(parts))[library == "pytorch"]
    print_peak(lambda: float(run()))


if __name__ == "__main__":
    main()
