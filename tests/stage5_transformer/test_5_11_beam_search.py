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
        logits = np.full((len(self.said), self.V), -np.inf)
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
    hypotheses = beam_search(tree, 1, max_len, width, alpha)[0]
    why = "give self.end every hypothesis that takes EOS, and all that still run at max_len"
    grade.true(hypotheses, "there is a hypothesis at the end", why)
    ids = tuple(hypotheses[0].ids)
    grade.true(EOS not in ids, f"no EOS in {ids}", "a hypothesis that takes EOS has ended")
    return hypotheses[0]


def possible(hypotheses):
    """The ids of those that have a probability, best first."""
    return [tuple(h.ids) for h in hypotheses if h.log_probability > -math.inf]


def test_the_penalty():
    found = [length_penalty(n, 1.0) for n in (1, 2, 7)]
    grade.close(found, [1, 7 / 6, 2], "length_penalty of 1, 2 and 7 with alpha 1")
    grade.close(length_penalty(7, 0.6), 2**0.6, "length_penalty(7, 0.6)")
    grade.close(length_penalty(50, 0.0), 1, "length_penalty(50, 0): alpha 0 means none")


def test_width_one_is_greedy():
    found = best(Tree(GARDEN), 1)
    ids = tuple(found.ids)
    why = "with width 1 there is one hypothesis in every step: the best continuation, as in greedy"
    known = {(B, C): "a place too many: width - len(self.ended) hypotheses survive a step"}
    told = f"width 1 finds (A, C), {(A, C)}; it found {ids}"
    grade.true(ids == (A, C), told, known.get(ids, why))
    grade.close(
        found.log_probability,
        math.log(0.33),
        "its log-probability",
        {
            0.33: "add logarithms",
            0.6 + 0.55 + 1.0: "add the logarithms of the probabilities, not the probabilities",
            math.log(0.55): "the sum of all steps, not the last one",
            0.0: "the sum of all steps, not the last one",
        },
    )


def test_width_two_finds_the_better_sentence():
    found = best(Tree(GARDEN), 2)
    ids = tuple(found.ids)
    grade.true(
        ids == (B, C),
        f"width 2 finds (B, C), {(B, C)}; it found {ids}",
        "all continuations of all hypotheses compete, each behind the ids of its own parent",
    )
    grade.close(found.log_probability, math.log(0.36), "its log-probability")


def test_the_state_goes_on_from_the_parent():
    ids = tuple(best(Tree(GARDEN | {(A, C): {A: 1.0}, (B, C): {D: 1.0}}), 2).ids)
    grade.true(
        ids == (B, C, D),
        f"(B, C) is continued by D only, (A, C) by A: width 2 finds {(B, C, D)}; got {ids}",
        "state.select gets the row of the parent that a survivor continues, not always row 0",
    )


def test_the_first_step_has_one_hypothesis():
    hypotheses = beam_search(Tree(GARDEN), 1, 10, 2, 0.0)[0]
    found = {tuple(h.ids) for h in hypotheses}
    grade.true(
        len(found) == len(hypotheses),
        f"the hypotheses differ; they are {hypotheses}",
        "begin with one: several equal ones would stay equal",
    )


def test_each_hypothesis_has_symbols_of_its_own():
    tree = Tree({(): {A: 0.6, B: 0.4}, (A,): {C: 0.5, D: 0.5}, (B,): {EOS: 1.0}})
    hypotheses = beam_search(tree, 1, 10, 3, 0.0)[0]
    found = {tuple(h.ids): h.log_probability for h in hypotheses if h.log_probability > -math.inf}
    want = {(B,): math.log(0.4), (A, C): math.log(0.3), (A, D): math.log(0.3)}
    grade.true(
        set(found) <= set(want),
        f"the hypotheses are among {set(want)}; got {set(found)}",
        "a survivor is its parent's symbols and one more: which parent is flat // V",
    )
    for ids, logp in found.items():
        grade.close(logp, want[ids], f"the log-probability of {ids}")


LATE = {  # A ends first, and with more probability; B is better in the measure of its length
    (): {A: 0.5, B: 0.5},
    (A,): {EOS: 0.9, C: 0.1},
    (B,): {D: 0.6, C: 0.4},
    (B, D): {D: 1.0},
    (B, D, D): {D: 1.0},
    (B, D, D, D): {EOS: 1.0},
}


def test_long_sentences_are_not_the_losers():
    tree = {
        (): {A: 0.14, B: 0.12, C: 0.74},
        (A,): {EOS: 0.9, D: 0.1},
        (B,): {D: 0.9, C: 0.1},
        (B, D): {EOS: 1.0},
        (C,): {A: 0.001, EOS: 0.001, C: 0.998},
        (C, C): {EOS: 1e-6, C: 1 - 1e-6},
    }
    hypotheses = {tuple(h.ids): h for h in beam_search(Tree(tree), 1, 3, 3, 1.0)[0]}
    grade.true((A,) in hypotheses, f"(A,) has ended; there are {[*hypotheses]}", "keep the ended")
    grade.close(
        hypotheses[(A,)].score,
        math.log(0.126) / (7 / 6),
        "the score of one symbol and EOS, alpha 1",
        {
            math.log(0.126) * (7 / 6): "divide by the penalty",
            math.log(0.126): "EOS counts: the length is 2",
            math.log(0.14) / (7 / 6): "the log-probability of EOS belongs to the score",
        },
    )


