"""What the READMEs say of the exercises is what the manifest says."""

import re

import pytest

from course import ROOT
from course.manifest import stages


def rows(text):
    """The cells of every table row that begins with an exercise id."""
    lines = [line for line in text.split("\n") if re.match(r"\| \d+\.\d+ ", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize("stage", stages(), ids=lambda s: s.package)
def test_the_table_of_a_stage_is_its_manifest(stage):
    text = (ROOT / stage.package / "README.md").read_text(encoding="utf-8")
    for exercise, (name, files, points, time) in zip(stage.exercises, rows(text), strict=True):
        hours = exercise.minutes / 60
        assert name == f"{exercise.id} {exercise.title}"
        assert files == ", ".join(f"`{file}`" for file in exercise.files)
        assert points == f"{exercise.points}" + (" bonus" if exercise.bonus else "")
        assert time == (f"{hours:g} h" if hours >= 1 else f"{exercise.minutes} min")


def test_the_commands_of_the_readme_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", text, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
