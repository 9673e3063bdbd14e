"""Exercise 5.13: how wrong is an answer, and a first run."""

import time

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage5_transformer.scoring import edit_distance, score
from stage5_transformer.tasks import Example

pytestmark = exercise("5.13")

DISTANCES = [
    ("kitten", "sitting", 3),
    ("", "abc", 3),
    ("abc", "", 3),
    ("", "", 0),
    ("abc", "abc", 0),
    ("abc", "acb", 2),
    ("flaw", "lawn", 2),
    ("aaaa", "aa", 2),
]


@pytest.mark.parametrize(("a", "b", "want"), DISTANCES)
def test_edit_distance(a, b, want):
    same_place = sum(x != y for x, y in zip(a, b)) + abs(len(a) - len(b))
    causes = {same_place: "symbols were compared place by place: one insertion shifts them all"}
    causes |= {
        5: "an exchange is one edit: it costs 1, not 2",
        0: "an empty word is len(b) edits away: the first row counts 0, 1, 2, ...",
    }
    causes.pop(want, None)
    grade.close(edit_distance(a, b), want, f"edits from {a!r} to {b!r}", causes)
    grade.close(edit_distance(b, a), want, f"edits from {b!r} to {a!r}: it is the same both ways")


def test_phones_are_single_symbols():
    grade.close(edit_distance(["AA", "B"], ["AE", "B"]), 1, "edits from AA B to AE B")
    grade.close(
        edit_distance(["AA"], ["B"]),
        1,
        "edits from the phone AA to the phone B",
        {2: "a phone is one symbol: compare the items of the lists, not their letters"},
    )


def test_ten_symbols_take_no_time():
    begin = time.perf_counter()
    found = edit_distance("transforms", "glassboxes")
    seconds = time.perf_counter() - begin
    grade.close(found, 6, "edits from 'transforms' to 'glassboxes'")
    grade.true(
        seconds < 1,
        f"two words of 10 symbols take less than a second; they took {seconds:.1f}",
        "the distances of the same beginnings are computed again and again: keep them in a table",
    )


def examples(*targets):
    return [Example(("x",), tuple(map(tuple, ts))) for ts in targets]


def test_scores():
    found = score(["abc", "xbc", "ab"], examples(["abc"], ["abc"], ["abcd"]))
    wrong = {(3, 3): "an answer is right if it equals a target: both as tuples"}
    grade.close([found.wrong, found.answers], [2, 3], "wrong answers, and answers", wrong)
    grade.close(
        [found.symbol_errors, found.symbols],
        [3, 10],
        "edits, and symbols of the right answers",
        {
            (3, 8): "the symbols of the right answers count, not those of the given ones",
            (3, -10): "count len(target): the minus only puts the longest of equal ones first",
        },
    )


def test_the_symbols_are_those_of_the_right_answer():
    found = score(["abcd"], examples(["abc"]))
    grade.close(
        [found.symbol_errors, found.symbols],
        [1, 3],
        "edits and symbols for abcd, where abc is right",
        {(1, 4): "the symbols of the right answer count, even if the given one is longer"},
    )


def test_the_closest_is_the_one_with_the_fewest_edits():
    found = score(["a"], examples(["b", "axyz"]))
    grade.close(
        [found.symbol_errors, found.symbols],
        [1, 1],
        "edits and symbols for a, where b or axyz is right",
        {(3, 4): "the closest has the fewest edits, not the fewest edits per symbol"},
    )


def test_the_closest_of_several_right_answers():
    found = score(["abc"], examples(["xyz", "abd", "abc"]))
    grade.close(
        [found.wrong, found.symbol_errors],
        [0, 0],
        "one of three right answers was given",
        {(1, 3): "compare with every right answer, and take the closest"},
    )
    found = score(["ab"], examples(["a", "abc"]))
    grade.close(
        [found.symbol_errors, found.symbols],
        [1, 3],
        "of two equally close ones the longer",
        {(1, 1): "of equally close ones the longest counts"},
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A short run of `reverse`: 600 steps on words of 3 to 5 letters."""
    from stage4_optim import AdamW, Trainer, schedules
    from stage5_transformer import Config, Transformer
    from stage5_transformer.tasks import Data
    from stage5_transformer.training import batches, loss
    from stage5_transformer.translator import Translator

    rng = np.random.default_rng(0)
    words = sorted(
        {"".join(rng.choice(list("abcdef"), size=rng.integers(3, 6))) for _ in range(3000)}
    )
    every = [Example(tuple(w), (tuple(reversed(w)),)) for w in words]
    data = Data(every[::2] + every[1::4], [], every[3::4])
    source, target = data.vocabularies()
    config = Config(
        len(source), len(target), 32, 4, 64, 1, 1, positions="learned", max_positions=12
    )
    translator = Translator(Transformer(config, rng), source, target, 8)
    optimizer = AdamW(translator.model.parameters(), lr=5e-3, betas=(0.9, 0.98))
    warmup = schedules.linear_warmup(5e-3, 30)
    trainer = Trainer(
        translator.model,
        optimizer,
        loss,
        batches(data, source, target, 64, rng),
        schedule=schedules.in_turn((30, warmup), then=schedules.cosine(5e-3, 570)),
        max_norm=1.0,
        show=False,
    )
    trainer.fit(steps=600)
    return translator, trainer, data


def test_reverse_is_learned(run):
    translator, trainer, data = run
    first, last = trainer.history[0]["loss"], trainer.history[-1]["loss"]
    grade.true(
        last < first / 10,
        f"the loss falls to a tenth in 600 steps: {first:.2f} to {last:.2f}",
        "the parts pass their tests, but do not learn together: look at masks and targets",
    )
    right = 100 - translator.scores(data.test).error_rate
    grade.true(
        right > 90,
        f"above 90 % of unseen words are reversed; it is {right:.0f} %",
        "it learned, but says something else when it decodes by itself",
    )


def test_scores_of_fewer_answers_than_examples_are_refused():
    why = "zip stops at the shorter list: the missing answer would count as right"
    grade.raises(lambda: score(["x"], examples(["x"], ["y"])), "1 answer for 2 examples", why)
