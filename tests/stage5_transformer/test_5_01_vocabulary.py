"""Exercise 5.1: symbols, numbers, and rectangles of numbers."""

import numpy as np

from course import grade
from course.grade import exercise
from stage5_transformer import BOS, EOS, PAD, UNK, Vocabulary, pad

pytestmark = exercise("5.1")


def test_encode():
    v = Vocabulary.of(["cab", "bad"])  # a, b, c, d behind the four special symbols
    grade.close(
        v.encode("bad"),
        [5, 4, 7],
        "the numbers of b, a, d",
        {
            (1, 0, 3): "the first four numbers belong to PAD, BOS, EOS and UNK",
        },
    )


def test_an_unknown_symbol():
    v = Vocabulary.of(["ab"])
    grade.close(
        v.encode("axb"),
        [4, UNK, 5],
        "the numbers of a, x, b, where x is not known",
        {
            (4, 5): "an unknown symbol is UNK: leaving it out would shift the others",
        },
    )


def test_whole_words_may_be_symbols():
    v = Vocabulary(["AH0", "B", "K"])
    grade.close(v.encode(["K", "AH0"]), [6, 4], "the numbers of the phones K and AH0")
    grade.true(
        v.decode([6, 4]) == ["K", "AH0"], "decode gives the phones back", "symbols, not text"
    )


def test_decode_stops_at_the_end():
    v = Vocabulary.of(["abc"])
    found = v.decode([BOS, 4, 5, EOS, 6, PAD])
    why = "stop at the first EOS, leave BOS and PAD out"
    grade.true(found == ["a", "b"], f"the symbols before EOS are a, b; they are {found}", why)
    found = v.decode([4, PAD, 6])
    grade.true(found == ["a", "c"], f"PAD is left out; got {found}", "PAD is no symbol")
    found = v.decode([4, BOS, 5])
    grade.true(found == ["a", "b"], f"BOS is left out; got {found}", "wherever it stands")
    found = v.decode(np.array([6, 5]))
    grade.true(found == ["c", "b"], f"an array may be decoded; got {found}", "ids are numbers")


def test_an_unknown_symbol_is_shown():
    v = Vocabulary.of(["abc"])
    found = v.decode([4, UNK, 5])
    why = "only BOS and PAD are left out; the symbol of every other id i is self.symbols[i]"
    grade.true(found == ["a", "<unk>", "b"], f"a, <unk>, b; got {found}", why)


def test_decode_leaves_the_ids_as_they_were():
    ids = [4, 5, EOS, 6]
    Vocabulary.of(["abc"]).decode(ids)
    grade.true(ids == [4, 5, EOS, 6], f"the list afterwards is {ids}", "read it, take nothing out")


def test_there_and_back():
    v = Vocabulary.of(["glassbox"])
    found = "".join(v.decode(v.encode("glassbox")))
    grade.true(
        found == "glassbox", f"decode undoes encode; got {found}", "the same table both ways"
    )


def test_pad():
    array = pad([[5, 6, 7], [8], []])
    grade.close(
        array,
        [[5, 6, 7], [8, PAD, PAD], [PAD, PAD, PAD]],
        "three rows of 3, 1 and 0 ids",
        {((5, 6, 7), (PAD, PAD, 8), (PAD, PAD, PAD)): "padding comes last"},
    )
    kind = array.dtype.kind
    grade.true(kind in "iu", f"ids are integers; the dtype is {array.dtype}", "dtype=np.int64")


def test_pad_to_the_longest():
    grade.close(
        pad([[5], [6, 7, 8, 9, 5]]),
        [[5, PAD, PAD, PAD, PAD], [6, 7, 8, 9, 5]],
        "two rows of 1 and 5 ids",
        {((5, PAD, PAD), (6, 7, 8)): "the longest row decides about the length"},
    )


def test_large_ids():
    grade.close(pad([[1000], [2000, 4]]), [[1000, PAD], [2000, 4]], "ids of a large vocabulary")


def test_pad_leaves_the_rows_as_they_were():
    rows = [[5, 6], [7]]
    pad(rows)
    grade.true(
        rows == [[5, 6], [7]], f"the rows afterwards are {rows}", "fill the array, not the rows"
    )


def test_pad_refuses_half_an_id():
    why = "an array of integers cuts 1.5 down to 1: look before you write it in"
    grade.raises(lambda: pad([[1.5]]), "pad([[1.5]])", why)


def test_pad_of_nothing():
    found = np.shape(pad([]))
    grade.true(found == (0, 0), f"no rows make an array (0, 0); got {found}", "max(..., default=0)")


def test_what_is_no_id_is_refused():
    v = Vocabulary.of(["abc"])
    last = "self.symbols[-1] is the last symbol: an id is at least 0"
    grade.raises(lambda: v.decode([4, -1]), "decode([4, -1])", last)
    grade.raises(lambda: v.decode([7]), "decode([7]) of 7 symbols", "ids end at len(self) - 1")
