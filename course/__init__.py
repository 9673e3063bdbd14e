"""The course around the stages: the workspace, the graded tests, and the `course` command."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent  # the checkout: stages, tests and notebooks


class UsageError(ValueError):
    """What was asked for cannot be done; the message says why, and what to do instead."""
