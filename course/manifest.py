"""The exercises, as each stage's `exercises.toml` lists them."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from course import ROOT, UsageError


@dataclass(frozen=True)
class Exercise:
    """One exercise: the functions to write, what they earn, and what helps to write them."""

    package: str
    id: str
    title: str
    functions: tuple[str, ...]  # "value.Value.__add__": file, class, function
    points: int
    difficulty: int  # 1 to 5
    minutes: int
    prerequisites: tuple[str, ...]
    section: str  # of the stage's notebook
    hints: tuple[str, ...]  # from the idea to near-code
    bonus: bool = False  # beyond the 100 points
    reference_uses: tuple[str, ...] = ()  # needed by the reference, not by a learner's solution
    seconds: int = 20  # the wall limit of its tests, ten times what a slow solution takes

    @property
    def unfinished(self) -> str:
        """The message of its stubs."""
        return f"exercise {self.id}: {self.title}"

    @property
    def tests(self) -> Path:
        """The file of its graded tests, or where it should be."""
        stage, number = self.id.split(".")
        folder = ROOT / "tests" / self.package
        name = f"test_{stage}_{int(number):02}_"
        return next(folder.glob(f"{name}*.py"), folder / f"{name}missing.py")

    @property
    def files(self) -> tuple[str, ...]:
        """The files of the package that hold its functions, each once."""
        return tuple(dict.fromkeys(name.split(".")[0] + ".py" for name in self.functions))

    def functions_in(self, file: str) -> tuple[str, ...]:
        """The dotted names, within `file`, of the functions to write there."""
        module = file.removesuffix(".py") + "."
        return tuple(n.removeprefix(module) for n in self.functions if n.startswith(module))


@dataclass(frozen=True)
class Stage:
    """One package of the course with its exercises, in the order in which they are solved."""

    number: int
    package: str
    title: str
    weeks: str
    notebook: str
    exercises: tuple[Exercise, ...]

    @property
    def points(self) -> int:
        """The points of the stage, without the bonus."""
        return sum(e.points for e in self.exercises if not e.bonus)

    @property
    def bonus(self) -> int:
        """The points that its bonus exercises add."""
        return sum(e.points for e in self.exercises if e.bonus)


@cache
def stages() -> tuple[Stage, ...]:
    """Every stage that has exercises, in order."""
    return tuple(_read(path) for path in sorted(ROOT.glob("stage*_*/exercises.toml")))


def _read(path) -> Stage:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    package = table["package"]
    exercises = []
    for row in table.pop("exercise"):
        lists = {key: tuple(item) for key, item in row.items() if isinstance(item, list)}
        exercises.append(Exercise(package=package, **{**row, **lists}))
    number = int(package.removeprefix("stage").split("_")[0])
    return Stage(number=number, exercises=tuple(exercises), **table)


def exercises() -> dict[str, Exercise]:
    """Every exercise of every stage, by id."""
    return {e.id: e for stage in stages() for e in stage.exercises}


def find_exercise(name: str) -> Exercise:
    """The exercise with this id.

    Raises:    UsageError: if there is none; the message suggests the nearest id.
    """
    known = exercises()
    if name not in known:
        raise UsageError(_unknown("exercise", name, list(known), "course status lists them all"))
    return known[name]


def find_stage(name: str) -> Stage:
    """The stage with this number, package name, or beginning of it: `1`, `stage1`.

    Raises:    UsageError: if there is none; the message suggests the nearest name.
    """
    for stage in stages():
        if name in (str(stage.number), f"stage{stage.number}", stage.package):
            return stage
    known = [key for stage in stages() for key in (str(stage.number), stage.package)]
    raise UsageError(_unknown("stage", name, known, "course status lists them all"))


def find(name: str) -> Stage | Exercise:
    """The stage or the exercise of this name: `1`, `stage1_autodiff`, `1.4`."""
    name = name.strip()
    return find_exercise(name) if "." in name else find_stage(name)


def _unknown(kind: str, name: str, known: list[str], otherwise: str) -> str:
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    mend = f"did you mean {nearest[0]}?" if nearest else otherwise
    short = [key for key in known if key[0].isdigit()]  # a stage has a name beside its number
    some = ", ".join(short) if len(short) < 6 else f"{short[0]} to {short[-1]}"
    return f"{kind}: expected one of {some}, got {name!r}; {mend}"
