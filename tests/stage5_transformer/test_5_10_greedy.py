"""Exercise 5.10: the best symbol each time."""

import numpy as np

from course import grade
from course.grade import exercise
from stage5_transformer import BOS, EOS, greedy

pytestmark = exercise("5.10")


class Script:
    """A model that says what is written: a row of symbols for every sample."""

    def __init__(self, rows, V=10):
        self.rows, self.V = [list(row) for row in rows], V
        self.asked, self.given, self.step = [], [], 0

    def next(self, ids):
        n, samples = len(ids), len(self.rows)
        why = "after state.select(rows), `last` has to be shortened to these rows as well"
        if n < samples:
            why = "the state holds those that have ended: call state.select(the rows that go on)"
        grade.true(n == samples, f"{samples} samples get {samples} symbols; they got {n}", why)
        self.given.append(ids)
        self.asked.append(np.array(ids).tolist())
        logits = np.full((len(self.rows), self.V), -9.0)
        for i, row in enumerate(self.rows):
            logits[i, row[self.step] if self.step < len(row) else 9] = -1.0
        self.step += 1
        return logits

    def select(self, rows):
        self.rows = [self.rows[i] for i in rows]


def test_it_says_what_the_model_says():
    found = greedy(Script([[5, 6, 7, EOS]]), 1, 10)
    grade.true(
        found == [[5, 6, 7]],
        f"the answer is [5, 6, 7]; it is {found}",
        "append the most probable symbol, up to EOS",
    )


def test_it_begins_with_bos():
    script = Script([[5, 6, EOS]])
    greedy(script, 1, 10)
    found = [ids[0] for ids in script.asked]
    grade.true(
        found == [BOS, 5, 6],
        f"the model reads BOS, 5, 6; it read {found}",
        "hand over the last symbol, the first time BOS",
    )
    script = Script([[5, EOS]])
    greedy(script, 1, 10, start=8)
    grade.close(script.asked[0], [8], "the first symbol with start=8")


def test_the_model_gets_an_array_of_ids():
    script = Script([[5, 6, EOS]])
    greedy(script, 1, 10)
    for ids in script.given:
        whole = isinstance(ids, np.ndarray) and ids.dtype.kind in "iu"
        why = "an array of integers (B,): np.full(B, start), then the argmax as it is"
        grade.true(whole, f"state.next takes an array of ids; it got {ids!r}", why)


def test_eos_is_no_part_of_the_answer():
    found = greedy(Script([[EOS]]), 1, 10)
    grade.true(found == [[]], f"an answer that ends at once is []; it is {found}", "leave EOS out")


def test_samples_end_by_themselves():
    found = greedy(Script([[5, EOS, 9, 9], [6, 7, 8, EOS], [EOS]]), 3, 10)
    want = [[5], [6, 7, 8], []]
    grade.true(
        found == want,
        f"the answers are {want}; they are {found}",
        "what comes after EOS does not count; the others go on, each with a list of its own",
    )


def test_it_stops_when_all_have_ended():
    script = Script([[5, EOS], [EOS]])
    found = greedy(script, 2, 50)
    grade.true(found == [[5], []], f"the answers are [5] and []; they are {found}", "up to EOS")
    grade.close(
        len(script.asked),
        2,
        "how often the model was asked",
        {50: "stop when every sample has ended"},
    )


def test_never_longer_than_max_len():
    found = greedy(Script([[5] * 20, [6, EOS]]), 2, 3)
    lengths = [len(row) for row in found]
    grade.close(
        lengths,
        [3, 1],
        "the lengths of answers with max_len=3, one without EOS",
        {(2, 1): "exactly max_len symbols", (4, 1): "exactly max_len symbols"},
    )


def test_ties_go_to_the_lower_id():
    class Tie(Script):
        def next(self, ids):
            logits = super().next(ids)
            if self.step == 1:
                logits[:] = 0
                logits[:, [4, 7]] = 3.0
            return logits

    found = greedy(Tie([[0, EOS]]), 1, 5)
    grade.true(
        found == [[4]], f"of 4 and 7 the lower is taken; got {found}", "argmax takes the first"
    )


def test_answers_are_lists_of_numbers():
    found = greedy(Script([[5, 6, EOS]]), 1, 10)
    kinds = {type(i) for row in found for i in row}
    ok = all(issubclass(kind, int | np.integer) for kind in kinds)
    grade.true(ok, f"ids are integers; they are {kinds}", "not arrays")
    grade.true(greedy(Script([]), 0, 5) == [], "no samples, no answers", "B may be 0")
