"""An exception out of the learner's code, told in a few lines: what, where, and what mends it.

What most often is behind an exception stands in `advice.toml`: that of this folder holds for every
stage, that of a stage for itself and the stages after it.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType, TracebackType

from course import ROOT
from course.grader.printed import readable
from course.manifest import stages

RECURSION = 100  # this many calls inside each other are a recursion


@dataclass(frozen=True)
class Advice:
    """The most frequent reason for an exception of this kind."""

    error: str  # its type, or one of its bases
    text: str
    pattern: str = ""  # searched in its message and the line it came from
    files: tuple[str, ...] = ()  # where that line stands; anywhere if there are none
    below: str = ""  # a function that this line called on the way to the exception

    def fits(self, error: BaseException, told: str, calls: list[Call]) -> bool:
        """True for an exception of this kind; `calls` begin with the line it came from."""
        return (
            any(kind.__name__ == self.error for kind in type(error).__mro__)
            and re.search(self.pattern, told) is not None
            and (not self.files or (bool(calls) and calls[0].path.name in self.files))
            and (not self.below or any(call.name == self.below for call in calls[1:]))
        )


@cache
def advice_for(package: str) -> tuple[list[Advice], set[str]]:
    """The advice for the code of a stage, its own first, and the functions handed out to it."""
    folders = [ROOT / stage.package for stage in stages() if stage.package <= package]
    advice: list[Advice] = []
    given: set[str] = set()
    for folder in [*reversed(folders), Path(__file__).parent]:
        path = folder / "advice.toml"
        table = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        for row in table.get("advice", []):
            advice.append(Advice(**{**row, "files": tuple(row.get("files", ()))}))
        given.update(table.get("given", ()))
    return advice, given


def of_exception(error: BaseException, package: str) -> tuple[str, str]:
    """An exception in a few lines, and the place in the learner's code where it came from."""
    if isinstance(error, ImportError) and (because := _on_import(error, package)):
        calls = _calls(error.__traceback__, package)
        where = f"{calls[-1].path}:{calls[-1].line}" if calls else ""
        line = f"\n  in {calls[-1].path.name}: {calls[-1].text}" if calls else ""
        return f"{type(error).__name__}: {error}{line}\n{because}", where
    if isinstance(error, SyntaxError):
        where = f"{error.filename}:{error.lineno}" if error.filename else ""
        line = (error.text or "").strip()
        text = f"Python cannot read this line: {error.msg}\n  {line}".rstrip()
        return f"{text}\n{_on_syntax(error)}", where
    told = f"{type(error).__name__}: {readable(str(error))}"
    advice, given = advice_for(package)
    calls = _calls(error.__traceback__, package)
    if not calls:
        return told + _behind(error, told, [], advice), ""
    calls = calls[_blamed(calls, given) :]
    call = calls[0]
    told += f"\n  in {call.name}: {call.text}"
    behind = _behind(error, told, calls, advice)
    return told + _shapes(error, call.frame) + behind, f"{call.path}:{call.line}"


@dataclass(frozen=True)
class Call:
    """A call in a traceback, and the line where it stood."""

    frame: FrameType
    line: int

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self.frame.f_code.co_filename)

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.frame.f_code.co_name

    @property
    def text(self) -> str:
        """The line itself."""
        try:
            return self.path.read_text(encoding="utf-8").split("\n")[self.line - 1].strip()
        except (OSError, UnicodeDecodeError, IndexError):
            return "?"


def _calls(traceback: TracebackType | None, package: str) -> list[Call]:
    """The calls inside the learner's code, the innermost last."""
    calls = []
    while traceback is not None:
        call = Call(traceback.tb_frame, traceback.tb_lineno)
        if package in call.path.parts and "tests" not in call.path.parts[-3:]:
            calls.append(call)
        traceback = traceback.tb_next
    return calls


def _blamed(calls: list[Call], given: set[str]) -> int:
    """The number of the innermost call that the learner can mend.

    A function that is handed out raises for the line that called it, and so does a check; where a
    function calls itself without end, what it happened to call last does not matter.
    """
    names = [call.name for call in calls]
    last = next((i for i, name in enumerate(names) if i and name in given), len(calls)) - 1
    if last >= RECURSION:
        last = max(i for i in range(last + 1) if names.count(names[i]) > 1)
    while last and _refuses(calls[last]):
        last -= 1
    return last


def _refuses(call: Call) -> bool:
    """True for a line that raises for whoever called, or stands in a file of checks."""
    return call.path.parent.name == "checks" or call.text.startswith(("raise ", "check_"))


def _behind(error: BaseException, told: str, calls: list[Call], advice: list[Advice]) -> str:
    """The most frequent reason for an exception, on a line of its own."""
    return next((f"\n{row.text}" for row in advice if row.fits(error, told, calls)), "")


def _shapes(error: BaseException, frame: FrameType) -> str:
    """The shapes of the arrays in the line's function, if the exception is about shapes."""
    if not isinstance(error, ValueError) or "expected" in str(error):
        return ""
    shapes = {name: getattr(x, "shape", None) for name, x in frame.f_locals.items()}
    told = [f"{name} {shape}" for name, shape in shapes.items() if isinstance(shape, tuple)]
    return f"\n  shapes: {', '.join(told)}" if told else ""


def _on_import(error: ImportError, package: str) -> str:
    """The reason why an import failed, where it is not a name that the course expects."""
    if "partially initialized module" in str(error) or "circular import" in str(error):
        pair = [c.path.name for c in _calls(error.__traceback__, package)][-1:]
        pair.append(f"{(error.name or '').rpartition('.')[2]}.py")
        return (
            f"{' and '.join(pair)} import each other, and the second one finds the first half read:"
            " import the name inside the function that uses it."
        )
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return ""
    if error.name.split(".")[0] == package:
        return ""
    beside = next(
        (c.path for c in _calls(error.__traceback__, package) if _file(c, error.name)), None
    )
    if beside is not None:
        return f"{error.name}.py is in the package: from {package} import {error.name}"
    return f"There is no module {error.name} in this environment; the course needs NumPy only."


def _file(call: Call, module: str) -> bool:
    """True if a file of this name stands beside the one that imports it."""
    return call.path.with_name(f"{module}.py").is_file()


def _on_syntax(error: SyntaxError) -> str:
    """The most frequent reason why Python cannot read a line."""
    if isinstance(error, IndentationError):
        return "The spaces at its beginning must line up with those of the lines around it."
    if "unicode" in error.msg or "null bytes" in error.msg:
        return "The file is not UTF-8 text: let your editor save it as UTF-8."
    return "Often a bracket or a colon is missing here or in the line above."
