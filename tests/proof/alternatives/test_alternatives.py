"""Every complete and correct design gets every point, whatever it looks like inside."""

from pathlib import Path

import pytest

from course.authors.mutants import make_alternative
from course.grader import outcomes, runner
from course.manifest import find_stage, stages

HERE = Path(__file__).parent
DESIGNS = sorted(path for path in HERE.glob("stage*/*") if path.is_dir() and path.name[0] != "_")


def name(design):
    return f"{design.parent.name} {design.name}"


def gets_every_point(design, folder):
    stage = find_stage(design.parent.name)
    make_alternative(stage, design, folder)
    for found in runner.grade(stage.exercises, code=folder):
        assert found.state == outcomes.PASSED, f"{found.exercise} {found.test}\n{found.text}"


@pytest.mark.parametrize("design", DESIGNS, ids=name)
def test_a_correct_design_gets_every_point(design, tmp_path):
    gets_every_point(design, tmp_path)


def pairs():
    """Every design with every design of an earlier stage.

    Not those of the last stage: its tests train a model, which takes minutes on a slow design.
    """
    last = stages()[-1].package
    for design in DESIGNS:
        for earlier in DESIGNS:
            if earlier.parent.name < design.parent.name != last:
                yield pytest.param(design, earlier, id=f"{name(design)} on {name(earlier)}")


@pytest.mark.sampled(20)
@pytest.mark.parametrize(("design", "earlier"), [*pairs()])
def test_it_runs_on_any_design_of_an_earlier_stage(design, earlier, tmp_path):
    make_alternative(find_stage(earlier.parent.name), earlier, tmp_path)
    gets_every_point(design, tmp_path)


def test_every_stage_has_three_designs():
    for stage in stages():
        assert sum(d.parent.name == stage.package for d in DESIGNS) >= 3, stage.package