def test_it_goes_on_until_nothing_better_can_come():
    found = best(Tree(LATE), 2, alpha=2.0)
    ids = tuple(found.ids)
    late = math.log(0.3) / (10 / 6) ** 2  # 4 symbols and EOS; -0.43
    early = math.log(0.45) / (7 / 6) ** 2  # 1 symbol and EOS; -0.59
    grade.true(
        ids == (B, D, D, D),
        f"(B, D, D, D) has the score {late:.2f}, (A,) only {early:.2f}; got {ids}",
        "(A,) ends first, but goes on to be compared: what the running one can still reach is its "
        "log-probability / length_penalty(max_len + 1)",
    )


def test_no_more_hypotheses_than_width():
    tree = {(): {A: 0.4, B: 0.3, C: 0.3}, (A,): {EOS: 0.9, D: 0.1}}
    tree |= {(B,): {EOS: 0.8, D: 0.2}, (C,): {D: 0.6, C: 0.4}, (C, D): {D: 0.6, C: 0.4}}
    tree |= {(C, D, D): {D: 0.6, C: 0.4}}
    for width in (2, 3):
        found = possible(beam_search(Tree(tree), 1, 10, width, 2.0)[0])
        grade.true(
            len(found) <= width,
            f"width {width}: at most {width} hypotheses; there are {found}",
            "every one that has ended takes one of the places: width - len(self.ended) are left",
        )


def test_ties_go_to_the_earlier_hypothesis_then_to_the_lower_id():
    every = {A: 0.25, B: 0.25, C: 0.25, D: 0.25}
    ids = tuple(best(Tree({(): every}), 1, max_len=1).ids)
    why = "a sort of -scores that is stable, kind='stable', leaves ties in their order"
    grade.true(ids == (A,), f"of four equal symbols the lowest, {A}; got {ids}", why)
    tree = Tree({(): {A: 0.5, B: 0.5}, (A,): every, (B,): every})
    found = possible(beam_search(tree, 1, 2, 2, 0.0)[0])
    want = [(A, A), (A, B)]
    grade.true(found == want, f"of eight equal sentences {want}; got {found}", why)


def test_it_stops_when_nothing_better_can_come():
    tree = Tree({(): {EOS: 0.9, A: 0.1}})
    endless = tree.tables[0]
    for n in range(1, 60):
        endless[(A,) * n] = {A: 1.0}
    found = best(tree, 2, alpha=0.0, max_len=50)
    ids = tuple(found.ids)
    grade.true(ids == (), f"the empty answer is best, it has 0.9; got {ids}", "EOS at once")
    grade.true(
        len(tree.rows) < 5,
        f"it stops early; the model was asked {len(tree.rows)} times",
        "log-probabilities only fall: compare with the best that has ended",
    )


def test_it_stops_when_nothing_can_do_more_than_draw_level():
    tree = Tree({(): {A: 0.5, EOS: 0.5}, (A,): {C: 0.6, D: 0.4}})
    beam_search(tree, 1, 10, 2, 0.0)
    why = "what runs can become as good as the best that has ended, but not better: >="
    asked = {2: why, 3: "log-probabilities only fall: compare with the best that has ended"}
    grade.close(len(tree.rows), 1, "how often the model was asked; both have 0.5", asked)


def test_the_best_that_runs_is_compared_with_the_best_that_has_ended():
    ids = tuple(best(Tree({(): {EOS: 0.3, A: 0.45, B: 0.25}}), 3).ids)
    why = "what can still come is judged by the best that runs, with 0.45: not by the worst"
    grade.true(ids == (A,), f"(A,) has 0.45, the empty answer 0.3; got {ids}", why)
    tree = Tree({(): {EOS: 0.3, A: 0.7}, (A,): {EOS: 0.3, C: 0.4, D: 0.3}})
    beam_search(tree, 1, 10, 3, 0.0)
    asked = {3: "compare with the best that has ended, 0.3: not with the worst, 0.21"}
    grade.close(len(tree.rows), 2, "how often the model was asked; what runs has 0.28", asked)


def test_an_ended_hypothesis_does_not_grow():
    hypotheses = beam_search(Tree(GARDEN), 1, 10, 3, 0.0)[0]
    hypotheses += beam_search(Tree(LATE), 1, 10, 6, 2.0)[0]
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
    ids = tuple(found.ids)
    grade.true(
        len(ids) == 3,
        f"what runs at max_len=3 counts as it is, with 3 symbols; got {ids}",
        "exactly max_len symbols: all that run then go to self.end",
    )
    grade.true(ids == (A, A, A), f"A three times has 0.343; got {ids}", "the best one comes first")
    grade.close(found.log_probability, 3 * math.log(0.7), "its log-probability")


