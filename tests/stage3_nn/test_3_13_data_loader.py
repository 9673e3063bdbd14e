"""Exercise 3.13: examples in batches."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage3_nn import ArrayDataset, DataLoader

pytestmark = exercise("3.13")


def rng():
    return np.random.default_rng(0)


def epoch(loader):
    """All batches of an epoch, as lists."""
    return [np.asarray(batch).tolist() for batch in loader]


def flat(batches):
    return [x for batch in batches for x in batch]


def test_batches_in_order():
    found = epoch(DataLoader(list(range(7)), batch_size=3))
    want = [[0, 1, 2], [3, 4, 5], [6]]
    why = "the last batch holds what is left"
    grade.true(found == want, f"range(7) in threes is {want}; it is {found}", why)


def test_drop_last():
    found = epoch(DataLoader(list(range(7)), batch_size=3, drop_last=True))
    grade.true(
        found == [[0, 1, 2], [3, 4, 5]], f"drop_last leaves [6] out; got {found}", "not full"
    )
    found = epoch(DataLoader(list(range(6)), batch_size=3, drop_last=True))
    grade.true(len(found) == 2, "a last batch that is full stays", "6 is two times 3")


@pytest.mark.parametrize(("n", "drop_last", "want"), [(7, False, 3), (7, True, 2), (6, False, 2)])
def test_length(n, drop_last, want):
    loader = DataLoader(list(range(n)), batch_size=3, drop_last=drop_last)
    grade.close(len(loader), want, f"len of the loader of {n} in threes, drop_last={drop_last}")


def test_shuffle_keeps_every_example_once():
    loader = DataLoader(list(range(100)), batch_size=8, shuffle=True, rng=rng())
    found = flat(epoch(loader))
    once = "a permutation, not a draw with replacement"
    grade.true(sorted(found) == list(range(100)), "every example comes exactly once", once)
    grade.true(found != list(range(100)), "the order is shuffled", "permute the indices")


def test_a_new_order_for_every_epoch():
    loader = DataLoader(list(range(100)), batch_size=8, shuffle=True, rng=rng())
    why = "draw the order when the epoch begins, in __iter__"
    grade.true(epoch(loader) != epoch(loader), "two epochs have different orders", why)


def test_what_is_left_comes_last_in_every_epoch():
    loader = DataLoader(list(range(7)), batch_size=3, shuffle=True, rng=rng())
    sizes = {tuple(len(batch) for batch in epoch(loader)) for _ in range(10)}
    why = "shuffle the examples; only batches of similar length are shuffled themselves"
    grade.true(sizes == {(3, 3, 1)}, f"7 in threes are batches of 3, 3, 1; got {sizes}", why)


def test_the_order_comes_from_the_generator():
    a, b = (DataLoader(list(range(50)), batch_size=8, shuffle=True, rng=rng()) for _ in range(2))
    grade.true(epoch(a) == epoch(b), "equal generators give equal orders", "use self.rng only")


def test_examples_of_several_arrays_stay_together():
    x, y = np.arange(20.0).reshape(10, 2), np.arange(10)
    loader = DataLoader(ArrayDataset(x, y), batch_size=4, shuffle=True, rng=rng())
    for features, labels in loader:
        grade.close(features, x[labels], "the features of a batch, by their labels")
    batch = next(iter(loader))
    found = [*batch[0].shape, *batch[1].shape]
    grade.close(found, [4, 2, 4], "the shapes of a batch, a tuple of two arrays")


def test_a_collate_of_your_own():
    found = list(DataLoader(["a", "bb", "ccc"], batch_size=2, collate="-".join))
    why = "call it with the list of examples"
    grade.true(found == ["a-bb", "ccc"], f'collate="-".join gives "a-bb", "ccc"; got {found}', why)


def test_batches_of_similar_length():
    lengths = np.random.default_rng(3).integers(1, 30, 200).tolist()
    loader = DataLoader(
        ["x" * n for n in lengths], 10, shuffle=True, collate=list, length=len, rng=rng()
    )
    batches = [sorted(map(len, batch)) for batch in loader]
    grade.true(
        sorted(flat(batches)) == sorted(lengths), "every example comes once", "a permutation"
    )
    padded = sum(10 * batch[-1] for batch in batches)
    padded_sorted = sum(10 * batch[-1] for batch in np.sort(lengths).reshape(20, 10).tolist())
    grade.true(
        abs(padded - padded_sorted) <= 0.001 * padded_sorted,
        f"padded to their longest, the batches have {padded_sorted} places; they have {padded}",
        "sort by length before cutting into batches",
    )
    longest = [batch[-1] for batch in batches]
    why = "shuffle the batches: short ones would always come first"
    grade.true(longest != sorted(longest), "the batches come in random order", why)


def test_batches_of_similar_length_without_shuffle():
    words = ["aaa", "b", "cc", "d", "aaaaa", "bbbb", "eeeeee", "fffffff"]
    found = list(DataLoader(words, 2, collate=list, length=len))
    why = "sort by length, with or without shuffle; only shuffle changes the order of the batches"
    want = [["b", "d"], ["cc", "aaa"], ["bbbb", "aaaaa"], ["eeeeee", "fffffff"]]
    grade.true(found == want, f"the batches are {want}; they are {found}", why)


def test_without_a_generator_the_order_is_a_fresh_one():
    orders = [flat(epoch(DataLoader(list(range(50)), 8, shuffle=True))) for _ in range(2)]
    grade.true(orders[0] != orders[1], "without rng, two loaders differ", "do not fix a seed")


def test_equal_lengths_are_still_shuffled():
    loader = DataLoader(
        [(i, 1) for i in range(40)],
        10,
        shuffle=True,
        collate=list,
        length=lambda e: e[1],
        rng=rng(),
    )
    first = {frozenset(i for i, _ in batch) for batch in loader}
    second = {frozenset(i for i, _ in batch) for batch in loader}
    why = "shuffle first, then sort with a stable sort"
    grade.true(first != second, "examples of one length meet different neighbours", why)


def test_nothing_at_all():
    grade.true(epoch(DataLoader([], batch_size=3)) == [], "no examples, no batches", "len is 0")
