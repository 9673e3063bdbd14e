"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def read(path: Path) -> str:
    """The text of a file, line ends as they are, a byte order mark dropped."""
    return path.read_bytes().decode("utf-8-sig")


def write(path: Path, content: str | bytes) -> None:
    """Put `content` into `path`, line ends as given. Until it is complete, the old file stands.

    Raises:    OSError: if the disk is full or the folder cannot be written; nothing is lost then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        mode = path.stat().st_mode if path.exists() else 0o644
        os.chmod(unfinished, mode)
        os.replace(unfinished, path)
    except BaseException as error:
        unfinished.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(path)  # the file that was meant, not the unfinished one
        raise
