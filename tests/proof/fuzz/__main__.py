"""A fuzz of any length: `python -m tests.proof.fuzz --calls 100000 --seed 1`."""

import argparse
import collections
import sys

import numpy as np

from tests.proof.fuzz.calls import judge, targets


def run(calls, seed):
    """What is wrong with random calls of everything public, a line each."""
    rng = np.random.default_rng(seed)
    found = targets()
    names = sorted(found)
    for _ in range(calls):
        name = names[rng.integers(len(names))]
        if fault := judge(name, found[name], rng):
            yield name, fault


def main():
    """Print every fault, and how many there were by name; 1 if there is one."""
    parser = argparse.ArgumentParser(prog="python -m tests.proof.fuzz", description=__doc__)
    parser.add_argument("--calls", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
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
