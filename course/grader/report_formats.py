"""A graded result for machines: JSON, JUnit XML, and Markdown for a pull request."""

from __future__ import annotations

import json
from xml.etree import ElementTree

from course.grader import outcomes, rendering
from course.grader.outcomes import Outcome
from course.manifest import Stage

Graded = list[tuple[Stage, list[Outcome]]]


def as_json(graded: Graded) -> str:
    """The result as JSON: a row per stage, and in it one per exercise."""
    rows = []
    for stage, found in graded:
        points, bonus = rendering.score(stage, found)
        exercises = [
            {
                "id": e.id,
                "title": e.title,
                "state": o.label,
                "points": e.points if o.state == outcomes.PASSED else 0,
                "max_points": e.points,
                "bonus": e.bonus,
                "tests_passed": o.passes,
                "tests": o.tests,
                "feedback": o.text,
                "printed": o.printed,
                "also_failing": o.also,
                "traceback": o.traceback,
            }
            for e, o in zip(stage.exercises, found)
        ]
        rows.append({
            "stage": stage.package,
            "points": points,
            "max_points": stage.points,
            "bonus_points": bonus,
            "max_bonus_points": stage.bonus,
            "exercises": exercises,
        })  # fmt: skip
    return json.dumps({"schema": "glassbox/report/v1", "stages": rows}, indent=1)


def as_junit(graded: Graded) -> str:
    """The result as JUnit XML: a suite per stage, a case per exercise."""
    root = ElementTree.Element("testsuites")
    for stage, found in graded:
        failures = sum(o.state != outcomes.PASSED for o in found)
        suite = ElementTree.SubElement(
            root, "testsuite", name=stage.package, tests=str(len(found)), failures=str(failures)
        )
        for e, o in zip(stage.exercises, found):
            name = f"{e.id} {e.title}"
            case = ElementTree.SubElement(suite, "testcase", classname=stage.package, name=name)
            if o.state != outcomes.PASSED:
                failure = ElementTree.SubElement(case, "failure", message=o.label)
                failure.text = "\n".join(part for part in (o.text, o.printed, o.traceback) if part)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode")


def as_markdown(graded: Graded) -> str:
    """The result as Markdown, for a pull request."""
    lines = []
    for stage, found in graded:
        lines += [f"## {rendering.score_line(stage, found)}", ""]
        lines += ["| exercise | points | result |", "|---|---|---|"]
        for e, o in zip(stage.exercises, found):
            points = e.points if o.state == outcomes.PASSED else 0
            bonus = " bonus" if e.bonus else ""
            lines.append(f"| {e.id} {e.title} | {points}/{e.points}{bonus} | {o.label} |")
        lines.append("")
    return "\n".join(lines)
