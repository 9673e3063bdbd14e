"""Symbols and their numbers, and rows of numbers of different length in one array."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from stage3_nn import check_list, check_path, write_atomically
from stage5_transformer.inputs import (
    check_id,
    check_rows,
    check_symbols,
    read_different,
    read_strings,
    read_symbols,
)

Array = np.ndarray

PAD, BOS, EOS, UNK = range(4)  # fills up, begins, ends, stands for what is not known
SPECIALS = ("<pad>", "<bos>", "<eos>", "<unk>")


class Vocabulary:
    """The symbols of a language, in a fixed order; the first four are the special ones.

    Raises:    ValueError: if a symbol comes twice.
    """

    def __init__(self, symbols: Iterable[str]) -> None:
        self.symbols = (*SPECIALS, *read_symbols("Vocabulary", symbols))
        check_symbols(self.symbols)
        self.ids = {symbol: i for i, symbol in enumerate(self.symbols)}

    @classmethod
    def of(cls, sequences: Iterable[Iterable[str]]) -> Vocabulary:
        """The vocabulary of all symbols that occur, in sorted order."""
        return cls(read_different("Vocabulary", sequences))

    def __len__(self) -> int:
        return len(self.symbols)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.symbols == other.symbols

    def encode(self, sequence: Iterable[str]) -> list[int]:
        """The number of every symbol; UNK for one that is not known."""
        return [self.ids.get(symbol, UNK) for symbol in read_symbols("encode", sequence)]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The symbols up to the first EOS, without BOS and PAD.

        Raises:    IndexError: if an id is not in the vocabulary.
        """
        check_list("decode", ids)
        found = []
        for i in ids:
            check_id(i, len(self))
            if i == EOS:
                break
            if i not in (PAD, BOS):
                found.append(self.symbols[i])
        return found

    def save(self, path: str | Path) -> None:
        """Write the symbols as JSON."""
        check_path("Vocabulary", path)
        write_atomically(Path(path), self.to_json().encode())

    def to_json(self) -> str:
        """The symbols, without the special ones, as JSON."""
        return json.dumps(self.symbols[len(SPECIALS) :], ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Vocabulary:
        """The vocabulary that `to_json` wrote.

        Raises:    ValueError: if the text is no JSON list of strings.
        """
        return cls(read_strings(text))

    @classmethod
    def load(cls, path: str | Path) -> Vocabulary:
        """The vocabulary of a file that `save` wrote."""
        check_path("Vocabulary", path)
        return cls.from_json(Path(path).read_text(encoding="utf-8"))


def pad(rows: Sequence[Sequence[int]]) -> Array:
    """The rows as one array, filled up with PAD to the length of the longest.

    Shapes:    B rows of at most T ids -> (B, T)
    Raises:    TypeError: if an id is no integer.
    """
    check_rows("pad", rows)
    longest = max(map(len, rows), default=0)
    array = np.full((len(rows), longest), PAD, dtype=np.int64)
    for i, row in enumerate(rows):
        array[i, : len(row)] = row
    return array


def shifted(rows: Sequence[Sequence[int]]) -> tuple[Array, Array]:
    """The input of the decoder, BOS and the row, and its target, the row and EOS.

    At every place it sees what comes before, and says what comes next.

    Shapes:    B rows of at most T ids -> (B, T + 1), (B, T + 1)
    """
    check_rows("shifted", rows)
    return pad([[BOS, *row] for row in rows]), pad([[*row, EOS] for row in rows])
