"""Learning curves: what runs wrote into their folders, as a picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from stage4_optim.run_folder import read_rows

Array = np.ndarray


def plot_curves(*folders: str | Path, path: Path | None = None):
    """The loss of every step and the figures of every evaluation, side by side.

    A faint line is the loss itself, the line in it the mean of neighbours. Works while the run
    goes on. Returns the figure, and writes it if there is a path.

    Raises:    FileNotFoundError: if a folder holds no log.
    """
    import matplotlib.pyplot as plt

    runs = {str(folder): columns(Path(folder) / "log.csv") for folder in folders}
    if not all(runs.values()):
        raise FileNotFoundError(
            f"plot_curves: expected run folders, got {', '.join(map(str, folders))} with no "
            "log.csv in one of them; train with folder= first"
        )
    found = {str(folder): columns(Path(folder) / "evaluations.csv") for folder in folders}
    figures = list(dict.fromkeys(name for run in found.values() for name in run if name != "step"))
    wide = 1 + len(figures)
    fig, axes = plt.subplots(1, wide, figsize=(4.5 * wide, 3), layout="constrained", squeeze=False)
    for number, (name, run) in enumerate(runs.items()):
        color = f"C{number}"
        axes[0, 0].plot(run["step"], run["loss"], color=color, alpha=0.25, lw=0.7)
        axes[0, 0].plot(
            moving_average(run["step"]), moving_average(run["loss"]), color=color, label=name
        )
        for ax, figure in zip(axes[0, 1:], figures):
            if figure in found[name]:
                ax.plot(found[name]["step"], found[name][figure], ".-", color=color, label=name)
    for ax, title in zip(axes[0], ("loss", *figures)):
        ax.set(title=title, xlabel="step")
        ax.locator_params(axis="x", nbins=5)  # steps are long numbers
    if len(runs) > 1:
        axes[0, 0].legend()
    axes[0, 0].set_yscale("log")
    if path is not None:
        fig.savefig(path)
    return fig


def columns(path: Path) -> dict[str, Array]:
    """The columns of a log by their names; none if there is no such file, or nothing in it."""
    rows = read_rows(path)
    return {name: np.array([float(row[name]) for row in rows]) for name in (rows or [{}])[0]}


def moving_average(values: Array) -> Array:
    """The mean of each fiftieth part of the values and its neighbours."""
    window = max(1, len(values) // 50)
    return np.convolve(values, np.full(window, 1 / window), mode="valid")
