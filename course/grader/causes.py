"""The mistake behind a wrong number, where the number gives it away.

Each cause is a question to `got` and `expected`, tried in order; the first that says yes is told.
A test knows its own tell-tale values and passes them as `known`; those come first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

CLOSE = 1e-4  # a wrong value is recognised by its first digits, not by its last

Question = Callable[[np.ndarray, np.ndarray], bool]
Known = Mapping | Sequence[tuple]  # a cause for each wrong value; pairs, where that is an array


def diagnose(
    got: np.ndarray, expected: np.ndarray, known: Known | None, gradient: bool
) -> str | None:
    """The cause of the difference in a sentence, or None if nothing gives it away.

    Some causes are those of a wrong `gradient` only.
    """
    for wrong, cause in pairs(known):
        if same(got, np.asarray(wrong, dtype=float)):
            return cause
    causes = SHAPE_CAUSES if got.shape != expected.shape else VALUE_CAUSES
    for question, cause in [*causes, *(GRADIENT_CAUSES if gradient else [])]:
        if question(got, expected):
            return cause
    if got.shape != expected.shape:
        return None
    return constant_factor(got, expected, gradient)


def pairs(known: Known | None) -> list[tuple]:
    """The wrong values that a test knows, each with its cause."""
    return list(known.items()) if isinstance(known, Mapping) else list(known or ())


def same(got: np.ndarray, wanted: np.ndarray) -> bool:
    """True if two arrays are alike in shape and in their first digits."""
    return got.shape == wanted.shape and bool(
        np.allclose(got, wanted, rtol=CLOSE, atol=1e-9, equal_nan=True)
    )


def constant_factor(got: np.ndarray, expected: np.ndarray, gradient: bool) -> str | None:
    """The cause, if every number is off by the same well-known factor."""
    if not expected.any():
        return None
    n = expected.size
    known = [
        (2.0, "twice the right value: something is counted twice, or a 1/2 is missing"),
        (0.5, "half the right value: one of two contributions is missing, or a factor of 2"),
        (float(n), f"{n} times the right value: summed where a mean was meant"),
        (1 / n, f"1/{n} of the right value: divided by the number of elements once too often"),
    ]
    if not gradient:  # a count that is off by 1 may be half of what is right, by chance
        known = [(2.0, "exactly twice the right value"), (0.5, "exactly half the right value")]
        known = known if n > 1 else []
    for factor, cause in known:
        if factor != 1 and same(got, factor * expected):
            return cause
    return None


def _is_transposed(got: np.ndarray, expected: np.ndarray) -> bool:
    return got.ndim >= 2 and got.shape == expected.shape[::-1] and same(got.T, expected)


def _lacks_a_sum(got: np.ndarray, expected: np.ndarray) -> bool:
    if got.ndim < expected.ndim:
        return False
    added = got.ndim - expected.ndim
    shape = (1,) * added + expected.shape
    axes = tuple(i for i, n in enumerate(shape) if (n == 1 and got.shape[i] != 1) or i < added)
    return bool(axes) and same(got.sum(axis=axes).reshape(-1), expected.reshape(-1))


def _differs_in_ones(got: np.ndarray, expected: np.ndarray) -> bool:
    return same(got.squeeze(), expected.squeeze())


def _not_copied(got: np.ndarray, expected: np.ndarray) -> bool:
    fits = got.ndim <= expected.ndim and all(
        n in (1, m) for n, m in zip(got.shape[::-1], expected.shape[::-1])
    )
    return fits and same(np.broadcast_to(got, expected.shape), expected)


def _is_broadcast(shape: tuple[int, ...], of: tuple[int, ...]) -> bool:
    """True for a larger shape that broadcasting makes of the other."""
    fits = len(of) <= len(shape) and all(m in (1, n) for n, m in zip(shape[::-1], of[::-1]))
    return fits and shape != of


def _moved(got: np.ndarray, expected: np.ndarray) -> bool:
    if got.size != expected.size or same(got, expected):  # off by less than CLOSE is not moved
        return False
    return got.size > 1 and same(np.sort(got, None), np.sort(expected, None))


SHAPE_CAUSES: Sequence[tuple[Question, str]] = [
    (_is_transposed, "transposed: the numbers are right, rows and columns are exchanged"),
    (
        _differs_in_ones,
        "the numbers are right, axes of size 1 are not: keepdims keeps them, a reshape moves them",
    ),
    (
        _lacks_a_sum,
        "a sum over the axes that differ is missing",
    ),
    (_not_copied, "the right numbers, not copied along the axes: np.broadcast_to does that"),
    (_moved, "the right numbers in another shape"),
]

VALUE_CAUSES: Sequence[tuple[Question, str]] = [
    (_is_transposed, "transposed: the numbers are right, rows and columns are exchanged"),
    (
        lambda got, expected: bool(np.isnan(got).any() and not np.isnan(expected).any()),
        "NaN appeared: infinity minus infinity, 0 times infinity, or a square root or logarithm"
        " of a negative number",
    ),
    (
        lambda got, expected: bool(np.isinf(got).any() and not np.isinf(expected).any()),
        "infinity appeared: a division by 0 or an overflow",
    ),
    (
        lambda got, expected: bool(expected.any()) and same(got, -expected),
        "the sign is flipped: the size is right",
    ),
    (_moved, "the right numbers in the wrong places"),
]

GRADIENT_CAUSES: Sequence[tuple[Question, str]] = [
    (
        lambda got, expected: _is_broadcast(got.shape, expected.shape),
        "a gradient has the shape of its input: somewhere what broadcasting copied is not summed",
    ),
    (
        lambda got, expected: bool(expected.any() and not got.any()),
        "all zeros: nothing arrived here; is this input a parent of the result?",
    ),
]
