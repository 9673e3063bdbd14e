"""A task, a preset and a folder: from nothing to a trained model, and on after any interruption."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from stage2_tensor import Tensor
from stage3_nn import DataLoader, Module, cross_entropy, load, save
from stage4_optim import AdamW, LossFunction, Trainer, schedules
from stage5_transformer.decoding import State, beam_search, greedy
from stage5_transformer.inputs import reading_model
from stage5_transformer.scoring import Scores, score
from stage5_transformer.tasks import TASKS, Data, Example, Preset, Task
from stage5_transformer.transformer import Config, Transformer
from stage5_transformer.vocabulary import PAD, Vocabulary, pad, shifted

Array = np.ndarray
Batch = tuple[Array, Array, Array]  # source, what the decoder reads, what it has to say


@dataclass
class Translator:
    """A model with its two vocabularies: symbols in, symbols out."""

    model: Transformer
    source: Vocabulary
    target: Vocabulary
    max_len: int
    task: str = ""  # what it was trained for

    def answer(
        self, sources: Sequence[Sequence[str]], width: int = 1, batch_size: int = 256
    ) -> list[list[str]]:
        """The answer to every source: greedy, or the best of a beam of this width.

        Raises:    ValueError: if width or batch_size is below 1.
        """
        if width < 1 or batch_size < 1:
            raise ValueError(
                f"answer: expected width and batch_size of at least 1, got {width} and "
                f"{batch_size}; a width of 1 is greedy"
            )
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
        """How well it answers the examples."""
        return score(self.answer([e.source for e in examples], width), examples)

    def save(self, path: Path) -> None:
        """Write weights, sizes and vocabularies to one file; half as exact, half as large."""
        metadata = {
            "task": self.task,
            "config": json.dumps(asdict(self.model.config)),
            "source": self.source.to_json(),
            "target": self.target.to_json(),
            "max_len": str(self.max_len),
        }
        state = {name: a.astype(np.float16) for name, a in self.model.state_dict().items()}
        save(path, state, metadata)

    @classmethod
    def load(cls, path: Path) -> Translator:
        """The model of a file that `save` wrote.

        Raises:    FileNotFoundError: if there is none. ValueError: if it is of another kind.
        """
        state, metadata = load(path)
        with reading_model("Translator", path, "train TASK"):
            config = Config(**json.loads(metadata["config"]))
            source, target = (Vocabulary.from_json(metadata[side]) for side in ("source", "target"))
            max_len = int(metadata["max_len"])
        model = Transformer(config)
        model.load_state_dict(state)
        model.eval()
        return cls(model, source, target, max_len, metadata.get("task", ""))


def batches(
    data: Data, source: Vocabulary, target: Vocabulary, batch_size: int, rng: np.random.Generator
) -> DataLoader:
    """All pairs of a source and one of its targets, those of equal lengths together."""
    pairs = [(source.encode(e.source), target.encode(t)) for e in data.train for t in e.targets]

    def collate(pairs: list) -> Batch:
        sources, targets = zip(*pairs)
        return pad(sources), *shifted(targets)

    def length(pair: tuple) -> int:
        return 1000 * len(pair[0]) + len(pair[1])

    return DataLoader(pairs, batch_size, shuffle=True, collate=collate, length=length, rng=rng)


def loss(model: Module, batch: tuple[Array, ...], smoothing: float = 0.0) -> tuple[Tensor, float]:
    """The mean cross-entropy per symbol that is no padding, and how many these are.

    The last array of the batch is what the model has to say, those before it are what it reads.
    """
    *read, next_ids = batch
    logits = model(*read)  # (B, T, V)
    mean = cross_entropy(logits, next_ids, ignore_index=PAD, label_smoothing=smoothing)
    return mean, float((next_ids != PAD).sum())


def build(task: Task, preset: Preset) -> tuple[Translator, Data, np.random.Generator]:
    """A fresh model for a task, its data, and the generator of both."""
    data = task.load()
    source, target = data.vocabularies()
    rng = np.random.default_rng(preset.seed)
    model = Transformer(Config(len(source), len(target), **preset.model), rng)
    return Translator(model, source, target, task.max_len, task.name), data, rng


def train(
    name: str,
    preset: str,
    folder: Path,
    minutes: float | None = None,
    resume: bool = False,
    seed: int | None = None,
    show: bool = True,
) -> str:
    """Train a task in a run folder; the best model on the dev examples is `model.safetensors`.

    Of several cycles each leaves a model of its own, `cycle-1.safetensors` and so on.

    Returns why it ended, as `Trainer.fit` does.
    """
    task, folder = TASKS[name], Path(folder)
    chosen = task.presets[preset].seeded(seed)
    translator, data, rng = build(task, chosen)

    def evaluate(_model: Module) -> dict[str, float]:
        found = translator.scores(data.dev)
        cycle, rest = divmod(trainer.at.step, chosen.steps // chosen.cycles)
        if chosen.cycles > 1 and not rest:
            translator.save(folder / f"cycle-{cycle}.safetensors")
        return {"wrong %": found.error_rate, "symbols wrong %": found.symbol_error_rate}

    loader = batches(data, translator.source, translator.target, chosen.batch_size, rng)
    trainer = trainer_for(
        chosen, translator.model, partial(loss, smoothing=chosen.smoothing), loader, evaluate,
        folder, {"task": name, "preset": preset, "seed": chosen.seed}, show,
    )  # fmt: skip
    ended = trainer.fit(steps=chosen.steps, minutes=minutes, resume=resume)
    best = folder / "best.safetensors"
    if best.exists():
        translator.model.load_state_dict(load(best)[0])
    translator.save(folder / "model.safetensors")
    return ended


def trainer_for(
    preset: Preset,
    model: Module,
    loss: LossFunction,
    data: DataLoader,
    evaluate: Callable[[Module], dict[str, float]],
    folder: Path,
    settings: dict[str, Any],
    show: bool,
) -> Trainer:
    """A Trainer as the preset wants it: AdamW, a warm-up, then a cosine down to a hundredth.

    Source:    Loshchilov and Hutter (2016), SGDR, for several cycles. Differs: each warms up.
    """
    peak, warmup, length = preset.peak_lr, preset.warmup, preset.steps // preset.cycles
    down = schedules.cosine(peak, length - warmup, floor=peak / 100)
    cycle = schedules.in_turn((warmup, schedules.linear_warmup(peak, warmup)), then=down)
    return Trainer(
        model,
        AdamW(model.parameters(), lr=peak, betas=(0.9, 0.98), weight_decay=preset.weight_decay),
        loss,
        data,
        schedule=schedules.in_turn(*[(length, cycle)] * (preset.cycles - 1), then=cycle),
        max_norm=1.0,
        evaluate=evaluate,
        evaluate_every=preset.evaluate_every,
        folder=folder,
        save_every=preset.evaluate_every,
        settings=settings,
        show=show,
        unit="tokens",
    )
