"""The last hint of an exercise is code that passes: it is typed into the stubs and graded.

After a sentence, if there is one, comes every function of the exercise: its name and a colon on a
line of their own, as `Value.__add__:`, then its body, indented.
"""

import re
import textwrap

import pytest

from course import ROOT, files
from course.authors.mutants import copy_reference
from course.grader import outcomes, runner
from course.manifest import exercises, find_stage
from course.workspace import handing_out, stubs

# No hint can know where a learner's own run left its model; that of the reference is known.
LEFT_TO_THE_REFERENCE = {"5.14": "trained"}
ALL = pytest.mark.parametrize("exercise", exercises().values(), ids=lambda e: e.id)


def bodies(exercise):
    """The code in the last hint, by the name of the function."""
    pieces = re.split(r"^([\w.]+):\n", exercise.hints[-1], flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2]))


def typed_in(source, name, body):
    """`source` with the stub of a function completed by this body."""
    head, _, stub = stubs.extract(source, name).rpartition("\n")
    indent = stub[: len(stub) - len(stub.lstrip())]
    code = textwrap.indent(textwrap.dedent(body).rstrip(), indent)
    return stubs.replace(source, name, f"{head}\n{code}")


@ALL
def test_the_last_hint_has_every_function(exercise):
    listed = {name for file in exercise.files for name in exercise.functions_in(file)}
    assert bodies(exercise).keys() == listed


@ALL
def test_the_last_hint_passes(exercise, tmp_path):
    stage, code = find_stage(exercise.package), bodies(exercise)
    package = copy_reference(stage, tmp_path)
    for file in exercise.files:
        source = handing_out.stub_source(stage, file, only=exercise)
        for name in exercise.functions_in(file):
            if name == LEFT_TO_THE_REFERENCE.get(exercise.id):
                reference = files.read(ROOT / stage.package / file)
                source = stubs.replace(source, name, stubs.extract(reference, name))
            else:
                source = typed_in(source, name, code[name])
        files.write(package / file, source)
    (found,) = runner.grade([exercise], code=tmp_path)
    assert found.state == outcomes.PASSED, f"{found.test}\n{found.text}"
