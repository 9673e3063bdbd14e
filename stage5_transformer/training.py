"""Training a Translator: a task, a preset and a folder, and on after any interruption."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from stage2_tensor import Tensor
from stage3_nn import DataLoader, Module, cross_entropy, load_checked
from stage4_optim import AdamW, LossFunction, Trainer, schedules
from stage5_transformer.presets import Preset
from stage5_transformer.tasks import TASKS, Data, Task
from stage5_transformer.transformer import Config, Transformer
from stage5_transformer.translator import Translator
from stage5_transformer.vocabulary import PAD, Vocabulary, pad, shifted

Array = np.ndarray
Batch = tuple[Array, Array, Array]  # source, what the decoder reads, what it has to say


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


def loss(
    model: Module, batch: tuple[Array, ...], label_smoothing: float = 0.0
) -> tuple[Tensor, float]:
    """The mean cross-entropy per symbol that is no padding, and how many these are.

    The last array of the batch is what the model has to say, those before it are what it reads.
    """
    *read, next_ids = batch
    logits = model(*read)  # (B, T, V)
    mean = cross_entropy(logits, next_ids, ignore_index=PAD, label_smoothing=label_smoothing)
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

    def smoothed(model: Module, batch: Batch) -> tuple[Tensor, float]:
        return loss(model, batch, chosen.label_smoothing)

    loader = batches(data, translator.source, translator.target, chosen.batch_size, rng)
    trainer = trainer_for(
        chosen, translator.model, smoothed, loader, evaluate,
        folder, {"task": name, "preset": preset, "seed": chosen.seed}, show,
    )  # fmt: skip
    ended = trainer.fit(steps=chosen.steps, minutes=minutes, resume=resume)
    best = folder / "best.safetensors"
    if best.exists():
        translator.model.load_state_dict(load_checked(best)[0])
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
        parts=preset.parts,
        evaluate=evaluate,
        evaluate_every=preset.evaluate_every,
        folder=folder,
        save_every=preset.evaluate_every,
        settings=settings,
        show=show,
        unit="tokens",
    )
