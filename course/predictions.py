"""The questions that notebooks ask before a cell is run: answers, and why others are wrong.

They stand beside each notebook, in `notebooks/stage1_autodiff.toml` for instance, so that a reader
who is about to guess does not see them in the cell.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from numbers import Real
from typing import TypeAlias

from course import ROOT, files

Answer: TypeAlias = float | str


@dataclass(frozen=True)
class Prediction:
    """The answer to one question, and the wrong guesses that are easily made."""

    answer: Answer
    why: tuple[tuple[Answer, str], ...] = ()  # a wrong guess, and what is wrong with it


def find(name: str) -> Prediction | None:
    """The prediction of this name, `1.6 twice` for instance: the stage's number comes first.

    None if the course has none, or has it no longer.
    """
    for path in ROOT.glob(f"notebooks/stage{name[:1]}_*.toml"):
        return read(files.read(path)).get(name)
    return None


def read(text: str) -> dict[str, Prediction]:
    """The predictions of one file, by name."""
    return {
        name: Prediction(row["answer"], tuple((guess, said) for guess, said in row["why"]))
        for name, row in tomllib.loads(text).items()
    }


def show(answer: Answer) -> str:
    """An answer as it is told: a number with six digits at most."""
    return f"{answer:.6g}" if isinstance(answer, Real) else str(answer)
