"""Loaded by every Python of the environment: a program in a workspace runs on its packages.

`startup.pth` imports this file. It waits for the first import of a stage; only then is it known
which program runs, and only then is anything else of the course loaded.
"""

from __future__ import annotations

import sys


class UntilAStageIsImported:
    """A finder that makes way for that of `course.workspace.imports`."""

    @classmethod
    def find_spec(cls, name: str, path=None, target=None):
        """The spec of a stage's package; None for every other module."""
        if path is not None or not name.startswith("stage"):
            return None
        sys.meta_path.remove(cls)
        from course.workspace import imports

        finder = imports.finder_for(program())
        imports.put_first(finder)
        return finder.find_spec(name)


def program() -> str | None:
    """The file of the script that runs; None for `python -m`, `python -c` and a prompt."""
    return getattr(sys.modules.get("__main__"), "__file__", None)


sys.meta_path.insert(0, UntilAStageIsImported)
