"""Ctrl-C that waits for the end of a step, so that what is saved is whole."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_waits() -> Iterator[Callable[[], bool]]:
    """Inside `with`, the first Ctrl-C is only noted, and the second one acts at once.

    Gives a function that tells whether there was one. Outside of the main thread, where Python
    delivers no signals, nothing changes.
    """
    noted = False

    def note(_signal: int, _frame: object) -> None:
        nonlocal noted
        noted = True
        signal.signal(signal.SIGINT, before)

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: noted
    finally:
        signal.signal(signal.SIGINT, before)
