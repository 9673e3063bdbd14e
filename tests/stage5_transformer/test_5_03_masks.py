"""Exercise 5.3: who may look where."""

import numpy as np

from course import grade
from course.grade import exercise
from stage5_transformer import BOS, EOS, PAD, UNK, causal_mask, combined, padding_mask

pytestmark = exercise("5.3")


def test_padding():
    ids = np.array([[5, 6, PAD], [7, PAD, PAD]])
    mask = padding_mask(ids)
    found = np.shape(mask)
    why = "axes of size 1 for heads and queries: ids (B, S) -> (B, 1, 1, S)"
    grade.true(found == (2, 1, 1, 3), f"the shape is (2, 1, 1, 3); it is {found}", why)
    grade.close(
        mask[:, 0, 0],
        [[1, 1, 0], [1, 0, 0]],
        "who may be looked at",
        {((0, 0, 1), (0, 1, 1)): "True means: may be looked at"},
    )
    kind = np.asarray(mask).dtype
    grade.true(kind.kind == "b", f"the mask is boolean; it is {kind}", "compare, do not subtract")


def test_padding_alone_is_hidden():
    mask = padding_mask(np.array([[BOS, UNK, 4, EOS, PAD]]))
    grade.close(
        mask[0, 0],
        [[1, 1, 1, 1, 0]],
        "who may be looked at, of BOS, UNK, a symbol, EOS, PAD",
        {
            ((0, 0, 1, 0, 0),): "the other special symbols are symbols too: compare with PAD",
            ((0, 1, 1, 0, 0),): "BOS and EOS are symbols too: compare with PAD",
        },
    )


def test_padding_hides_keys_and_not_queries():
    ids = np.array([[5, PAD], [6, 7]])  # as many samples as symbols
    whole = np.broadcast_to(padding_mask(ids), (2, 1, 2, 2))
    grade.close(
        whole[0, 0],
        [[1, 0], [1, 0]],
        "sample 0: no query may look at its padding",
        {
            ((1, 1), (0, 0)): "the padding is on the axis of the queries",
            ((1, 0), (1, 1)): "the mask of all samples was used as one square",
        },
    )
    grade.close(whole[1, 0], [[1, 1], [1, 1]], "sample 1 has no padding")


def test_causal():
    mask = causal_mask(3)
    grade.true(isinstance(mask, np.ndarray), f"an array; it is a {type(mask)}", "np.array(...)")
    grade.close(
        mask,
        [[1, 0, 0], [1, 1, 0], [1, 1, 1]],
        "causal_mask(3)",
        {
            ((0, 0, 0), (1, 0, 0), (1, 1, 0)): "a query may look at itself",
            ((1, 1, 0), (1, 1, 1), (1, 1, 1)): "a query sees one symbol of the future",
            ((1, 1, 1), (0, 1, 1), (0, 0, 1)): "rows are queries: it is the past that may be seen",
        },
    )
    kind = np.asarray(mask).dtype
    grade.true(kind.kind == "b", f"the mask is boolean; it is {kind}", "compare positions")


def test_new_queries_come_last():
    grade.close(
        causal_mask(2, 4),
        [[1, 1, 1, 0], [1, 1, 1, 1]],
        "causal_mask(2, 4)",
        {((1, 0, 0, 0), (1, 1, 0, 0)): "the two new queries stand at the end of the four keys"},
    )
    grade.close(causal_mask(1, 3), [[1, 1, 1]], "causal_mask(1, 3): the newest sees all")


def test_combined():
    a = np.array([[True, False], [True, True]])
    b = np.array([[True, True], [False, True]])
    grade.close(
        combined(a, b),
        [[1, 0], [0, 1]],
        "two masks together",
        {((1, 1), (1, 1)): "both must allow it: and, not or"},
    )
    grade.close(combined(a, None), a, "a mask and None")
    grade.true(combined(None, None) is None, "None and None is None", "nothing is hidden")
    grade.true(combined() is None, "no mask at all is None", "nothing is hidden")


def test_combined_of_three():
    a, b = np.array([True, False, True, True]), np.array([True, True, False, True])
    mask = combined(None, a, b, np.array([True, True, True, False]))
    grade.close(
        mask,
        [1, 0, 0, 0],
        "None and three masks, each of which hides another key",
        {(1, 0, 0, 1): "go on to the last mask", (1, 1, 1, 0): "go on to the last mask"},
    )
    kind = np.asarray(mask).dtype
    grade.true(kind.kind == "b", f"the mask is boolean; it is {kind}", "and, not a product")


def test_combined_broadcasts():
    ids = np.array([[5, 6, PAD]])
    mask = combined(causal_mask(3), padding_mask(ids))
    want = [[[[1, 0, 0], [1, 1, 0], [1, 1, 0]]]]
    grade.close(np.broadcast_to(mask, (1, 1, 3, 3)), want, "causal and padding")


def test_masks_are_not_changed():
    a, b = np.array([True, True]), np.array([True, False])
    combined(a, b)
    grade.close(a, [1, 1], "the first mask afterwards")


def test_fewer_keys_than_queries_are_refused():
    why = "the last query belongs to the last key: the first one would look nowhere"
    grade.raises(lambda: causal_mask(3, 2), "causal_mask(3, 2)", why)


def test_what_is_no_number_of_symbols_is_refused():
    why = "np.arange(2.5) has three numbers: look at T and S first, check_sizes does"
    grade.raises(lambda: causal_mask(2.5), "causal_mask(2.5)", why)
    grade.raises(lambda: causal_mask(1, 2.5), "causal_mask(1, 2.5)", why)


def test_what_is_no_mask_or_no_ids_is_refused():
    why = "& of numbers works bit by bit: 2 & 1 is 0"
    numbers = np.array([2, 2])
    grade.raises(lambda: combined(np.array([True, True]), numbers), "combined with [2, 2]", why)
    floats = np.array([[5.0, 0.0]])
    grade.raises(lambda: padding_mask(floats), "padding_mask([[5., 0.]])", "ids are integers")


def test_masks_that_do_not_go_together_are_refused():
    a, b = np.ones((2, 3), bool), np.ones((2, 2), bool)
    grade.raises(lambda: combined(a, b), "masks of shapes (2, 3) and (2, 2)", "compare the shapes")
