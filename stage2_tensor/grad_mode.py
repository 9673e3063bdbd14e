"""The recording of operations for backward: a switch for the whole program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class GradMode:
    """The switch. Operations read `GradMode.enabled`; `no_grad` turns it."""

    enabled = True


@contextmanager
def no_grad() -> Iterator[None]:
    """Operations inside are not recorded: `with no_grad():`, or `@no_grad()` on a function."""
    before = GradMode.enabled
    GradMode.enabled = False
    try:
        yield
    finally:  # also after an exception
        GradMode.enabled = before
