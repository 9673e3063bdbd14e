"""A GPT that invents words: it has read the words of the dictionary, and goes on writing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from stage2_tensor import no_grad
from stage3_nn import DataLoader, Module, load, save
from stage5_transformer.decoding import sample
from stage5_transformer.gpt import GPT
from stage5_transformer.inputs import reading_model
from stage5_transformer.tasks import pronounce
from stage5_transformer.tasks.task import Preset
from stage5_transformer.training import loss, trainer_for
from stage5_transformer.transformer import Config
from stage5_transformer.vocabulary import BOS, Vocabulary, shifted

Array = np.ndarray
LONGEST = 30

SMALL = {"d_model": 64, "d_ff": 256, "decoder_layers": 2, "positions": "learned"}
PRESETS = {
    "small": Preset(1500, 128, 3e-3, SMALL, warmup=100),
    "standard": Preset(6000, 128, 2e-3, SMALL | {"d_model": 128, "d_ff": 512}, evaluate_every=1000),
    "full": Preset(
        20_000, 128, 1e-3, SMALL | {"d_model": 192, "d_ff": 768, "decoder_layers": 4},
        evaluate_every=2000,
    ),
}  # fmt: skip


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
        if n < 1:
            raise ValueError(f"write: expected at least one word to write, got {n}; ask for more")
        if set(beginning) - set(self.vocabulary.symbols) or len(beginning) >= LONGEST:
            raise ValueError(
                f"write: expected a beginning of less than {LONGEST} small letters, got "
                f"{beginning!r}; leave it out, or shorten it"
            )
        ids = [BOS, *self.vocabulary.encode(beginning)]
        prompt = np.array([ids] * n)
        state = self.model.start(prompt)
        room = LONGEST - len(beginning)
        rows = sample(state, n, room, temperature, top_k, top_p, start=ids[-1], rng=rng)
        return [beginning + "".join(self.vocabulary.decode(row)) for row in rows]

    def save(self, path: Path) -> None:
        """Write weights, sizes and vocabulary to one file."""
        metadata = {
            "config": json.dumps(asdict(self.model.config)),
            "vocabulary": self.vocabulary.to_json(),
        }
        save(path, self.model.state_dict(), metadata)

    @classmethod
    def load(cls, path: Path) -> Writer:
        """The model of a file that `save` wrote.

        Raises:    FileNotFoundError: if there is none. ValueError: if it is of another kind.
        """
        state, metadata = load(path)
        with reading_model("Writer", path, "train words"):
            config = Config(**json.loads(metadata["config"]))
            vocabulary = Vocabulary.from_json(metadata["vocabulary"])
        model = GPT(config)
        model.load_state_dict(state)
        return cls(model, vocabulary)


def batches(
    words: Iterable[str], vocabulary: Vocabulary, batch_size: int, rng: np.random.Generator
) -> DataLoader:
    """The words, those of equal length together."""
    rows = [vocabulary.encode(word) for word in words]
    return DataLoader(rows, batch_size, shuffle=True, collate=shifted, length=len, rng=rng)


def train(
    preset: str,
    folder: Path,
    minutes: float | None = None,
    resume: bool = False,
    seed: int | None = None,
    show: bool = True,
) -> str:
    """Train in a run folder; the model is `model.safetensors`. Returns why it ended."""
    chosen, data, folder = PRESETS[preset].seeded(seed), pronounce.load(), Path(folder)
    words, others = (["".join(e.source)[:LONGEST] for e in part] for part in (data.train, data.dev))
    vocabulary, rng = Vocabulary.of(words), np.random.default_rng(chosen.seed)
    config = Config(0, len(vocabulary), max_len=LONGEST + 1, **chosen.model)
    writer = Writer(GPT(config, rng), vocabulary)
    judged = list(batches(others, vocabulary, 256, np.random.default_rng(0)))

    def evaluate(model: Module) -> dict[str, float]:
        with no_grad():
            pairs = [loss(model, batch) for batch in judged]
        return {"loss": sum(m.item() * n for m, n in pairs) / sum(n for _, n in pairs)}

    settings = {"task": "words", "preset": preset, "seed": chosen.seed}
    loader = batches(words, vocabulary, chosen.batch_size, rng)
    trainer = trainer_for(chosen, writer.model, loss, loader, evaluate, folder, settings, show)
    ended = trainer.fit(steps=chosen.steps, minutes=minutes, resume=resume)
    writer.save(folder / "model.safetensors")
    return ended
