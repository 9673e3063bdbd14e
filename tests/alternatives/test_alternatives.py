"""Every complete and correct design gets every point, whatever it looks like inside."""

from pathlib import Path

import pytest

from course import outcome, runner
from course.manifest import find_stage
from course.variants import make_alternative

HERE = Path(__file__).parent
DESIGNS = sorted(path for path in HERE.glob("stage*/*") if path.is_dir() and path.name[0] != "_")


@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: f"{d.parent.name} {d.name}")
def test_a_correct_design_gets_every_point(design, tmp_path):
    stage = find_stage(design.parent.name)
    make_alternative(stage, design, tmp_path)
    for found in runner.grade(stage.exercises, code=tmp_path):
        assert found.state == outcome.PASSED, f"{found.exercise} {found.test}\n{found.text}"


def test_every_stage_has_three_designs():
    stages = {d.parent.name for d in DESIGNS}
    assert stages
    for stage in stages:
        assert sum(d.parent.name == stage for d in DESIGNS) >= 3, stage
