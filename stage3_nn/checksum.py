"""A checksum that travels with the arrays of a file: one flipped bit, and the file is refused."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import numpy as np

from stage3_nn.array_checks import check_strings, read_arrays
from stage3_nn.checkpoint import load, save

Array = np.ndarray
KEY = "checksum"  # its name in the metadata


def checksum(state: Mapping[str, Array], words: Mapping[str, str]) -> str:
    """A hash of the names, dtypes, shapes and numbers of all arrays, and of all other words."""
    seen = sha256()
    for name, word in sorted(words.items()):
        seen.update(f"{name}\0{word}\0".encode())
    for name, array in sorted(state.items()):
        seen.update(f"{name}\0{array.dtype.str}\0{array.shape}\0".encode())
        seen.update(np.asarray(array, order="C").tobytes())
    return seen.hexdigest()


def save_checked(path: str | Path, state: Mapping[str, Array], words: Mapping[str, str]) -> None:
    """Write arrays and words to a safetensors file, with the checksum of all that among them."""
    check_strings("save", words)
    arrays = read_arrays("save", state)
    save(path, arrays, {**words, KEY: checksum(arrays, words)})


def load_checked(path: str | Path) -> tuple[dict[str, Array], dict[str, str]]:
    """The arrays and the words of a file, which are those that were written.

    A file without a checksum is of an older version; a warning says that it is not checked.

    Raises:    FileNotFoundError: if there is no file. ValueError: if it is damaged, or of
               another kind.
    """
    state, words = load(path)
    if KEY not in words:
        warnings.warn(f"load: {path} carries no checksum, so damage would go unseen", stacklevel=2)
    elif words.pop(KEY) != checksum(state, words):
        raise ValueError(
            f"load: expected the numbers that were saved, got others in {path}: it is damaged"
        )
    return state, words
