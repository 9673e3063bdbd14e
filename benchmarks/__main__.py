"""Measure every target, and print one table: `python -m benchmarks --quick`."""

from __future__ import annotations

import argparse
import time

from rich.console import Console

from benchmarks import peers
from benchmarks.stages import STAGES, targets
from benchmarks.table import load, machine, summary, table, warning
from benchmarks.target import Result, Target, measure

ROUNDS, FEW = 7, 3


def main(arguments: list[str] | None = None) -> None:
    """Measure what the command line asks for, and print it."""
    options = parser().parse_args(arguments)
    rounds = options.rounds or (FEW if options.quick else ROUNDS)
    everything = [targets(stage) for stage in options.stages or STAGES]
    groups = [[t for t in group if t.goal is not None or not options.quick] for group in everything]
    left_out = sum(map(len, everything)) - sum(map(len, groups))

    peers.use_one_thread()
    began, loads = time.monotonic(), [load()]
    results = measured(groups, rounds)
    loads.append(load())

    console = Console(width=120)
    console.print(machine(), highlight=False)
    console.print(table(results))
    counted = summary(result for group in results for result in group)
    print(f"{counted}; {rounds} rounds in {time.monotonic() - began:.0f} s")
    if left_out:
        print(f"Left out: {left_out} rows that have no goal; without --quick they are there.")
    if said := warning(loads):
        print(said)


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    made.add_argument(
        "stages", nargs="*", type=stage, metavar="STAGE", help="stage1 to stage5; default: all"
    )
    made.add_argument("--quick", action="store_true", help="few rounds, and only rows with a goal")
    made.add_argument("--rounds", type=int, help=f"default: {ROUNDS}, or {FEW} if quick")
    return made


def stage(name: str) -> str:
    """The name of a stage, if there is one of this name."""
    if name not in STAGES:
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(STAGES)}, got {name}")
    return name


def measured(groups: list[list[Target]], rounds: int) -> list[list[Result]]:
    """The results of all targets; where there is a terminal it shows which one is at work."""
    results = []
    with Console(stderr=True).status("") as status:
        for group in groups:
            results.append([])
            for target in group:
                status.update(f"{target.what} / {target.peer}")
                results[-1].append(measure(target, rounds))
    return results


if __name__ == "__main__":
    main()
