"""Dates in five ways of writing, to the one that computers like: `3 Mar 1972` to `1972-03-03`."""

from __future__ import annotations

import calendar
from datetime import date, timedelta

from stage5_transformer.presets import DATES
from stage5_transformer.tasks.task import Data, Example, Task, split

MONTHS = list(calendar.month_name)[1:]
FIRST, LAST = date(1950, 1, 1), date(2049, 12, 31)


def ways(day: date) -> list[str]:
    """The same day, written in five ways."""
    month = MONTHS[day.month - 1]
    return [
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month[:3]} {day.year}",
        f"{day.month}/{day.day}/{day.year}",
        f"{day.day:02}.{day.month:02}.{day.year}",
    ]


def load() -> Data:
    """Every day of a century, in every way."""
    days = [FIRST + timedelta(n) for n in range((LAST - FIRST).days + 1)]
    return split(
        [Example(tuple(text), (tuple(day.isoformat()),)) for day in days for text in ways(day)]
    )


TASK = Task("dates", load, DATES, max_len=12)
