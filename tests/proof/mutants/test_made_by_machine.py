"""Mutants made by machine are found by their own exercise, or listed with a reason.

survivors.toml is the list. A row says why no test can, or may, find that mutant.
"""

import pytest

from course.authors.mutating import mutations, state, survivors
from course.grader import outcomes
from course.manifest import stages

SAMPLE = 30  # of each stage
REASONS = ("equivalent", "raises anyway: ", "left open: ", "found by ")
LISTED = survivors()
MADE = {stage.package: mutations(stage) for stage in stages()}
CASES = [
    pytest.param(
        mutation,
        id=f"{mutation.exercise.id} {mutation.operator} {mutation.function} {number}",
        marks=pytest.mark.sampled(SAMPLE, package),
    )
    for package, made in MADE.items()
    for number, mutation in enumerate(made)
]


@pytest.mark.parametrize("mutation", CASES)
def test_a_mutant_is_found_or_has_a_reason(mutation):
    found = state(mutation)
    told = "\n".join([mutation.place, *mutation.old, "became", *mutation.new])
    if found == outcomes.PASSED:
        assert mutation.key in LISTED, f"no test of {mutation.exercise.id} finds this:\n{told}"
    elif found != outcomes.TIMEOUT:  # a slow machine may stop anything
        assert mutation.key not in LISTED, f"listed as a survivor, but found:\n{told}"


def test_every_row_of_the_list_is_a_mutant():
    made = {mutation.key for mutations in MADE.values() for mutation in mutations}
    assert set(LISTED) <= made, f"the code has moved on: {set(LISTED) - made}"


@pytest.mark.parametrize("reason", LISTED.values())
def test_every_row_has_one_of_the_reasons(reason):
    assert reason.startswith(REASONS)
