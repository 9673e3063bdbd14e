"""Cells of a notebook that wait for an exercise: each says so in a sentence, and the rest runs."""

from __future__ import annotations

import ast
import re
from types import TracebackType

UNFINISHED = re.compile(r"exercise (?P<id>\d+\.\d+): (?P<title>.+)")  # the message of a stub

SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)

WAITING: dict[str, str] = {}  # a name that no cell has made, and the exercise it waits for


def install(shell) -> None:
    """Let this shell of IPython explain unfinished exercises, and go on after them."""
    shell.set_custom_exc((NotImplementedError, NameError), explain)
    shell.events.register("post_run_cell", go_on)


def explain(
    shell,
    kind: type[BaseException],
    error: BaseException,
    traceback: TracebackType | None,
    tb_offset: int | None = None,
) -> None:
    """One sentence for an unfinished exercise, or for a name that such a cell would have made.

    Anything else shows the usual traceback.
    """
    if stub := UNFINISHED.fullmatch(str(error)):
        error.waits_for = stub["id"]  # type: ignore[attr-defined]
        print(
            f"This cell needs exercise {stub['id']}, {stub['title']}, which is not written yet: "
            f"write it, try it with `course test {stub['id']}`, then run on from this cell."
        )
    elif type(error) is NameError and error.name in WAITING and in_a_cell(shell, traceback):
        error.waits_for = WAITING[error.name]  # type: ignore[attr-defined]
        print(
            f"This cell needs `{error.name}`, which a cell above makes that waits for exercise "
            f"{WAITING[error.name]}."
        )
    else:
        shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)


def in_a_cell(shell, traceback: TracebackType | None) -> bool:
    """True if the line that failed stands in the notebook, not in a file."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback is not None and traceback.tb_frame.f_globals is shell.user_ns


def go_on(result) -> None:
    """Let the notebook run on after a cell that was explained, and forget what it left half made.

    Its variables are taken away, so that a cell below says what it waits for, and does not compute
    with what an earlier section left under the same name. What the cell changed in place before it
    stopped stays changed.
    """
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if shell is None or result.error_before_exec is not None:
        return
    assigned, defined = names_in(shell.transform_cell(result.info.raw_cell))
    exercise: str = getattr(result.error_in_exec, "waits_for", "")
    if not exercise:
        for name in assigned | defined:
            WAITING.pop(name, None)
        return
    for name in assigned:
        shell.user_ns.pop(name, None)
    WAITING.update(dict.fromkeys(assigned | defined, exercise))
    result.error_in_exec = None  # the reply to the notebook is "ok", so "Run All" goes on


def names_in(cell: str) -> tuple[set[str], set[str]]:
    """The variables that a cell assigns, and the functions, classes and imports it names.

    What is bound inside a function, a class or a comprehension belongs there.
    """
    assigned, defined = set(), set()
    nodes: list[ast.AST] = [ast.parse(cell)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            assigned.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.alias):
            defined.add((node.asname or node.name).split(".")[0])
        if not isinstance(node, SCOPES):
            nodes += ast.iter_child_nodes(node)
    return assigned, defined
