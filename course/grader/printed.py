"""The output of the code under test, kept within bounds where the parent of the run reads it."""

from __future__ import annotations

import io
import re
from pathlib import Path

LIMIT = 100_000  # characters; a loop that prints for ever must not fill the disk
LINES, WIDTH = 10, 200
CONTROL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|[^\x20-\x7e\n\t\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)


class Printed(io.TextIOBase):
    """A standard output that keeps what a test printed in a file."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("w+", encoding="utf-8", errors="backslashreplace")

    def write(self, text: str) -> int:
        """Keep some text, and forget what is older once there is too much."""
        if self.file.tell() > LIMIT:
            self.forget()
        self.file.write(text[-LIMIT:])
        self.file.flush()
        return len(text)

    def forget(self) -> None:
        """Begin anew, for the next test."""
        self.file.seek(0)
        self.file.truncate()

    def text(self) -> str:
        """Everything that is kept."""
        self.file.seek(0)
        return self.file.read()


def last_lines(text: str) -> str:
    """The end of what was printed, as a terminal can show it."""
    lines = readable(text).rstrip("\n").split("\n")
    cut = ["..."] if len(lines) > LINES else []
    return "\n".join([*cut, *(line[:WIDTH] for line in lines[-LINES:])])


def readable(text: str, limit: int = 4000) -> str:
    """Text without control characters, and with its middle left out if it is very long."""
    if len(text) > 2 * limit:
        text = text[:limit] + text[-limit:]  # nobody reads five megabytes, nor searches them
    text = CONTROL.sub("", text)
    if len(text) > limit:
        text = f"{text[: limit // 2]}\n...\n{text[-limit // 2 :]}"
    return text
