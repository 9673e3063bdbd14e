"""The start of every notebook, and the question that comes before an answer.

from course.notebook import begin, predict
begin("stage1_autodiff")
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Protocol, TypeAlias

Answer: TypeAlias = float | str

CLOSE = 0.01  # a guess this near to the answer, relative to it, counts as right

UNFINISHED = re.compile(r"exercise (?P<id>\d+\.\d+): (?P<title>.+)")  # the message of a stub

WAITING: list[str] = []  # exercises that a cell of this notebook stumbled over

LOOK = {
    "figure.figsize": (6.4, 3.6),
    "figure.dpi": 80,
    "figure.facecolor": "#fbfaf6",
    "axes.facecolor": "#fbfaf6",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#6b7080",
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dedace",
    "grid.linewidth": 0.6,
    "lines.linewidth": 2,
    "legend.frameon": False,
    "font.family": "DejaVu Sans",  # comes with matplotlib, so figures look the same everywhere
    "font.size": 10,
}
COLOURS = ["#4a4e9c", "#e8590c", "#1f7a74", "#c3002f", "#6b7080"]


class Shell(Protocol):
    """The part of IPython's shell that is used."""

    def showtraceback(
        self,
        exc_tuple: tuple[type[BaseException], BaseException, TracebackType | None],
        tb_offset: int | None = None,
    ) -> None: ...


def begin(stage: str) -> None:
    """Choose the code that this notebook runs, say which, and set how numbers and plots look.

    In a learner's workspace that is the learner's package; anywhere else it is the reference. An
    unfinished exercise is shown as a sentence instead of a traceback.
    """
    import numpy as np

    print(f"{stage}: {'your code' if use_own_code(stage) else 'the reference'}")
    np.set_printoptions(precision=4, suppress=True)
    style_plots()
    shell = running_shell()
    if shell is not None:
        shell.set_custom_exc((NotImplementedError, NameError), show_unfinished)


def use_own_code(stage: str) -> bool:
    """True if the stage comes from a workspace around the working directory; arranges for it."""
    here = Path.cwd()
    if not any((folder / ".course").is_dir() for folder in [here, *here.parents]):
        return False
    from course.workspace.imports import activate

    return activate([stage])[stage].whose == "yours"


def style_plots() -> None:
    """Give all figures one look."""
    from cycler import cycler
    from matplotlib import style

    style.use({**LOOK, "axes.prop_cycle": cycler(color=COLOURS)})


def running_shell():
    """IPython's shell if this runs in one, else None."""
    try:
        from IPython.core.getipython import get_ipython
    except ImportError:
        return None
    return get_ipython()


def show_unfinished(
    shell: Shell,
    kind: type[BaseException],
    error: BaseException,
    traceback: TracebackType | None,
    tb_offset: int | None = None,
) -> None:
    """One sentence for an unfinished exercise, or for a name that such a cell would have made.

    Anything else shows the usual traceback.
    """
    stub = UNFINISHED.fullmatch(str(error))
    if stub is None and isinstance(error, NameError) and WAITING:
        print(
            f"This cell needs `{error.name}`, which a cell above makes that waits for exercise "
            f"{WAITING[-1]}."
        )
        return
    if stub is None:
        shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)
        return
    WAITING.append(stub["id"])
    print(
        f"This cell needs exercise {stub['id']}, {stub['title']}, which is not written yet: "
        f"write it, try it with `course test {stub['id']}`, then restart the kernel "
        "and run the notebook again."
    )


def predict(guess: Answer | None, actual: Answer, why: Mapping[Answer, str] | None = None) -> None:
    """Print whether a guess made before running was right, and if not, why one could think so.

    `why` maps wrong guesses that are easily made to what is wrong with them.
    """
    answer = _show(actual)
    if guess is None:
        print('No guess yet: put one in place of None, or "?" to be told, and run the cell again.')
        return
    if guess == "?":
        print(f"It is {answer}.")
        return
    reason = next((text for wrong, text in (why or {}).items() if _agree(guess, wrong, 0)), None)
    if reason is not None:
        print(f"Not {_show(guess)} but {answer}: {reason}.")
    elif _agree(guess, actual, CLOSE):
        print(f"Right: {answer}.")
    else:
        print(f"Not {_show(guess)} but {answer}.")


def _agree(guess: Answer, answer: Answer, tolerance: float) -> bool:
    if isinstance(guess, str) or isinstance(answer, str):
        return str(guess).strip().lower() == str(answer).strip().lower()
    return math.isclose(guess, answer, rel_tol=tolerance, abs_tol=1e-9)


def _show(answer: Answer) -> str:
    return answer if isinstance(answer, str) else f"{answer:.6g}"
