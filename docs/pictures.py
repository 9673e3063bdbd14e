"""Draws the picture of the README: `python docs/pictures.py`."""

from pathlib import Path

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from stage1_autodiff import MLP, accuracy, hinge_loss, train, two_moons

HERE = Path(__file__).parent


def main() -> None:
    """Train on two moons, and draw what the network makes of the plane."""
    points, labels = two_moons(100, 0.1, np.random.default_rng(0))
    model = MLP(2, [16, 16, 1], rng=np.random.default_rng(0))
    rows, targets = points.tolist(), labels.tolist()
    train(model, lambda: hinge_loss(model, rows, targets), steps=80, learning_rate=0.7)
    reached = accuracy(model, rows, targets)
    print(f"accuracy on the {len(rows)} training points: {reached:.0%}")

    across = np.linspace(-1.6, 2.6, 90)
    up = np.linspace(-1.1, 1.6, 60)
    score = [[model([float(x), float(y)]).data for x in across] for y in up]

    figure = Figure(figsize=(6, 3.9), dpi=110)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.contourf(across, up, np.sign(score), levels=1, colors=["#f6d9c9", "#cfe5e3"])
    axes.contour(across, up, score, levels=[0], colors="#444444", linewidths=1.5)
    colours = ListedColormap(["#e8590c", "#1f7a74"])
    axes.scatter(*points.T, c=labels, cmap=colours, s=26, edgecolors="white", linewidths=0.7)
    axes.set_axis_off()
    figure.savefig(HERE / "two_moons.png", metadata={"Software": None})


if __name__ == "__main__":
    main()
