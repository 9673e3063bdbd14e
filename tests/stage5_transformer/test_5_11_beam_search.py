"""Exercise 5.11: several hypotheses at once."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage5_transformer import EOS, beam_search
from stage5_transformer.decoding import length_penalty

pytestmark = exercise("5.11")

A, B, C, D = 4, 5, 6, 7


class Tree:
    """A model that is a table: what may follow what has been said, with its probability."""

    def __init__(self, *tables, V=8):
        self.tables, self.V = tables, V
        self.said = [((), i) for i in range(len(tables))]  # what was said, by which sample
        self.first = True
        self.rows = []

    def next(self, ids):
        if not self.first:
            self.said = [((*s, int(i)), n) for (s, n), i in zip(self.said, ids)]
        self.first = False
        self.rows.append(len(ids))
        logits = np.full((len(self.said), self.V), -1e9)
        for row, (said, n) in enumerate(self.said):
            for symbol, p in self.tables[n].get(said, {EOS: 1.0}).items():
                logits[row, symbol] = math.log(p)
        return logits

    def select(self, rows):
        self.said = [self.said[i] for i in rows]


GARDEN = {  # greedy takes A, and then nothing is good
    (): {A: 0.6, B: 0.4},
    (A,): {C: 0.55, D: 0.45},
    (B,): {C: 0.9, D: 0.1},
}


def best(tree, width, alpha=0.0, max_len=10):
    return beam_search(tree, 1, max_len, width, alpha)[0][0]


def test_the_penalty():
    found = [length_penalty(n, 1.0) for n in (1, 2, 7)]
    grade.close(found, [1, 7 / 6, 2], "length_penalty of 1, 2 and 7 with alpha 1")
    grade.close(length_penalty(7, 0.6), 2**0.6, "length_penalty(7, 0.6)")
    grade.close(length_penalty(50, 0.0), 1, "length_penalty(50, 0): alpha 0 means none")


def test_width_one_is_greedy():
    found = best(Tree(GARDEN), 1)
    grade.true(found.ids == (A, C), f"width 1 finds (A, C); it found {found.ids}", "as greedy does")
    grade.close(
        found.log_probability,
        math.log(0.33),
        "its log-probability",
        {
            0.33: "add logarithms",
            math.log(0.55): "the sum of all steps, not the last one",
            0.0: "the sum of all steps, not the last one",
        },
    )


def test_width_two_finds_the_better_sentence():
    found = best(Tree(GARDEN), 2)
    grade.true(
        found.ids == (B, C),
        f"width 2 finds (B, C); it found {found.ids}",
        "all continuations of all hypotheses compete",
    )
    grade.close(found.log_probability, math.log(0.36), "its log-probability")


def test_the_first_step_has_one_hypothesis():
    hypotheses = beam_search(Tree(GARDEN), 1, 10, 2, 0.0)[0]
    found = {h.ids for h in hypotheses}
    grade.true(
        len(found) == len(hypotheses),
        f"the hypotheses differ; they are {hypotheses}",
        "begin with one: several equal ones would stay equal",
    )


def test_each_hypothesis_has_symbols_of_its_own():
    tree = Tree({(): {A: 0.6, B: 0.4}, (A,): {C: 0.5, D: 0.5}, (B,): {EOS: 1.0}})
    found = {h.ids: h.log_probability for h in beam_search(tree, 1, 10, 3, 0.0)[0]}
    want = {(B,): math.log(0.4), (A, C): math.log(0.3), (A, D): math.log(0.3)}
    grade.true(
        set(found) <= set(want),
        f"the hypotheses are among {set(want)}; got {set(found)}",
        "a survivor is its parent's symbols and one more: which parent is flat // V",
    )
    for ids, logp in found.items():
        grade.close(logp, want[ids], f"the log-probability of {ids}")


LONG = {  # the short one ends first, the long one is better per symbol
    (): {A: 0.5, B: 0.5},
    (A,): {EOS: 0.27, C: 0.73},
    (B,): {D: 0.9, C: 0.1},
    (B, D): {D: 0.9, C: 0.1},
    (B, D, D): {EOS: 0.9, C: 0.1},
    (A, C): {EOS: 0.01, C: 0.99},
}


def test_long_sentences_are_not_the_losers():
    tree = {
        (): {A: 0.14, B: 0.12, C: 0.74},
        (A,): {EOS: 1.0},
        (B,): {D: 0.9, C: 0.1},
        (B, D): {EOS: 1.0},
        (C,): {A: 0.001, EOS: 0.001, C: 0.998},
        (C, C): {EOS: 1e-6, C: 1 - 1e-6},
    }
    hypotheses = {h.ids: h for h in beam_search(Tree(tree), 1, 3, 3, 1.0)[0]}
    h = hypotheses.get((A,))
    if h is not None:
        grade.close(
            h.score,
            math.log(0.14) / (7 / 6),
            "the score of one symbol and EOS, alpha 1",
            {
                math.log(0.14) * (7 / 6): "divide by the penalty",
                math.log(0.14): "EOS counts: the length is 2",
            },
        )


def test_it_goes_on_until_nothing_better_can_come():
    found = best(Tree(LONG), 2, alpha=2.0)
    short = math.log(0.5 * 0.27) / length_penalty(2, 2.0)
    long = math.log(0.5 * 0.9**3) / length_penalty(4, 2.0)
    assert long > short
    grade.true(
        found.ids == (B, D, D),
        f"(B, D, D) is better in the measure of its length; got {found}",
        "do not stop when the first hypothesis has ended",
    )


def test_it_stops_when_nothing_better_can_come():
    tree = Tree({(): {EOS: 0.9, A: 0.1}})
    endless = tree.tables[0]
    for n in range(1, 60):
        endless[(A,) * n] = {A: 1.0}
    found = best(tree, 2, alpha=0.0, max_len=50)
    grade.true(found.ids == (), f"the empty answer is best; got {found.ids}", "EOS at once")
    grade.true(
        len(tree.rows) < 5,
        f"it stops early; the model was asked {len(tree.rows)} times",
        "log-probabilities only fall: compare with the best that has ended",
    )


def test_an_ended_hypothesis_does_not_grow():
    hypotheses = beam_search(Tree(GARDEN), 1, 10, 3, 0.0)[0]
    hypotheses += beam_search(Tree(LONG), 1, 10, 6, 2.0)[0]
    grade.true(
        all(EOS not in h.ids for h in hypotheses),
        f"no EOS in {hypotheses}",
        "a hypothesis that takes EOS has ended",
    )
    shares = sum(math.exp(h.log_probability) for h in hypotheses)
    grade.true(
        shares <= 2 + 1e-9,
        "the probabilities of two models do not add up to more than 2",
        "no doubles",
    )


def test_nothing_has_ended_at_max_len():
    tree = Tree({(A,) * n: {A: 0.7, B: 0.3} for n in range(10)})
    found = best(tree, 2, max_len=3)
    grade.true(
        found.ids == (A, A, A),
        f"what runs at max_len counts: (A, A, A); got {found.ids}",
        "exactly max_len symbols",
    )
    grade.close(found.log_probability, 3 * math.log(0.7), "its log-probability")


def test_more_places_than_symbols():
    found = best(Tree({(): {A: 0.7, EOS: 0.3}}, V=5), 40)
    grade.true(
        found.ids == (A,), f"a width of 40 with 5 symbols; got {found.ids}", "take what is there"
    )


@pytest.mark.parametrize("width", [1, 2, 3, 7])
def test_a_batch_is_as_good_as_one_by_one(width):
    tables = [GARDEN, LONG, {(): {EOS: 1.0}}, {(): {C: 0.9, D: 0.1}, (C,): {C: 0.5, D: 0.5}}]
    together = beam_search(Tree(*tables), 4, 6, width, 0.6)
    for i, table in enumerate(tables):
        (alone,) = beam_search(Tree(table), 1, 6, width, 0.6)
        grade.true(
            together[i][0].ids == alone[0].ids,
            f"sample {i} in a batch gives {alone[0].ids}; got {together[i][0].ids}",
            "every sample has its own hypotheses, and its own rows of the state",
        )
        grade.close(together[i][0].score, alone[0].score, f"the score of sample {i}")


def test_a_wide_beam_finds_the_optimum():
    rng = np.random.default_rng(0)
    for _ in range(20):
        table = {}
        for said in [(), (A,), (B,), (A, A), (A, B), (B, A), (B, B)]:
            p = rng.dirichlet(np.ones(3))
            table[said] = {A: p[0], B: p[1], EOS: p[2]}
        found = best(Tree(table), 30, alpha=0.0, max_len=3)
        every = dict(sentences(table, (), 0.0))
        grade.close(found.log_probability, max(every.values()), f"the best of all, {table[()]}")


def sentences(table, said, logp):
    """Every sentence of a table with its log-probability; at 3 symbols it ends as it is."""
    if len(said) == 3:
        yield said, logp
        return
    for symbol, p in table[said].items():
        if symbol == EOS:
            yield said, logp + math.log(p)
        else:
            yield from sentences(table, (*said, symbol), logp + math.log(p))
