"""Checks at the door of decoding, before anything is computed."""

from __future__ import annotations

import math
import sys
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stage3_nn import check_items, check_real, check_sizes

if TYPE_CHECKING:
    from stage5_transformer.vocabulary import Vocabulary


def check_state(op: str, state: object) -> None:
    """Refuse what gives no next symbols: `check_state("greedy", state)`.

    Raises:    TypeError: if it lacks `next` or `select`.
    """
    if not hasattr(state, "next") or not hasattr(state, "select"):
        raise TypeError(f"{op}: expected a state with next and select, got {state!r}")


def check_whole(op: str, **numbers: int | None) -> None:
    """Refuse what is no whole number; None stands for an option that was left out.

    Raises:    TypeError: if there is one, NaN and infinity among them.
    """
    for name, number in numbers.items():
        if number is not None and not isinstance(number, int | np.integer):
            raise TypeError(f"{op}: expected {name} to be a whole number, got {number!r}")


def check_sampling(temperature: float, top_k: int | None, top_p: float) -> None:
    """Refuse what no symbol can be drawn by.

    Raises:    ValueError: if temperature is negative, top_k below 1, or top_p not above 0.
               TypeError: if one is no number, or top_k no whole one.
    """
    check_real("sample", temperature=temperature, top_p=top_p)
    check_whole("sample", top_k=top_k)
    if not 0 <= temperature < np.inf or (top_k is not None and top_k < 1) or not 0 < top_p <= 1:
        raise ValueError(
            "sample: expected temperature >= 0, top_k >= 1 and 0 < top_p <= 1, got "
            f"{temperature}, {top_k} and {top_p}"
        )


def check_beam(width: int, max_len: int, alpha: float) -> None:
    """Refuse a beam that has no hypotheses, or a penalty that rewards length or is infinite.

    Raises:    ValueError: if width or max_len is below 1, or alpha is negative. TypeError: if
               alpha is no number, or another no whole one.
    """
    check_real("beam_search", alpha=alpha)
    check_whole("beam_search", width=width, max_len=max_len)
    if width < 1 or max_len < 1 or not 0 <= alpha < np.inf:
        raise ValueError(
            "beam_search: expected width and max_len of at least 1 and alpha >= 0, got "
            f"{width}, {max_len} and {alpha}"
        )
    check_sizes("beam_search", max_len=max_len)
    if alpha * math.log((6 + max_len) / 6) > math.log(sys.float_info.max):
        raise ValueError(f"beam_search: expected alpha near 1, got {alpha}; 0 is no penalty")


def check_beginning(n: int, beginning: str, longest: int, vocabulary: Vocabulary) -> None:
    """Refuse to write no word, or one whose beginning is too long or not of letters.

    Raises:    ValueError: if that is asked for.
    """
    if n < 1:
        raise ValueError(f"write: expected at least one word to write, got {n}")
    if set(beginning) - set(vocabulary.symbols) or len(beginning) >= longest:
        raise ValueError(
            f"write: expected a beginning of less than {longest} small letters, got {beginning!r}"
        )


def check_compared(op: str, **sequences: Any) -> None:
    """Refuse what is no sequence of symbols: `check_compared("edit_distance", a=a, b=b)`.

    Raises:    TypeError: if it has no length and no items, or an item that `==` cannot compare.
    """
    for name, symbols in sequences.items():
        listed = isinstance(symbols, Sequence | np.ndarray)
        shapeless = getattr(symbols, "shape", None) == ()
        if not listed or shapeless or not all(isinstance(symbol, Hashable) for symbol in symbols):
            raise TypeError(f"{op}: expected {name} as a sequence of symbols, got {symbols!r}")


def check_examples(answers: Any, examples: Any) -> None:
    """Refuse what cannot be scored.

    Raises:    TypeError: if these are no lists, or an example has no targets.
    """
    check_items("score", answers=answers, examples=examples)
    for example in examples:
        targets = getattr(example, "targets", None)
        if not isinstance(targets, Sequence) or not targets:
            raise TypeError(f"score: expected examples with one target or more, got {example!r}")


def check_answers(answers: int, examples: int) -> None:
    """Refuse to score more or fewer answers than there are examples.

    Raises:    ValueError: if the numbers differ.
    """
    if answers != examples:
        raise ValueError(
            f"score: expected an answer for each of {examples} examples, got {answers}"
        )