def test_a_wide_beam_ends_at_max_len_too():
    tree = Tree({(): {A: 0.7, B: 0.3}, (A,): {C: 1.0}, (B,): {C: 1.0}})
    found = possible(beam_search(tree, 1, 1, 40, 1.0)[0])
    why = "all places or not: what has max_len symbols runs no longer"
    grade.true(found == [(A,), (B,)], f"max_len=1, width 40: (A,) and (B,); got {found}", why)


def test_the_penalty_of_a_sentence_that_max_len_cuts():
    found = best(Tree({(A,) * n: {A: 0.7, B: 0.3} for n in range(4)}), 1, alpha=1.0, max_len=3)
    grade.close(
        found.score,
        3 * math.log(0.7) / (8 / 6),
        "the score of three symbols without EOS, alpha 1",
        {3 * math.log(0.7) / (9 / 6): "it has no EOS: the length is 3, that of its symbols"},
    )


def test_more_places_than_symbols():
    hypotheses = beam_search(Tree({(): {A: 0.7, EOS: 0.3}}, V=5), 1, 10, 40, 0.0)[0]
    found = possible(hypotheses)
    why = "A and then EOS have 0.7, EOS at once 0.3"
    grade.true((A,) in found, f"(A,) is among those of width 40; there are {found}", why)
    grade.close(
        [h.log_probability for h in hypotheses if len(h.ids) == 0],
        [math.log(0.3)],
        "the log-probability of EOS at once",
        {(0.0,): "the log-probability of EOS belongs to it"},
    )
    grade.true(found[0] == (A,), f"(A,) is the best of {found}", why)


@pytest.mark.parametrize("width", [1, 2, 3, 7])
def test_a_batch_is_as_good_as_one_by_one(width):
    tables = [GARDEN, LATE, {(): {EOS: 1.0}}, {(): {C: 0.9, D: 0.1}, (C,): {C: 0.5, D: 0.5}}]
    together = beam_search(Tree(*tables), 4, 6, width, 0.6)
    for i, table in enumerate(tables):
        (alone,) = beam_search(Tree(table), 1, 6, width, 0.6)
        found, want = tuple(together[i][0].ids), tuple(alone[0].ids)
        grade.true(
            found == want,
            f"sample {i} in a batch gives {want}, as it does alone; got {found}",
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


@pytest.mark.parametrize(("width", "alpha"), [(1, 1.0), (2, 2.0), (3, 2.0), (4, 0.6), (5, 3.0)])
def test_beams_of_random_trees(width, alpha):
    # Trees on which it makes no difference whether the bound has max_len or max_len + 1.
    rng = np.random.default_rng(width + 1)
    for _ in range(12):
        table = {(): random_branch(rng)}
        for said in [(A,), (B,), *((x, y) for x in (A, B) for y in (A, B, D))]:
            table[said] = random_branch(rng)
        for x in (A, B):
            table[x, D, D] = table[x, D, D, D] = {D: 0.9, A: 0.06, EOS: 0.04}
        want = by_hand(table, width, alpha, 6)
        hypotheses = beam_search(Tree(table), 1, 6, width, alpha)[0]
        found = possible(hypotheses)
        why = "the docstring of beam_search says who goes on, and when a sample is done"
        grade.true(
            found == [*want],
            f"width {width}, alpha {alpha}: the hypotheses are {[*want]}; got {found}",
            why,
        )
        scores = [h.score for h in hypotheses if h.log_probability > -math.inf]
        grade.close(scores, [*want.values()], f"the scores of {found}")


def random_branch(rng):
    p = rng.dirichlet((0.5, 0.5, 0.5, 0.5))
    return {A: p[0], B: p[1], D: p[2], EOS: p[3]}


def by_hand(table, width, alpha, max_len):
    """The hypotheses of a beam search with their scores, best first."""
    running, ended = {(): 0.0}, {}
    while running:
        ways = {
            (*said, symbol): logp + math.log(p)
            for said, logp in running.items()
            for symbol, p in table.get(said, {EOS: 1.0}).items()
        }
        running = {}
        for ids in sorted(ways, key=lambda ids: -ways[ids])[: width - len(ended)]:
            if ids[-1] == EOS or len(ids) == max_len:
                said = tuple(i for i in ids if i != EOS)
                ended[said] = ways[ids] / ((5 + len(ids)) / 6) ** alpha
            else:
                running[ids] = ways[ids]
        hope = max(running.values(), default=-math.inf) / ((6 + max_len) / 6) ** alpha
        if max(ended.values(), default=-math.inf) >= hope:
            break
    return dict(sorted(ended.items(), key=lambda item: -item[1]))
