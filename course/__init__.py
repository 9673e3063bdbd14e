"""The course around the stages: the workspace, the graded tests, and the `course` command."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
INSTALLED = (HERE / "material").is_dir()  # from a wheel, not from a checkout
ROOT = HERE / "material" if INSTALLED else HERE.parent  # stages, graded tests and notebooks


class UsageError(ValueError):
    """A request that cannot be carried out; the message says why, and what to do instead."""
