"""The folder of a training run: its checkpoints, its logs, and a lock against a second process."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from stage3_nn import load_checked, save_checked, write_atomically
from stage4_optim.training_inputs import read_run

Array = np.ndarray


class RunFolder:
    """checkpoint.safetensors (to go on from), best.safetensors, log.csv, evaluations.csv, lock.

    Raises:    RuntimeError: if another process is training in this folder. ValueError: if the
               path leads to a file.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise ValueError(
                f"Trainer: expected a folder for the run, got {path}, which leads to a file"
            ) from None
        self.checkpoint = self.path / "checkpoint.safetensors"
        self.best = self.path / "best.safetensors"
        self.logs = [self.path / f"{name}.csv" for name in ("log", "evaluations")]
        self._lock = lock(self.path / "lock")
        self.sweep()

    def sweep(self) -> None:
        """Remove what a run that was killed had half written: nobody else writes here now."""
        for path in (self.checkpoint, self.best, *self.logs):
            for half in self.path.glob(f".{path.name}.*"):
                if half.suffix[1:].isdigit():  # the process that wrote it
                    half.unlink()

    def close(self) -> None:
        """Let another process have the folder."""
        self._lock.close()

    def save(self, arrays: dict[str, Array], rest: dict[str, Any]) -> None:
        """Write the state of the run, atomically."""
        save_checked(self.checkpoint, arrays, {"run": json.dumps(rest, default=np.ndarray.tolist)})

    def load(self) -> tuple[dict[str, Array], dict[str, Any]]:
        """The state that was saved last.

        Raises:    ValueError: if the checkpoint is damaged, or not that of a run.
        """
        arrays, words = load_checked(self.checkpoint)
        return arrays, read_run(self.checkpoint, words)

    def log(self, name: str, row: dict[str, Any]) -> None:
        """Add a row to `<name>.csv`; the first one brings the head."""
        path = self.path / f"{name}.csv"
        fresh = not path.exists() or path.stat().st_size == 0
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, row)
            if fresh:
                writer.writeheader()
            writer.writerow(row)

    def check_no_logs(self) -> None:
        """Refuse a folder in which somebody's logs stand: a new run would write into them.

        Raises:    ValueError: if there are some.
        """
        for log in self.logs:
            if log.exists():
                raise ValueError(
                    f"Trainer: expected a folder without logs for a new run, got {log}; "
                    "choose another folder, or move the file"
                )

    def forget_after(self, step: int) -> None:
        """Take from the logs what a killed run did after its last checkpoint: it is done again."""
        for log in self.logs:
            if log.exists():
                content = log.read_bytes()
                kept = lines_up_to(step, log, content)
                if kept != content:
                    write_atomically(log, kept)


def lines_up_to(step: int, log: Path, content: bytes) -> bytes:
    """A log with its head and the rows up to a step; a line that was cut off is left out.

    Raises:    ValueError: if this is no log of a run.
    """
    head, *rows = content.splitlines(keepends=True) or [b""]
    if not head.endswith(b"\n"):  # the process died while it wrote the head
        return b""
    if head.split(b",")[0].strip() != b"step":
        raise ValueError(
            f"resume: expected the log of a run, got {log}, which begins with "
            f"{head[:40].decode('utf-8', 'replace')!r}; move it away"
        )
    kept = [row for row in rows if row.endswith(b"\n") and columns(row) == columns(head)]
    steps = [(row, row.split(b",")[0]) for row in kept]
    return head + b"".join(row for row, at in steps if at.isdigit() and int(at) <= step)


def columns(line: bytes) -> int:
    """The number of columns in a line of a log."""
    return len(next(csv.reader([line.decode("utf-8", "replace")])))


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a log; none if there is no such file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def lock(path: Path):
    """An open file that no other process can lock; the lock goes when the process does.

    Raises:    RuntimeError: if another process has it.
    """
    file = path.open("a+")
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise RuntimeError(
            f"Trainer: expected a run folder of its own, got {path.parent}, in which another "
            "process is training; wait for it, or choose another folder"
        ) from None
    return file
