"""Everything that the next step of a training depends on, as arrays and numbers, and back.

Weights, the memory of the optimizer, and the state of every random generator. What is left out
makes a resumed run drift away from the one that was not interrupted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stage3_nn import Module
from stage4_optim.optimizer import Optimizer

Array = np.ndarray
Generators = dict[str, np.random.Generator]


def find_generators(model: Module, **owners: object) -> Generators:
    """Every random generator that a Module of the model, or one of the owners, has as attribute."""
    parts = {f"model.{name}": module for name, module in model.named_modules()} | owners
    return {
        f"{name}.{key}": value
        for name, part in parts.items()
        for key, value in getattr(part, "__dict__", {}).items()
        if isinstance(value, np.random.Generator)
    }


def generator_states(generators: Generators) -> dict[str, Any]:
    """The state of each generator, as a dict of numbers."""
    return {name: rng.bit_generator.state for name, rng in generators.items()}


def set_generator_states(generators: Generators, states: dict[str, Any]) -> None:
    """Put each generator where it was.

    Raises:    ValueError: if the generators are not those of the states.
    """
    if generators.keys() != states.keys():
        raise ValueError(
            f"resume: expected the generators {sorted(states)}, got {sorted(generators)}; "
            "build the model and the data as they were"
        )
    for name, rng in generators.items():
        rng.bit_generator.state = states[name]


def capture(
    model: Module, optimizer: Optimizer, generators: Generators
) -> tuple[dict[str, Array], dict[str, Any]]:
    """A copy of all arrays by name, and of all that is left, as what JSON can hold.

    Arrays are named "model.<name>" and "optimizer.<number>.<key>".
    """
    saved = optimizer.state_dict()
    arrays = {f"model.{name}": array.copy() for name, array in model.state_dict().items()}
    numbers: dict[str, dict[str, Any]] = {}
    for i, remembered in saved["state"].items():
        numbers[str(i)] = {}
        for key, value in remembered.items():
            if isinstance(value, np.ndarray):
                arrays[f"optimizer.{i}.{key}"] = value
            else:
                numbers[str(i)][key] = value
    rest = {
        "optimizer": numbers,
        "param_groups": saved["param_groups"],
        "generators": generator_states(generators),
    }
    return arrays, rest


def restore(
    arrays: dict[str, Array],
    rest: dict[str, Any],
    model: Module,
    optimizer: Optimizer,
    generators: Generators,
) -> None:
    """Bring model, optimizer and generators to the state that `capture` took.

    Raises:    ValueError: if they are built otherwise than they were.
    """
    state = {int(i): dict(remembered) for i, remembered in rest["optimizer"].items()}
    weights = {}
    for name, array in arrays.items():
        owner, _, key = name.partition(".")
        if owner == "model":
            weights[key] = array
        elif owner == "optimizer":
            i, _, key = key.partition(".")
            state[int(i)][key] = array
    model.load_state_dict(weights)
    optimizer.load_state_dict({"state": state, "param_groups": rest["param_groups"]})
    set_generator_states(generators, rest["generators"])
