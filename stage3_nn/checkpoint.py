"""Weights on disk: in safetensors, so that nothing is executed when they are read.

A file is a header of names, dtypes and shapes, and the numbers. Pickle, the usual way, runs
whatever code the file contains.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as to_bytes

from stage2_tensor import Tensor
from stage3_nn.argument_kinds import check_path
from stage3_nn.array_checks import (
    check_content,
    check_file,
    check_folder,
    check_strings,
    read_arrays,
)
from stage3_nn.header import in_order, unreadable

Array = np.ndarray


def save(
    path: str | Path, state: Mapping[str, Array | Tensor], metadata: Mapping[str, str] | None = None
) -> None:
    """Write arrays, and a few words about them, to a safetensors file.

    Atomic: the file is written beside its place and then renamed, so that a crash, a full disk or
    Ctrl-C at any moment leaves the old file or the new one, whole.

    Raises:    TypeError: if the metadata are not strings, or the arrays hold no real numbers.
               OSError: if the disk refuses.
    """
    check_path("save", path)
    words = {} if metadata is None else metadata
    check_strings("save", words)
    arrays = read_arrays("save", state)
    rows = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    write_atomically(Path(path), in_order(to_bytes(rows, dict(words) or None)))


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the file at `path`, or leave it as it is if anything goes wrong."""
    check_content(path, content)
    path = path.resolve()  # a link stays a link
    check_folder("save", path.parent)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # on the disk before the name points to it
        beside.replace(path)
    except BaseException:  # Ctrl-C too
        beside.unlink(missing_ok=True)
        raise


def load(path: str | Path) -> tuple[dict[str, Array], dict[str, str]]:
    """The arrays of a safetensors file by name, and its metadata.

    Raises:    FileNotFoundError: if there is no file. ValueError: if it is damaged, cut off, or
               of another kind.
    """
    check_path("load", path)
    path = Path(path)
    check_file("load", path)
    try:
        with safe_open(path, framework="numpy") as file:
            names, metadata = sorted(file.keys()), file.metadata() or {}
            return {name: file.get_tensor(name) for name in names}, dict(sorted(metadata.items()))
    except (SafetensorError, TypeError, AttributeError) as error:  # the others: a foreign dtype
        raise unreadable(path, error) from error
