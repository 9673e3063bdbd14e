"""Checkpoints through a temporary file of the standard library."""

import contextlib
import json
import os
import tempfile
from pathlib import Path

import numpy as np
import safetensors.numpy
from safetensors import SafetensorError


def save(path, state, metadata=None):
    metadata = {} if metadata is None else metadata
    for key, value in metadata.items():
        if type(key) is not str or type(value) is not str:
            raise ValueError("metadata: expected strings")
    arrays = {name: np.array(array, order="C", copy=True) for name, array in state.items()}
    write_atomically(path, safetensors.numpy.save(arrays, metadata=metadata))


def write_atomically(path, content):
    path = os.path.realpath(path)
    handle, name = tempfile.mkstemp(dir=os.path.dirname(path))
    try:
        os.write(handle, content)
        os.fsync(handle)
        os.close(handle)
        os.replace(name, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def load(path):
    content = Path(path).read_bytes()
    try:
        state = safetensors.numpy.load(content)
    except SafetensorError as error:
        raise ValueError(f"{path} is no checkpoint: {error}") from None
    length = int.from_bytes(content[:8], "little")
    return state, json.loads(content[8 : 8 + length]).get("__metadata__") or {}
