"""A notebook follows the learner's files: what was saved counts from the next cell on.

The new text runs in the module that is there. Then each function and class takes over what the new
one of its name does, and stays the same object. So the names that cells have imported, the classes
that others build on and the instances that were made before all have the new code.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

from course import files
from course.unfinished import names_in

# What belongs to the class object itself, not to what its author wrote.
KEPT = {"__dict__", "__weakref__", "__module__", "__slots__", "__abstractmethods__", "_abc_impl"}
KEPT |= {"__annotate_func__", "__annotations_cache__"}


class Follower:
    """Keeps the modules of some packages up to date with their files."""

    def __init__(self) -> None:
        self.packages: set[str] = set()
        self.namespace: dict[str, Any] = {}  # of the cells
        self.seen: dict[str, tuple[int, int]] = {}  # by module, the state of its file

    def install(self, shell, packages: Iterable[str]) -> None:
        """Look at the files of these packages before each cell of a shell of IPython."""
        self.packages |= set(packages)
        self.namespace = shell.user_ns
        shell.events.register("pre_run_cell", self.follow)
        shell.events.register("post_run_cell", self.note)

    def note(self, result=None) -> None:
        """Remember the files of what was imported since."""
        for module in self.modules():
            self.seen.setdefault(module.__name__, state_of(module))

    def follow(self, info=None) -> None:
        """Bring what was saved into its module; one sentence for a file that cannot be run."""
        self.note()
        changed = [m for m in self.modules() if self.seen[m.__name__] != state_of(m)]
        for module in changed:
            self.seen[module.__name__] = state_of(module)
        failed = [module for module in changed if self.renew(module)]
        for module in failed:  # once more: it may need another that was saved with it
            if error := self.renew(module):
                print(sentence(module, error))

    def modules(self) -> list[ModuleType]:
        """The modules of the packages that are imported by now and have a file to be read."""
        found = [m for name, m in sys.modules.items() if name.split(".")[0] in self.packages]
        return [m for m in found if Path(getattr(m, "__file__", None) or "").is_file()]

    def renew(self, module: ModuleType) -> BaseException | None:
        """Run the file of a module in it; the error if that fails, and then nothing has changed."""
        names = vars(module)
        before = dict(names)
        try:
            code = compile(text_of(module), str(module.__file__), "exec")
            exec(code, names)
        except (Exception, SystemExit) as error:
            names.clear()
            names.update(before)
            return error
        for name, old in before.items():
            new = names.get(name, old)
            if new is old or name.startswith("__"):
                continue
            if take_over(old, new):
                names[name] = old
            elif not isinstance(old, type | FunctionType) or old.__module__ == module.__name__:
                self.exchange(name, old, new)
        return None

    def exchange(self, name: str, old: Any, new: Any) -> None:
        """Give a name its new value in the cells and the modules that have imported it."""
        holders = [m for m in self.modules() if vars(m).get(name, new) is old]
        importers = [m for m in holders if name not in names_in(text_of(m))[0]]
        for namespace in [self.namespace, *map(vars, importers)]:
            if namespace.get(name, new) is old:
                namespace[name] = new


def text_of(module: ModuleType) -> str:
    """The file of a module."""
    return files.read(Path(module.__file__ or ""))


def state_of(module: ModuleType) -> tuple[int, int]:
    """The time and size of the file of a module, which change when it is saved."""
    stat = Path(module.__file__ or "").stat()
    return stat.st_mtime_ns, stat.st_size


def sentence(module: ModuleType, error: BaseException) -> str:
    """The line that is printed for a file that cannot be run, half typed for instance."""
    place = "/".join(Path(module.__file__ or "").parts[-2:])
    if isinstance(error, SyntaxError):
        what = f"line {error.lineno}: {error.msg}"
    else:
        what = f"{type(error).__name__}: {error}"
    return f"{place} cannot be read as it stands ({what}), so cells go on with what it was before."


def take_over(old: Any, new: Any) -> bool:
    """Make a function or class do what the new one does; False if it cannot."""
    if isinstance(old, FunctionType) and isinstance(new, FunctionType):
        return take_over_function(old, new)
    if isinstance(old, type) and isinstance(new, type):
        return take_over_class(old, new)
    return False


def take_over_function(old: FunctionType, new: FunctionType) -> bool:
    """The code, the defaults and what a decorator wrapped."""
    own, given = old.__closure__ or (), new.__closure__ or ()
    if len(own) != len(given) or old.__module__ != new.__module__:
        return False
    old.__code__, old.__doc__ = new.__code__, new.__doc__
    old.__defaults__, old.__kwdefaults__ = new.__defaults__, new.__kwdefaults__
    vars(old).update(vars(new))
    for cell, source in zip(own, given):
        cell.cell_contents = source.cell_contents
    return True


def take_over_class(old: type, new: type) -> bool:
    """All attributes; bases and slots have to be the same, for the sake of the instances."""
    bases = [[base.__qualname__ for base in kind.__mro__] for kind in (old, new)]
    slots = [vars(kind).get("__slots__") for kind in (old, new)]
    if bases[0] != bases[1] or slots[0] != slots[1] or old.__module__ != new.__module__:
        return False
    for name in vars(old).keys() - vars(new).keys() - KEPT:
        delattr(old, name)
    for name, value in vars(new).items():
        if name in KEPT or isinstance(value, MemberDescriptorType | GetSetDescriptorType):
            continue
        for function in functions_of(value):
            move(function, new, old)
        setattr(old, name, value)
    return True


def functions_of(attribute: Any) -> list[FunctionType]:
    """The functions behind an attribute of a class: itself, or those of a property or decorator."""
    behind = ("fget", "fset", "fdel", "func", "__func__", "__wrapped__")
    found = [attribute, *(getattr(attribute, name, None) for name in behind)]
    return [function for function in found if isinstance(function, FunctionType)]


def move(function: FunctionType, new: type, old: type) -> None:
    """Let `super()` in a method of the new class mean the old one, which stays."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        if name == "__class__" and cell.cell_contents is new:
            cell.cell_contents = old


FOLLOWER = Follower()  # one, however often a notebook begins
