"""A trained model as one file: its weights, its Config, and the words that belong to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from stage3_nn import load_checked, save_checked
from stage5_transformer.file_checks import check_config, check_weights
from stage5_transformer.gpt import GPT
from stage5_transformer.transformer import Config, Transformer

Model = TypeVar("Model", Transformer, GPT)


def save_model(
    path: Path, model: Transformer | GPT, words: Mapping[str, str], dtype: type = np.float32
) -> None:
    """Write a model to one file; in float16 it is half as exact, and half as large."""
    state = {name: array.astype(dtype) for name, array in model.state_dict().items()}
    words = {**words, "config": json.dumps(asdict(model.config))}
    save_checked(path, state, words)


def load_model(
    path: Path, kind: Callable[[Config], Model], command: str, **readers: Callable[[str], Any]
) -> tuple[Model, dict[str, Any]]:
    """The model of a file, in evaluation mode, and its words, each by its reader.

    A word that is missing is read as "".

    Raises:    FileNotFoundError: if there is no file. ValueError: if it is damaged, or of
               another kind; `command` makes one of the right kind.
    """
    state, words = load_checked(path)
    check_weights(path, state)
    try:
        config = read_config(words["config"])
        found = {name: read(words.get(name, "")) for name, read in readers.items()}
        check_config(config, state)
        model = kind(config)
        model.load_state_dict(state)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"load: expected a model that `{command}` made, got {path} of another kind ({error}); "
            f"make one with python -m stage5_transformer {command}"
        ) from None
    model.eval()
    return model, found


def read_config(text: str) -> Config:
    """The Config that was written as JSON."""
    sizes = json.loads(text)
    if "max_len" in sizes:  # its name in older files
        sizes["max_positions"] = sizes.pop("max_len")
    return Config(**sizes)
