"""Results for machines: JSON, JUnit XML, and Markdown for a pull request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from course.grader import outcomes, rendering, runner
from course.grader.outcomes import Outcome
from course.manifest import Stage
from course.workspace.folder import Workspace

Graded = list[tuple[Stage, list[Outcome]]]


def report(
    asked: Sequence[Stage], workspace: Workspace | None, code: Path | None, form: str
) -> tuple[str, bool]:
    """Grade the stages; the result as text in the asked form, and whether all points were made.

    Every exercise of the manifest is in it once; what did not pass counts 0.
    """
    graded = [(stage, runner.grade(stage.exercises, workspace, code)) for stage in asked]
    text = {"json": _json, "junit": _junit, "markdown": _markdown}[form](graded)
    return text, all(rendering.score(stage, found)[0] == stage.points for stage, found in graded)


def _json(graded: Graded) -> str:
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


def _junit(graded: Graded) -> str:
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
                failure.text = _printable(o.text)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode")


def _markdown(graded: Graded) -> str:
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


def _printable(text: str) -> str:
    """Text without the control characters that XML cannot hold."""
    return "".join(c for c in text if c.isprintable() or c in "\n\t")
