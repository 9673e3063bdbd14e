"""A task: pairs to learn from, examples to be judged by, and three sizes of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from stage5_transformer.presets import Preset
from stage5_transformer.vocabulary import Vocabulary

Symbols = tuple[str, ...]


@dataclass(frozen=True)
class Example:
    """A source, and every target that is right."""

    source: Symbols
    targets: tuple[Symbols, ...]


@dataclass(frozen=True)
class Data:
    """The examples of a task; no source of one part stands in another."""

    train: list[Example]
    dev: list[Example]  # to choose by
    test: list[Example]  # to be judged by, once

    def vocabularies(self) -> tuple[Vocabulary, Vocabulary]:
        """The symbols of the sources and of the targets of all parts."""
        examples = [*self.train, *self.dev, *self.test]
        sources = Vocabulary.of(e.source for e in examples)
        return sources, Vocabulary.of(t for e in examples for t in e.targets)


@dataclass(frozen=True)
class Task:
    """A name, what loads the data, and the presets."""

    name: str
    load: Callable[[], Data]
    presets: dict[str, Preset]
    max_len: int  # of an answer
    joint: str = ""  # between the symbols of an answer, when it is printed


def bucket(text: str) -> int:
    """A number from 0 to 99 that belongs to the text: a split that needs no list."""
    return int(sha256(text.encode()).hexdigest(), 16) % 100


def split(examples: Sequence[Example]) -> Data:
    """Buckets 0 to 9 for the test, 10 and 11 to choose by, the others to learn from."""
    parts: tuple[list[Example], ...] = ([], [], [])
    for example in examples:
        b = bucket("".join(example.source))
        parts[0 if b < 10 else 1 if b < 12 else 2].append(example)
    test, dev, train = parts
    return Data(train, dev, test)
