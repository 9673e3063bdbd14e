"""Several models that answer as one: in every step their probabilities are averaged.

They make different mistakes, so the mean is right more often than each of them. A run with cycles
gives them for nothing: it keeps the model at the end of every cycle.

Source:    Huang et al. (2017), Snapshot Ensembles: Train 1, Get M for Free, section 3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stage5_transformer.decoding import State, log_probabilities
from stage5_transformer.translator import Translator

Array = np.ndarray


class Ensemble(Translator):
    """Translators with the same vocabularies; what looks into a model looks into the first.

    Raises:    ValueError: if there is none, or their vocabularies differ.
    """

    def __init__(self, translators: Sequence[Translator]) -> None:
        if not translators:
            raise ValueError("Ensemble: expected at least one model, got none")
        first, *others = translators
        for other in others:
            if (other.source, other.target) != (first.source, first.target):
                raise ValueError(
                    "Ensemble: expected models with the same vocabularies, got different ones"
                )
        super().__init__(first.model, first.source, first.target, first.max_len, first.task)
        self.translators = translators

    def start(self, source: Array) -> EnsembleState:
        """A state for decoding, in which every model has read the source."""
        return EnsembleState([translator.start(source) for translator in self.translators])

    def save(self, path: Path) -> None:
        """Raise ValueError: a file holds one model."""
        raise ValueError(
            f"save: expected one model for {path}, got the {len(self.translators)} of an Ensemble; "
            "save each of its translators"
        )


class EnsembleState:
    """The states of several models in the same sequence."""

    def __init__(self, states: Sequence[State]) -> None:
        self.states = states

    def next(self, ids: Array) -> Array:
        """The logarithm of the mean of the models' probabilities. Shapes: (B,) -> (B, V)"""
        logp = np.stack([log_probabilities(state.next(ids)) for state in self.states])  # (M, B, V)
        return np.logaddexp.reduce(logp, axis=0) - math.log(len(self.states))

    def select(self, rows: Array) -> None:
        """Keep the samples `rows`, in this order; one may come several times."""
        for state in self.states:
            state.select(rows)


def load_together(paths: Sequence[Path], task: str) -> Translator:
    """The model of the file, or of several files the Ensemble.

    Raises:    FileNotFoundError: if one is missing. ValueError: if one is of another kind, or was
               trained for another task.
    """
    translators = [Translator.load(path) for path in paths]
    for path, translator in zip(paths, translators):
        if translator.task not in ("", task):
            raise ValueError(f"load: expected a model of {task}, got {path} of {translator.task}")
    return translators[0] if len(translators) == 1 else Ensemble(translators)
