"""Checks at the door of models and their decoding, before anything is computed."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from stage2_tensor import Tensor
from stage3_nn import check_list, check_sizes, check_tensor

if TYPE_CHECKING:
    pass

Array = np.ndarray


def check_choice(op: str, choices: tuple[str, ...], **chosen: str) -> None:
    """Refuse what is none of the choices: `check_choice("Config", POSITIONS, positions=name)`.

    Raises:    ValueError: if it is another.
    """
    for name, choice in chosen.items():
        if not isinstance(choice, str) or choice not in choices:
            raise ValueError(f"{op}: expected {name} {' or '.join(choices)}, got {choice!r}")


# Sequences.


def check_symbols(symbols: tuple[str, ...]) -> None:
    """Refuse the symbols of a vocabulary if one comes twice, the special ones among them.

    Raises:    ValueError: if one does.
    """
    if len(set(symbols)) < len(symbols):
        twice = next(s for i, s in enumerate(symbols) if s in symbols[:i])
        raise ValueError(f"Vocabulary: expected different symbols, got {twice!r} twice")


def read_symbols(op: str, sequence: Iterable[str]) -> list[str]:
    """The symbols of a sequence as a list.

    Raises:    TypeError: if it is no sequence, or a symbol cannot be looked up.
    """
    check_list(op, sequence)
    symbols = list(sequence)
    for symbol in symbols:
        if not isinstance(symbol, Hashable):
            raise TypeError(f"{op}: expected symbols such as strings, got {symbol!r}")
    return symbols


def read_different(op: str, sequences: Iterable[Iterable[str]]) -> list[str]:
    """All symbols that occur, each once, in sorted order.

    Raises:    TypeError: if these are no sequences of symbols, or there is no order of them.
    """
    check_list(op, sequences)
    symbols = {symbol for sequence in sequences for symbol in read_symbols(op, sequence)}
    try:
        return sorted(symbols)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{op}: expected symbols of one kind, got several; {error}") from None


def read_strings(text: str) -> list[str]:
    """The strings of a JSON list.

    Raises:    ValueError: if the text is something else.
    """
    try:
        symbols = json.loads(text)
    except (json.JSONDecodeError, RecursionError, TypeError):
        symbols = None
    if not isinstance(symbols, list) or not all(isinstance(s, str) for s in symbols):
        raise ValueError(
            f"Vocabulary: expected a JSON list of strings, got {str(text)[:60]}; `save` writes one"
        )
    return symbols


def check_config(op: str, config: object) -> None:
    """Refuse what holds no sizes of a model.

    Raises:    TypeError: if it is no Config.
    """
    if not hasattr(config, "target_size"):
        raise TypeError(f"{op}: expected a Config, got {config!r}")


def check_id(i: int, n: int) -> None:
    """Refuse an id that is not among n symbols.

    Raises:    IndexError: if it is not. TypeError: if it is no whole number.
    """
    if not isinstance(i, int | np.integer):
        raise TypeError(f"decode: expected ids that are whole numbers, got {i!r}")
    if not 0 <= i < n:
        raise IndexError(f"decode: expected ids in range({n}), got {i}")


def check_rows(op: str, rows: Sequence[Sequence[int]]) -> None:
    """Refuse rows of anything but ids: an array of integers would cut 1.5 down to 1.

    Raises:    TypeError: if there is something else.
    """
    if not isinstance(rows, Sequence | np.ndarray) or getattr(rows, "shape", None) == ():
        raise TypeError(f"{op}: expected a list of rows, got {rows!r}")
    for row in rows:
        array = np.asarray(row if isinstance(row, Sequence | np.ndarray) else None)
        if array.ndim != 1 or (len(row) and array.dtype.kind not in "iu"):
            raise TypeError(f"{op}: expected rows of integer ids, got {row!r}")


def check_ids(op: str, ids: Array) -> None:
    """Refuse what is not a batch of ids.

    Raises:    TypeError: if ids is no array of integers. ValueError: if it has not two axes.
    """
    if not isinstance(ids, np.ndarray) or ids.dtype.kind not in "iu":
        got = f"{ids.dtype} {ids.shape}" if isinstance(ids, np.ndarray) else type(ids).__name__
        raise TypeError(f"{op}: expected an array of integer ids, got {got}; pad(rows) makes one")
    if ids.ndim != 2:
        raise ValueError(
            f"{op}: expected ids (B, T), got {ids.shape}; one sample is a batch of one, ids[None]"
        )


def check_same_batch(op: str, other: Array | Tensor, B: int) -> None:
    """Refuse another number of samples: a batch of one would be used for all.

    Raises:    ValueError: if there are not B samples.
    """
    if len(other) != B:
        raise ValueError(f"{op}: expected {B} samples on both sides, got {len(other)}")


def check_vectors(op: str, x: Tensor, memory: Tensor | None = None) -> None:
    """Refuse what is not a batch of sequences of vectors, and a memory of other samples.

    Raises:    ValueError: if x or memory has not three axes, or they differ in the first.
               TypeError: if one is no Tensor.
    """
    for name, given in (("x", x), ("memory", memory)):
        if given is not None or name == "x":
            check_tensor(op, given)
        if given is not None and len(given.shape) != 3:
            raise ValueError(
                f"{op}: expected {name} (B, T, d_model), got {given.shape}; one sample is a batch "
                f"of one, {name}[None]"
            )
    if memory is not None:
        check_same_batch(op, memory, len(x))


# Parts of a model.


def check_axes(op: str, **tensors: Tensor) -> None:
    """Refuse what is no sequence of vectors.

    Raises:    ValueError: if it has less than two axes.
    """
    for name, x in tensors.items():
        if x.ndim < 2:
            raise ValueError(f"{op}: expected {name} of shape (..., T, D), got {x.shape}")


def check_keys(T: int, S: int) -> None:
    """Refuse a causal mask with fewer keys than queries.

    Raises:    ValueError: if S is below T.
    """
    if S < T:
        raise ValueError(
            f"causal_mask: expected at least as many keys as queries, got T = {T} and S = {S}; "
            "S counts all keys, also those of the new symbols"
        )


def check_heads(embed_dim: int, num_heads: int) -> None:
    """Refuse heads that cannot share the columns equally.

    Raises:    ValueError: if num_heads does not divide embed_dim.
    """
    check_sizes("MultiHeadAttention", 1, embed_dim=embed_dim, num_heads=num_heads)
    if embed_dim % num_heads:
        raise ValueError(
            "MultiHeadAttention: expected an embed_dim that num_heads divides, got "
            f"{embed_dim} and {num_heads}"
        )


def check_positions(end: int, longest: int) -> None:
    """Refuse a sequence that is longer than the table of learned positions.

    Raises:    ValueError: if it ends behind the last position.
    """
    if end > longest:
        raise ValueError(
            f"LearnedPositions: expected at most {longest} positions, got {end}; "
            "make the model with more max_positions, or cut the sequence"
        )


def check_pairs(x: Tensor) -> None:
    """Refuse vectors whose columns cannot turn in pairs.

    Raises:    ValueError: if x is not (..., T, D) with an even D. TypeError: if it is no Tensor.
    """
    check_tensor("rotate", x)
    if len(x.shape) < 2 or x.shape[-1] % 2:
        raise ValueError(
            "rotate: expected x of shape (..., T, D) with an even number D of columns, got "
            f"{x.shape}"
        )
