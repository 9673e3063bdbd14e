"""Every correct way to write a single exercise passes, whatever it looks like inside.

The varieties of a stage stand in a file of their own, those of whole stages in folders beside.
"""

import importlib.util
from pathlib import Path

import pytest

from course.authors.mutants import make_variety
from course.grader import outcomes, runner
from course.manifest import exercises, stages


def load(number):
    """The varieties of a stage."""
    path = Path(__file__).parent / "varieties" / f"stage{number}.py"
    spec = importlib.util.spec_from_file_location(f"varieties{number}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.VARIETIES


ALL = [(stage, variety) for stage in stages() for variety in load(stage.number)]
CASES = [pytest.param(*pair, id=f"{pair[1].exercise} {pair[1].name}") for pair in ALL]


@pytest.mark.parametrize(("stage", "variety"), CASES)
def test_a_correct_variety_passes(stage, variety, tmp_path):
    make_variety(stage, variety, tmp_path)
    (found,) = runner.grade([exercises()[variety.exercise]], code=tmp_path)
    assert found.state == outcomes.PASSED, f"{found.test}\n{found.text}"


def test_no_two_varieties_share_a_name():
    names = [(variety.exercise, variety.name) for _, variety in ALL]
    assert len(names) == len(set(names))
