"""A trained GPT in use: it has read the words of the dictionary, and invents others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stage5_transformer.decoding import sample
from stage5_transformer.decoding_inputs import check_beginning
from stage5_transformer.file_checks import check_vocabulary
from stage5_transformer.gpt import GPT
from stage5_transformer.model_file import load_model, save_model
from stage5_transformer.vocabulary import BOS, Vocabulary

LONGEST = 30  # letters of a word


@dataclass
class Writer:
    """A GPT with its vocabulary."""

    model: GPT
    vocabulary: Vocabulary

    def write(
        self,
        n: int,
        beginning: str = "",
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float = 1.0,
        rng: np.random.Generator | None = None,
    ) -> list[str]:
        """n words that begin like this.

        Raises:    ValueError: if n is below 1, or the beginning is too long or not of letters.
        """
        check_beginning(n, beginning, LONGEST, self.vocabulary)
        ids = [BOS, *self.vocabulary.encode(beginning)]
        prompt = np.array([ids] * n)
        state = self.model.start(prompt)
        room = LONGEST - len(beginning)
        rows = sample(state, n, room, temperature, top_k, top_p, start=ids[-1], rng=rng)
        return [beginning + "".join(self.vocabulary.decode(row)) for row in rows]

    def save(self, path: Path) -> None:
        """Write the model and its vocabulary to one file."""
        save_model(path, self.model, {"vocabulary": self.vocabulary.to_json()})

    @classmethod
    def load(cls, path: Path) -> Writer:
        """The Writer of a file that `save` wrote.

        Raises:    FileNotFoundError: if there is none. ValueError: if it is damaged, or of
                   another kind.
        """
        model, words = load_model(path, GPT, "train words", vocabulary=Vocabulary.from_json)
        check_vocabulary(path, "target", words["vocabulary"], model.config.target_size)
        return cls(model, **words)
