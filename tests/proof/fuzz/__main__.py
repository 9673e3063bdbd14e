"""A fuzz of any length: `python -m tests.proof.fuzz --calls 100000 --seed 1`."""

import argparse
import collections
import sys

import numpy as np

from tests.proof.fuzz import calls, prepared, values

SHARE_OF_VALUES = 0.2  # of the calls; the others are of any kind


def run(n, seed):
    """The faults that n random calls show, as pairs of a name and a line."""
    rng = np.random.default_rng(seed)
    wrong, right = sorted({**calls.TARGETS, **prepared.CALLS}), sorted(values.CASES)
    for _ in range(n):
        if rng.random() < SHARE_OF_VALUES:
            name = right[rng.integers(len(right))]
            fault = values.judge(name, rng)
        else:
            name = wrong[rng.integers(len(wrong))]
            fault = calls.judge(name, rng)
        if fault:
            yield name, fault


def parser():
    """The options: how many calls, and which."""
    options = argparse.ArgumentParser(prog="python -m tests.proof.fuzz", description=__doc__)
    options.add_argument("--calls", type=int, default=3000)
    options.add_argument("--seed", type=int, default=0)
    return options


def main():
    """Print up to three faults of each name, and how many there were; 1 if there is one."""
    options = parser().parse_args()
    counts = collections.Counter()
    for name, fault in run(options.calls, options.seed):
        counts[name] += 1
        if counts[name] <= 3:
            print(fault)
    print(f"{options.calls} calls, {counts.total()} faults in {len(counts)} places")
    for name, n in counts.most_common():
        print(f"{n:>6}  {name}")
    return bool(counts)


if __name__ == "__main__":
    sys.exit(main())
