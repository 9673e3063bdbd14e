"""A model as a table: the shapes that it makes of one input, and its parameters."""

from __future__ import annotations

from stage2_tensor import Tensor
from stage3_nn.argument_kinds import check_model
from stage3_nn.modes import evaluating
from stage3_nn.module import Module, observing
from stage3_nn.tree import layer_name


def summary(model: Module, *inputs) -> str:
    """A table with a line per Module: its name, what it is, the shape that it makes, its size.

    The model runs once on the inputs, in evaluation mode and without a graph; afterwards it is as
    it was.
    """
    check_model("summary", model)
    shapes: dict[int, str] = {}

    def note(module: Module, _inputs: tuple, output: object) -> None:
        shapes[id(module)] = str(output.shape) if isinstance(output, Tensor) else ""

    with evaluating(model), observing(note):
        model(*inputs)
    rows = [("name", "layer", "output", "parameters")]
    for name, module in model.named_modules():
        own = sum(parameter.size for parameter in module.parameters())
        rows.append(
            (name or "(model)", layer_name(module), shapes.get(id(module), "-"), f"{own:,}")
        )
    return table(rows)


def table(rows: list[tuple[str, ...]]) -> str:
    """The rows in columns; the first row is the head, the last column stands on the right."""
    *widths, last = [max(map(len, column)) for column in zip(*rows)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[-1].rjust(last)])
        for row in rows
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])
