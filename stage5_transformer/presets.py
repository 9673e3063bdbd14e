"""Three sizes of a run for every task: how large the model is, and how it is trained."""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Preset:
    """The size of a model, and how it is trained."""

    steps: int
    batch_size: int
    peak_lr: float
    model: dict = field(default_factory=dict)  # fields of Config
    warmup: int = 200
    cycles: int = 1  # how often the learning rate rises and falls; after each the model is good
    label_smoothing: float = 0.0
    weight_decay: float = 0.01
    parts: int = 1  # of each batch, one after the other: as many as were fastest
    evaluate_every: int = 500
    seed: int = 0

    def seeded(self, seed: int | None) -> Preset:
        """The same with another seed; None keeps its own."""
        return self if seed is None else replace(self, seed=seed)


TINY = {"d_model": 32, "d_ff": 128, "encoder_layers": 1, "decoder_layers": 1}
LARGER = TINY | {"d_model": 64, "d_ff": 256}
LEARNED = {"positions": "learned"}

REVERSE = {
    "small": Preset(1000, 128, 5e-3, TINY | LEARNED, warmup=100, evaluate_every=250),
    "standard": Preset(2000, 128, 5e-3, TINY | LEARNED, warmup=100),
    "full": Preset(4000, 128, 3e-3, LARGER | LEARNED, warmup=100),
}

DATES = {
    "small": Preset(2000, 128, 3e-3, TINY, evaluate_every=500),
    "standard": Preset(4000, 128, 3e-3, TINY, evaluate_every=1000),
    "full": Preset(8000, 128, 3e-3, LARGER, evaluate_every=2000),
}

PRONOUNCE = {
    "small": Preset(
        12_000, 100, 3e-3,
        {"d_model": 64, "d_ff": 256, "encoder_layers": 3, "decoder_layers": 2},
        label_smoothing=0.1, evaluate_every=1000,
    ),
    "standard": Preset(
        14_000, 200, 2e-3,
        {"d_model": 128, "d_ff": 512, "encoder_layers": 3, "decoder_layers": 3, "dropout": 0.1},
        warmup=400, label_smoothing=0.1, parts=2, evaluate_every=1000,
    ),
    "full": Preset(
        40_000, 200, 1.5e-3,
        {"d_model": 192, "d_ff": 768, "encoder_layers": 4, "decoder_layers": 2, "dropout": 0.15},
        warmup=400, cycles=2, label_smoothing=0.1, parts=2, evaluate_every=1000,
    ),
}  # fmt: skip

GPT_SMALL = {"d_model": 64, "d_ff": 256, "decoder_layers": 2} | LEARNED
WORDS = {  # for a GPT
    "small": Preset(1500, 128, 3e-3, GPT_SMALL, warmup=100),
    "standard": Preset(
        6000, 128, 2e-3, GPT_SMALL | {"d_model": 128, "d_ff": 512}, evaluate_every=1000
    ),
    "full": Preset(
        20_000, 128, 1e-3, GPT_SMALL | {"d_model": 192, "d_ff": 768, "decoder_layers": 4},
        evaluate_every=2000,
    ),
}  # fmt: skip
