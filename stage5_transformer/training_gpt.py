"""Training a GPT on the words of the dictionary: `train words`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from stage2_tensor import no_grad
from stage3_nn import DataLoader, Module
from stage5_transformer.gpt import GPT
from stage5_transformer.presets import WORDS
from stage5_transformer.tasks import pronounce
from stage5_transformer.training import loss, trainer_for
from stage5_transformer.transformer import Config
from stage5_transformer.vocabulary import Vocabulary, shifted
from stage5_transformer.writer import LONGEST, Writer


def word_batches(
    words: Iterable[str], vocabulary: Vocabulary, batch_size: int, rng: np.random.Generator
) -> DataLoader:
    """The words, those of equal length together."""
    rows = [vocabulary.encode(word) for word in words]
    return DataLoader(rows, batch_size, shuffle=True, collate=shifted, length=len, rng=rng)


def train_gpt(
    preset: str,
    folder: Path,
    minutes: float | None = None,
    resume: bool = False,
    seed: int | None = None,
    show: bool = True,
) -> str:
    """Train in a run folder; the model is `model.safetensors`. Returns why it ended."""
    chosen, data, folder = WORDS[preset].seeded(seed), pronounce.load(), Path(folder)
    words, others = (["".join(e.source)[:LONGEST] for e in part] for part in (data.train, data.dev))
    vocabulary, rng = Vocabulary.of(words), np.random.default_rng(chosen.seed)
    config = Config(0, len(vocabulary), max_positions=LONGEST + 1, **chosen.model)
    writer = Writer(GPT(config, rng), vocabulary)
    judged = list(word_batches(others, vocabulary, 256, np.random.default_rng(0)))

    def evaluate(model: Module) -> dict[str, float]:
        with no_grad():
            pairs = [loss(model, batch) for batch in judged]
        return {"loss": sum(m.item() * n for m, n in pairs) / sum(n for _, n in pairs)}

    settings = {"task": "words", "preset": preset, "seed": chosen.seed}
    loader = word_batches(words, vocabulary, chosen.batch_size, rng)
    trainer = trainer_for(chosen, writer.model, loss, loader, evaluate, folder, settings, show)
    ended = trainer.fit(steps=chosen.steps, minutes=minutes, resume=resume)
    writer.save(folder / "model.safetensors")
    return ended
