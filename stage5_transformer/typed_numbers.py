"""Numbers as they are typed on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def at_least(low: float, kind: type = int) -> Callable[[str], float]:
    """A reader of a number on the command line that refuses smaller ones."""

    def read(text: str) -> float:
        value = kind(text)
        if not low <= value < float("inf"):
            raise argparse.ArgumentTypeError(f"expected at least {low}, got {text}")
        return value

    read.__name__ = kind.__name__  # argparse names it when the text is no number
    return read
