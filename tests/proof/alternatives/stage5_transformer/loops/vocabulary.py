"""A vocabulary that counts by itself."""

import json
from pathlib import Path

import numpy as np

PAD, BOS, EOS, UNK = 0, 1, 2, 3
SPECIALS = ("<pad>", "<bos>", "<eos>", "<unk>")


class Vocabulary:
    def __init__(self, symbols):
        self.symbols = list(SPECIALS)
        for symbol in symbols:
            if symbol in self.symbols:
                raise ValueError(symbol)
            self.symbols.append(symbol)

    @classmethod
    def of(cls, sequences):
        found = set()
        for sequence in sequences:
            found.update(sequence)
        return cls(sorted(found))

    def __len__(self):
        return len(self.symbols)

    def encode(self, sequence):
        return np.array(
            [self.symbols.index(s) if s in self.symbols else UNK for s in sequence], dtype=int
        ).tolist()

    def decode(self, ids):
        ids = [int(i) for i in ids]
        if EOS in ids:
            ids = ids[: ids.index(EOS)]
        if min(ids, default=0) < 0:
            raise IndexError("decode: an id is at least 0")
        return [self.symbols[i] for i in ids if i > EOS]

    def to_json(self):
        return json.dumps(self.symbols[4:])

    @classmethod
    def from_json(cls, text):
        return cls(json.loads(text))

    def save(self, path):
        Path(path).write_text(self.to_json())

    @classmethod
    def load(cls, path):
        return cls.from_json(Path(path).read_text())


def pad(rows):
    if not len(rows):
        return np.zeros((0, 0), dtype=int)
    if any(int(i) != i for row in rows for i in row):
        raise ValueError("pad: expected whole numbers")
    longest = max(len(row) for row in rows)
    return np.array([list(row) + [PAD] * (longest - len(row)) for row in rows], dtype=int).reshape(
        len(rows), longest
    )


def shifted(rows):
    whole = [[BOS, *row, EOS] for row in rows]
    return pad([row[:-1] for row in whole]), pad([row[1:] for row in whole])
