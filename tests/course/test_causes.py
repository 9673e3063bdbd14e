"""The causes that any wrong number can give away."""

import numpy as np
import pytest

from course.grader.causes import diagnose

MATRIX = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
SQUARE = [[1.0, 2.0], [3.0, 4.0]]
VECTOR = [1.0, -2.0, 5.0]


def cause(got, expected, mistakes=None):
    return diagnose(np.asarray(got, float), np.asarray(expected, float), mistakes, True)


CAUSES = [
    (np.transpose(MATRIX), MATRIX, "transposed"),
    (np.transpose(SQUARE), SQUARE, "transposed"),
    (np.negative(VECTOR), VECTOR, "the sign is flipped"),
    (-3.0, 3.0, "the sign is flipped"),
    (np.multiply(2, VECTOR), VECTOR, "twice the right value"),
    (6.0, 3.0, "twice the right value"),
    (np.divide(VECTOR, 2), VECTOR, "half the right value"),
    (np.multiply(3, VECTOR), VECTOR, "3 times the right value: summed where a mean was meant"),
    (np.multiply(6, MATRIX), MATRIX, "6 times the right value"),
    (np.divide(VECTOR, 3), VECTOR, "1/3 of the right value"),
    (np.zeros(3), VECTOR, "all zeros"),
    (0.0, 3.0, "all zeros"),
    ([1.0, np.nan, 5.0], VECTOR, "NaN appeared"),
    ([1.0, np.inf, 5.0], VECTOR, "infinity appeared"),
    ([1.0, -np.inf, 5.0], VECTOR, "infinity appeared"),
    ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [5.0, 7.0, 9.0], "a sum over the axes that differ"),
    (SQUARE, [[4.0, 6.0]], "a sum over the axes that differ"),
    (SQUARE, [[3.0], [7.0]], "a sum over the axes that differ"),
    (SQUARE, 10.0, "a sum over the axes that differ"),
    ([3.0, 7.0], [[3.0], [7.0]], "axes of size 1"),
    ([[3.0, 7.0]], [3.0, 7.0], "the numbers are right, axes of size 1 are not"),
    ([[[5.0]]], 5.0, "the numbers are right, axes of size 1 are not"),
    (2.0, np.full((2, 3), 2.0), "not copied along the axes"),
    ([[1.0], [2.0]], [[1.0, 1.0], [2.0, 2.0]], "not copied along the axes"),
    (np.reshape(MATRIX, 6), MATRIX, "the right numbers in another shape"),
    ([5.0, 1.0, -2.0], VECTOR, "the right numbers in the wrong places"),
]


@pytest.mark.parametrize("got, expected, words", CAUSES)
def test_a_tell_tale_number_names_its_cause(got, expected, words):
    assert words in (cause(got, expected) or "")


@pytest.mark.parametrize(
    "got, expected",
    [
        (3.1, 3.0),  # just wrong
        ([1.00005, -2.0, 5.0], VECTOR),  # almost right, and in its place
        ([1.0, -2.0, 5.1], VECTOR),
        ([1.0, 2.0], VECTOR),  # another length
        (np.ones((2, 3)), np.ones((3, 3))),
        (1.0, 0.0),  # no factor leads from 0 to 1
        ([np.nan, 2.0], [np.nan, 1.5]),  # a NaN that belongs there
        ([np.inf, 2.0], [np.inf, 1.5]),
        (np.zeros(2), np.zeros(3)),
    ],
)
def test_a_number_that_tells_nothing_names_no_cause(got, expected):
    assert cause(got, expected) is None


def test_a_single_number_is_not_said_to_be_1_times_the_right_value():
    assert cause(3.0001, 3.0) is None


def test_a_cause_that_the_test_knows_comes_first():
    assert cause(6.0, 3.0, {6.0: "the test knows"}) == "the test knows"


def test_a_cause_that_the_test_knows_needs_its_own_value():
    assert "sign" in (cause(-3.0, 3.0, {6.0: "the test knows"}) or "")


def test_the_first_of_two_causes_wins():
    assert cause(6.0, 3.0, {6.00001: "first", 6.0: "second"}) == "first"


def test_a_wrong_value_is_known_by_its_first_digits():
    assert cause(6.0001, 3.0, {6.0: "the test knows"}) == "the test knows"


def test_a_wrong_array_of_another_shape_is_not_known():
    assert cause([6.0, 6.0], [3.0, 3.0], {6.0: "the test knows"}) != "the test knows"


def test_an_array_can_be_a_known_mistake():
    assert cause([1.0, 9.0], [1.0, 2.0], {(1.0, 9.0): "the test knows"}) == "the test knows"


def test_not_a_number_can_be_a_known_mistake():
    assert cause(np.nan, 3.0, {np.nan: "the test knows"}) == "the test knows"
