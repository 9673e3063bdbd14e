"""A trained Transformer in use: symbols in, symbols out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stage3_nn import check_sizes
from stage5_transformer.decoding import State, beam_search, greedy
from stage5_transformer.file_checks import check_vocabulary, read_max_len
from stage5_transformer.model_file import load_model, save_model
from stage5_transformer.scoring import Scores, score
from stage5_transformer.tasks import Example
from stage5_transformer.transformer import Transformer
from stage5_transformer.vocabulary import PAD, Vocabulary, pad

Array = np.ndarray


@dataclass
class Translator:
    """A model with its two vocabularies."""

    model: Transformer
    source: Vocabulary
    target: Vocabulary
    max_len: int  # of an answer
    task: str = ""  # the one that the model was trained for

    def answer(
        self, sources: Sequence[Sequence[str]], width: int = 1, batch_size: int = 256
    ) -> list[list[str]]:
        """The answer to every source: greedy, or the best of a beam of this width.

        Raises:    ValueError: if width or batch_size is below 1.
        """
        check_sizes("answer", 1, width=width, batch_size=batch_size)
        answers: list[list[str]] = [[] for _ in sources]
        order = sorted(range(len(sources)), key=lambda i: len(sources[i]))  # little padding
        for start in range(0, len(order), batch_size):
            batch = order[start : start + batch_size]
            ids = pad([self.source.encode(sources[i]) or [PAD] for i in batch])
            state = self.start(ids)
            if width == 1:
                said = greedy(state, len(batch), self.max_len)
            else:
                beams = beam_search(state, len(batch), self.max_len, width)
                said = [list(hypotheses[0].ids) for hypotheses in beams]
            for i, row in zip(batch, said):
                answers[i] = self.target.decode(row)
        return answers

    def start(self, source: Array) -> State:
        """A state for decoding, in which the source has been read. Shapes: (B, S)"""
        return self.model.start(source)

    def scores(self, examples: Sequence[Example], width: int = 1) -> Scores:
        """The error rates of its answers to the examples."""
        return score(self.answer([e.source for e in examples], width), examples)

    def save(self, path: Path) -> None:
        """Write the model and its vocabularies to one file, in float16."""
        words = {"source": self.source.to_json(), "target": self.target.to_json()}
        words |= {"max_len": str(self.max_len), "task": self.task}
        save_model(path, self.model, words, np.float16)

    @classmethod
    def load(cls, path: Path) -> Translator:
        """The Translator of a file that `save` wrote.

        Raises:    FileNotFoundError: if there is none. ValueError: if it is damaged, or of
                   another kind.
        """
        readers: dict = {"source": Vocabulary.from_json, "target": Vocabulary.from_json}
        readers |= {"max_len": read_max_len, "task": str}
        model, words = load_model(path, Transformer, "train TASK", **readers)
        check_vocabulary(path, "source", words["source"], model.config.source_size)
        check_vocabulary(path, "target", words["target"], model.config.target_size)
        return cls(model, **words)
