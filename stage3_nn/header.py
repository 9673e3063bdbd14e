"""The header of a safetensors file: its length in 8 bytes, then dtypes and shapes as JSON."""

from __future__ import annotations

import json
from pathlib import Path


def in_order(content: bytes) -> bytes:
    """The same file with its metadata sorted, so that saving twice gives equal bytes."""
    end = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:end])
    if "__metadata__" in header:
        header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)  # the numbers begin at a multiple of 8
    return len(text).to_bytes(8, "little") + text + content[end:]


def unreadable(path: Path, error: Exception) -> ValueError:
    """The error for a file that the library does not read."""
    if "bfloat16" in str(error):
        return ValueError(
            f"load: expected dtypes that NumPy has, got bfloat16 in {path}; save it as float32"
        )
    return ValueError(f"load: expected a safetensors file, got {path}: {error}")
