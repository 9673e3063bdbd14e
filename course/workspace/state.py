"""The saved state of a workspace: a learner's results, hints seen, choices. Never their code.

The file is written whole or not at all, under a lock, so two terminals may work at once. A file
that cannot be read is moved aside, and the points are counted again from the code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from filelock import FileLock

from course import files

SCHEMA = 1


@dataclass
class State:
    """The contents of `.course/state.json`."""

    schema: int = SCHEMA
    visited: str = ""  # when a command last ran
    results: dict[str, dict[str, str]] = field(default_factory=dict)  # by exercise: state, code, at
    failures: dict[str, int] = field(default_factory=dict)  # by exercise: runs without a pass
    hints: dict[str, int] = field(default_factory=dict)  # by exercise: levels shown
    given_up: list[str] = field(default_factory=list)  # exercises whose solution was asked for
    use: dict[str, str] = field(default_factory=dict)  # by package: "mine" or "reference"
    lost: bool = False  # an earlier file was damaged: the points are to be counted again
    unknown: dict[str, Any] = field(default_factory=dict)  # what a newer version keeps here

    def passed(self, exercise: str) -> bool:
        """True if the exercise passed when it was last graded."""
        return self.results.get(exercise, {}).get("state") == "passed"


def load(path: Path) -> tuple[State, Path | None]:
    """The state kept at `path` and, if the file there was unreadable, where it was moved to."""
    try:
        return _parse(path.read_text(encoding="utf-8")), None
    except FileNotFoundError:
        return State(lost=any(path.parent.glob("state.damaged-*"))), None
    except (ValueError, TypeError, RecursionError):  # not JSON, not text, or not of this shape
        aside = path.with_name(f"state.damaged-{datetime.now():%Y%m%d-%H%M%S-%f}.json")
        with suppress(FileNotFoundError):  # another terminal moved it aside just now
            path.replace(aside)
        return State(lost=True), aside


@contextmanager
def change(path: Path) -> Iterator[State]:
    """The state, for changing: it is read under a lock and written when the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_suffix(".lock"), timeout=10):
        state, _ = load(path)
        yield state
        table = asdict(state)
        table.update(table.pop("unknown"))
        files.write(path, json.dumps(table, indent=1) + "\n")


def _parse(text: str) -> State:
    """The state in a file. What this version does not know is kept, if a newer one wrote it.

    Raises:    ValueError or TypeError: if this is no state.
    """
    table = json.loads(text)
    if not isinstance(table, dict) or type(table.get("schema")) is not int:
        raise TypeError("state: no number of a schema")
    known = {name: x for name, x in table.items() if name in SHAPES and SHAPES[name](x)}
    unknown = {name: x for name, x in table.items() if name not in known}
    if table["schema"] < SCHEMA or (table["schema"] == SCHEMA and SHAPES.keys() & unknown.keys()):
        raise ValueError(f"state: expected schema {SCHEMA}, got {text[:80]!r}")
    return State(**known, unknown=unknown)


def _is_count(x: object) -> bool:
    return type(x) is int and x >= 0


def _maps_to(is_right: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda x: isinstance(x, dict) and all(map(is_right, x.values()))


SHAPES: dict[str, Callable[[Any], bool]] = {  # what each part of the state looks like
    "schema": _is_count,
    "visited": lambda x: isinstance(x, str),
    "results": _maps_to(lambda x: isinstance(x, dict) and isinstance(x.get("state"), str)),
    "failures": _maps_to(_is_count),
    "hints": _maps_to(_is_count),
    "given_up": lambda x: isinstance(x, list) and all(isinstance(name, str) for name in x),
    "use": _maps_to(lambda x: isinstance(x, str)),
    "lost": lambda x: isinstance(x, bool),
}
