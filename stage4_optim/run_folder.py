"""The folder of a training run: its checkpoints, its logs, and a lock against a second process."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from stage3_nn import load, save, write_atomically

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
        save(self.checkpoint, arrays, {"run": json.dumps(rest, default=np.ndarray.tolist)})

    def load(self) -> tuple[dict[str, Array], dict[str, Any]]:
        """The state that was saved last."""
        arrays, metadata = load(self.checkpoint)
        if "run" not in metadata:
            raise ValueError(
                f"resume: expected the checkpoint of a run, got {self.checkpoint}, which holds "
                "weights only"
            )
        return arrays, json.loads(metadata["run"])

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
            rows = read_rows(log)
            kept = [row for row in rows if None not in row.values() and int(row["step"]) <= step]
            if len(kept) < len(rows):
                lines = [",".join(line) for line in (rows[0], *(row.values() for row in kept))]
                content = "".join(f"{line}\r\n" for line in lines)
                write_atomically(log, content.encode())


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
