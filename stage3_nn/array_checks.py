"""Checks of arrays on their way into a file or a model, and of the file itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from stage2_tensor import Tensor

Array = np.ndarray


def read_array(op: str, x: Array | Tensor) -> Array:
    """x as an array of real numbers; of a Tensor, its own.

    Raises:    TypeError: if it holds anything else.
    """
    if isinstance(x, np.ndarray) and x.dtype.kind in "biuf":
        return x
    return read_arrays(op, {"one": x})["one"]


def read_arrays(op: str, state: Mapping[str, Array | Tensor]) -> dict[str, Array]:
    """The arrays of a state by name, those of its Tensors among them.

    Raises:    TypeError: if it is no dict, or something in it is not made of real numbers.
    """
    if not isinstance(state, Mapping):
        raise TypeError(f"{op}: expected a dict of arrays by name, got a {type(state).__name__}")
    plain = {name: a.data if isinstance(a, Tensor) else a for name, a in state.items()}
    try:
        arrays = {name: np.asarray(a) for name, a in plain.items()}
    except (TypeError, ValueError) as error:  # lists of Tensors, rows of different length
        raise TypeError(f"{op}: expected arrays of numbers, got a list; {error}") from None
    check_numbers(op, arrays)
    return arrays


def check_strings(op: str, metadata: Mapping[str, str]) -> None:
    """Refuse metadata that are not words.

    Raises:    TypeError: if they are no dict, or a name or a value in it is no string.
    """
    if not isinstance(metadata, Mapping) or not all(
        isinstance(word, str) for pair in metadata.items() for word in pair
    ):
        raise TypeError(f"{op}: expected metadata of strings, got {metadata}; use json.dumps")


def check_numbers(op: str, arrays: Mapping[str, Array]) -> None:
    """Refuse arrays that hold anything but real numbers.

    Raises:    TypeError: if one does.
    """
    for name, array in arrays.items():
        if array.dtype.kind not in "biuf":
            raise TypeError(f"{op}: expected arrays of numbers, got {name} of {array.dtype}")


def check_content(path: Path, content: bytes) -> None:
    """Refuse what is no file to write to, and what cannot be written as it is.

    Raises:    TypeError: if the path is no Path, or the content no bytes.
    """
    if not isinstance(path, Path) or not isinstance(content, bytes | bytearray | memoryview):
        got = f"{path!r} and a {type(content).__name__}"
        raise TypeError(f"save: expected a Path and bytes, got {got}; write Path(path)")


def check_folder(op: str, folder: Path) -> None:
    """Refuse to write where there is no folder.

    Raises:    FileNotFoundError: if there is none.
    """
    if not folder.is_dir():
        raise FileNotFoundError(f"{op}: expected a folder to write to, got none at {folder}")


def check_file(op: str, path: Path) -> None:
    """Refuse to read where there is no file.

    Raises:    FileNotFoundError: if there is none.
    """
    if not path.is_file():
        raise FileNotFoundError(f"{op}: expected a checkpoint, got no file at {path}")
