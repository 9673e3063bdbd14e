"""The start of every notebook, and the question that comes before an answer.

from course.notebook import begin, predict
begin("stage1_autodiff")
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from pathlib import Path

from course import predictions
from course.predictions import Answer, Prediction, show

CLOSE = 0.01  # a guess this near to the answer, relative to it, counts as right

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


def begin(stage: str) -> None:
    """Choose the code that this notebook runs, say which, and set how numbers and plots look.

    In a learner's workspace that is the learner's package, and the notebook follows its files; an
    unfinished exercise is shown as a sentence instead of a traceback, and the notebook runs on.
    Anywhere else it is the reference.
    """
    import numpy as np

    own = own_packages(stage)
    print(f"{stage}: {'your code' if stage in own else 'the reference'}")
    np.set_printoptions(precision=4, suppress=True)
    style_plots()
    shell = running_shell()
    if shell is not None:
        help_along(shell, own)


def own_packages(stage: str) -> list[str]:
    """The stages that come from a workspace around the working directory; arranges for it."""
    here = Path.cwd()
    if not any((folder / ".course").is_dir() for folder in [here, *here.parents]):
        return []
    from course.workspace.imports import activate

    return [package for package, code in activate([stage]).items() if code.whose == "yours"]


def help_along(shell, own: list[str]) -> None:
    """Let a shell of IPython explain unfinished exercises and follow the learner's own files."""
    from course import unfinished
    from course.workspace.following import FOLLOWER

    unfinished.install(shell)
    if own:
        FOLLOWER.install(shell, own)


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


def predict(guess: Answer | None, actual: Answer, why: str | Mapping[Answer, str] = "") -> None:
    """Print whether a guess made before running was right, and if not, why one could think so.

    `why` names a prediction of the course, which knows wrong guesses that are easily made and what
    is wrong with them. A notebook of an earlier version brings them along, in a table.
    """
    if isinstance(why, str):
        known = predictions.find(why) or Prediction(actual)
    else:
        known = Prediction(actual, tuple(why.items()))
    answer = show(actual)
    if show(known.answer) != answer:
        print("The course gets another answer here: was the cell changed, or is its code wrong?")
    if guess is None:
        print('No guess yet: put one in place of None, or "?" to be told, and run the cell again.')
        return
    if guess == "?":
        print(f"It is {answer}.")
        return
    reason = next((text for wrong, text in known.why if _agree(guess, wrong, 0)), None)
    if reason is not None:
        print(f"Not {show(guess)} but {answer}: {reason}.")
    elif _agree(guess, actual, CLOSE):
        print(f"Right: {answer}.")
    else:
        print(f"Not {show(guess)} but {answer}.")


def _agree(guess: Answer, answer: Answer, tolerance: float) -> bool:
    if isinstance(guess, Real) and isinstance(answer, Real):
        return math.isclose(guess, answer, rel_tol=tolerance, abs_tol=1e-9)
    return _letters(guess) == _letters(answer)


def _letters(answer: Answer) -> str:
    """The letters of an answer, which are compared where it is text."""
    return "".join(str(answer).lower().split())
