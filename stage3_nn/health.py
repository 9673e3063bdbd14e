"""Is every layer learning? Sizes of gradients and weights, layer by layer."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stage3_nn.argument_kinds import check_model, check_real
from stage3_nn.convolution import Conv2d
from stage3_nn.linear import Linear
from stage3_nn.module import Module, Parameter
from stage3_nn.summary import table

VANISHED = 1e-3  # of the largest gradient of the model
EXPLODED = 1.0  # a step as large as the weights themselves
DEAD = 0.5  # half of the units


@dataclass(frozen=True)
class LayerHealth:
    """The Parameters of one Module after a backward; None stands where nothing can be said."""

    name: str
    gradient: float | None  # the norm of all its gradients together
    weight: float  # the norm of its Parameters
    update: float | None  # lr * gradient / weight: how far one step of SGD moves it
    dead: float | None  # the share of its units that got no gradient at all


class GradientReport(list[LayerHealth]):
    """A LayerHealth for every Module with Parameters; `print` shows a table, `plot` bars."""

    def verdict(self, row: LayerHealth) -> str:
        """The fault of a layer in a word or two; nothing if it is well."""
        if not math.isfinite(row.weight + (row.gradient or 0)):
            return "not finite"
        if row.gradient is None:
            return "no gradient"
        if row.dead is not None and row.dead >= DEAD:
            return "dead"
        sizes = [r.gradient for r in self if r.gradient is not None and math.isfinite(r.gradient)]
        if row.gradient <= VANISHED * max(sizes):
            return "vanishing"
        return "exploding" if row.update is not None and row.update >= EXPLODED else ""

    def __str__(self) -> str:
        def cells(row: LayerHealth) -> tuple[str, ...]:
            sizes = [row.gradient, row.weight, row.update]
            shown = ["-" if size is None else f"{size:.1e}" for size in sizes]
            return (row.name, self.verdict(row), *shown, percent(row.dead))

        head = ("layer", "verdict", "gradient", "weight", "update", "dead")
        return table([head, *map(cells, self)])

    def plot(self, ax=None):
        """The gradient norm of every layer as a bar on a logarithmic scale; returns the axes."""
        import matplotlib.pyplot as plt

        ax = ax or plt.subplots(figsize=(7, 0.3 * len(self) + 1))[1]
        names = [f"{row.name}  {self.verdict(row)}" for row in self]
        colors = ["crimson" if self.verdict(row) else "steelblue" for row in self]
        ax.barh(names, [row.gradient or 0 for row in self], color=colors)
        ax.set_xscale("log")
        ax.invert_yaxis()  # the first layer on top
        ax.set_xlabel("norm of the gradient")
        return ax


def gradient_report(model: Module, lr: float = 1e-2) -> GradientReport:
    """How every layer of the model stands after a backward.

    A unit of a Linear or Conv2d is dead if neither its weights nor its bias got any gradient, as
    behind a relu that is off for the whole batch.
    """
    check_model("gradient_report", model)
    check_real("gradient_report", lr=lr)
    report = GradientReport()
    for name, module in model.named_modules():
        own = [part for part in vars(module).values() if isinstance(part, Parameter)]
        if own:
            weight = norm([p.data for p in own])
            gradients = [p.grad for p in own if p.grad is not None]
            gradient = norm(gradients) if gradients else None
            update = lr * gradient / weight if gradient is not None and weight else None
            name = name or "(model)"
            report.append(LayerHealth(name, gradient, weight, update, dead_share(module)))
    return report


def norm(arrays: list[np.ndarray]) -> float:
    """The root of the sum of all squares."""
    return math.sqrt(sum(float(np.square(a, dtype=np.float64).sum()) for a in arrays))


def dead_share(module: Module) -> float | None:
    """The share of units without any gradient; None if the Module has no units, or no gradient."""
    if not isinstance(module, Linear | Conv2d) or module.weight.grad is None:
        return None
    unit = 1 if isinstance(module, Linear) else 0  # the axis of the units
    others = tuple(axis for axis in range(module.weight.ndim) if axis != unit)
    alive = module.weight.grad.any(axis=others)
    if module.bias is not None and module.bias.grad is not None:
        alive = alive | (module.bias.grad != 0)
    return float(np.mean(~alive))


def percent(share: float | None) -> str:
    """The share as text."""
    return "-" if share is None else f"{share:.0%}"
