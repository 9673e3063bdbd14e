"""Checks of a model's file, before anything is built from it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from stage5_transformer.transformer import Config
from stage5_transformer.vocabulary import Vocabulary

Array = np.ndarray


def check_config(config: Config, state: Mapping[str, Array]) -> None:
    """Refuse a Config that does not belong to these arrays, before a model is built from it.

    Raises:    ValueError: if a size is another. KeyError: if an array is missing.
    """
    part = "decoder." if "decoder.norm.weight" in state else ""  # a GPT has no parts
    table = state[f"{part}embedding.weight"]
    found = {"target_size": table.shape[0], "d_model": table.shape[1]}
    stacks = {"decoder_layers": f"{part}layers."}
    if part:
        found["source_size"] = state["encoder.embedding.weight"].shape[0]
        stacks["encoder_layers"] = "encoder.layers."
    for name, prefix in stacks.items():
        numbers = {key[len(prefix) :].split(".")[0] for key in state if key.startswith(prefix)}
        found[name] = len(numbers)
    widths = {
        array.shape[-1] for key, array in state.items() if key.endswith("feed_forward.up.bias")
    }
    if len(widths) == 1:
        (found["d_ff"],) = widths
    if config.positions == "learned":
        found["max_positions"] = state[f"{part}positions.table.weight"].shape[0]
    for name, size in found.items():
        if getattr(config, name) != size:
            raise ValueError(f"expected {name} {size}, got {getattr(config, name)}")


def check_weights(path: Path, state: Mapping[str, Array]) -> None:
    """Refuse the weights of a file that no training makes.

    Raises:    ValueError: if some are no floats, or not finite.
    """
    for name, array in state.items():
        if array.dtype.kind != "f":
            raise ValueError(f"load: expected floats in {path}, got {name} in {array.dtype}")
        if not np.isfinite(array).all():
            raise ValueError(f"load: expected finite numbers in {path}, got others in {name}")


def check_vocabulary(path: Path, name: str, vocabulary: Vocabulary, size: int) -> None:
    """Refuse a vocabulary that is not as long as the table of its embedding.

    Raises:    ValueError: if it is longer or shorter.
    """
    if len(vocabulary) != size:
        raise ValueError(
            f"load: expected {size} {name} symbols in {path}, as its table has, "
            f"got {len(vocabulary)}"
        )


def read_max_len(text: str) -> int:
    """The length of the longest answer, as a file has it.

    Raises:    ValueError: if it is no whole number from 1 to 10,000.
    """
    n = int(text)
    if not 1 <= n <= 10_000:
        raise ValueError(f"expected max_len from 1 to 10,000, got {n}")
    return n
