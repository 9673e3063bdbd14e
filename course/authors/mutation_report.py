"""`course check --mutate STAGE`: how many mutants of each operator are found, and which are not."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from rich.console import Console

from course.authors.mutating import (
    Mutation,
    found_elsewhere,
    mutations,
    outcome,
    seconds,
    survivors,
)
from course.authors.operators import OPERATORS
from course.grader import outcomes
from course.grader.outcomes import Outcome
from course.manifest import Exercise, Stage

UNLISTED = "no reason"
PLAIN = {"sep": "\n", "markup": False, "emoji": False, "soft_wrap": True}  # :100: is a line


def mutate(
    console: Console,
    stage: Stage,
    only: Exercise | None = None,
    sample: int | None = None,
    seed: int = 0,
    jobs: int = 1,
) -> bool:
    """Grade the mutants of a stage; whether the list has every survivor, and nothing else."""
    chosen = [m for m in mutations(stage) if only in (None, m.exercise)]
    if sample is not None:
        chosen = random.Random(seed).sample(chosen, min(sample, len(chosen)))
    reasons = survivors()
    verdicts: dict[Mutation, Outcome] = {}
    whole = True
    for mutation, found in judged(chosen, jobs):
        verdicts[mutation], verdict = found, found.state
        reason = reasons.get(mutation.key)
        if verdict == outcomes.PASSED:
            told = reason or f"{UNLISTED}; found by {found_elsewhere(mutation, stage) or 'none'}"
            whole &= reason is not None
        elif reason and verdict != outcomes.TIMEOUT:  # a slow machine may stop anything
            told, whole = "listed as a survivor, but found", False
        else:
            continue
        console.print(*diff(mutation, told), **PLAIN)
    console.print(*table(verdicts, reasons), **PLAIN)
    return whole


def judged(chosen: Sequence[Mutation], jobs: int) -> Iterator[tuple[Mutation, Outcome]]:
    """Every mutant with what its own exercise makes of it, as soon as that is known."""
    for exercise in dict.fromkeys(m.exercise for m in chosen):
        seconds(exercise)  # measured before the mutants make the machine busy
    with ThreadPoolExecutor(jobs) as pool:
        graded = {pool.submit(outcome, mutation): mutation for mutation in chosen}
        for job in as_completed(graded):
            yield graded[job], job.result()


def diff(mutation: Mutation, why: str) -> list[str]:
    """A mutant as a reader of patches wants it."""
    head = f"{mutation.place}: {mutation.exercise.id} {mutation.function}, {mutation.operator}"
    removed, added = [f"-{line}" for line in mutation.old], [f"+{line}" for line in mutation.new]
    return [f"{head}: {why}", *removed, *added]


def table(verdicts: dict[Mutation, Outcome], reasons: dict) -> Iterator[str]:
    """For each operator its mutants, how many are found and named, and the survivors by reason."""
    rows: dict[str, Counter] = defaultdict(Counter)
    for mutation, found in verdicts.items():
        row, verdict = rows[mutation.operator], found.state
        row["mutants"] += 1
        row["with a cause"] += verdict != outcomes.PASSED and "\n  cause " in found.text
        row["found"] += verdict != outcomes.PASSED
        row["timeout"] += verdict == outcomes.TIMEOUT
        if verdict == outcomes.PASSED:
            row[reasons.get(mutation.key, UNLISTED).split(":")[0]] += 1
    rows["all"] = sum(rows.values(), Counter())
    columns = list(
        dict.fromkeys(["mutants", "found", "with a cause", "timeout", UNLISTED, *rows["all"]])
    )
    yield f"{'operator':<22}" + "".join(f"{column:>{len(column) + 3}}" for column in columns)
    for operator in (*OPERATORS, "all"):
        if operator in rows:
            numbers = "".join(f"{rows[operator][c]:>{len(c) + 3}}" for c in columns)
            yield f"{operator:<22}{numbers}"
