"""How a model looks: its tree as text, a line for every layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stage3_nn.module import Module


def tree(model: Module) -> str:
    """One line per Module, indented by depth: its name, its settings, its number of parameters."""
    lines = []
    above: list[str] = []  # the names of the Modules that hold this one
    for name, module in model.named_modules():
        while above and above[-1] and not name.startswith(above[-1] + "."):
            above.pop()
        label = name.removeprefix(above[-1]).removeprefix(".") + ": " if above else ""
        size = sum(parameter.size for parameter in module.parameters())
        counted = f", {size:,} parameters" if size else ""
        lines.append(f"{'  ' * len(above)}{label}{layer_name(module)}{counted}")
        above.append(name)
    return "\n".join(lines)


def layer_name(module: Module) -> str:
    """The class of a Module with its settings: `Linear(64, 10)`."""
    return f"{type(module).__name__}({module.extra_repr()})"
