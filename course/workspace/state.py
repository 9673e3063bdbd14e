"""What the course remembers of a learner: results, hints seen, choices. Never their code.

The file is written whole or not at all, under a lock, so two terminals may work at once. A file
that cannot be read is moved aside, and the points are counted again from the code.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from pathlib import Path

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

    def passed(self, exercise: str) -> bool:
        """Whether the exercise passed when it was last graded."""
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
        files.write(path, json.dumps(asdict(state), indent=1) + "\n")


def _parse(text: str) -> State:
    """Raises:    ValueError or TypeError: if this is not a state of our schema."""
    table = json.loads(text)
    state = State(**table)
    if state.schema != SCHEMA:
        raise ValueError(f"state: expected schema {SCHEMA}, got {state.schema}")
    empty = State()
    for part in fields(State):
        if type(getattr(state, part.name)) is not type(getattr(empty, part.name)):
            raise TypeError(f"state: {part.name} has another type")
    for result in state.results.values():
        if not isinstance(result, dict) or not isinstance(result.get("state"), str):
            raise TypeError("state: a result has another shape")
    if not all(
        type(n) is int and n >= 0 for n in [*state.failures.values(), *state.hints.values()]
    ):
        raise TypeError("state: a count is not a number")
    if not all(isinstance(name, str) for name in [*state.given_up, *state.use.values()]):
        raise TypeError("state: a name is not text")
    return state
