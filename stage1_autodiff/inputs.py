"""Checks at the door of graphs, networks and data, before anything is computed."""

from __future__ import annotations

import reprlib
import sys
from collections.abc import Hashable, Mapping, Sequence, Sized
from numbers import Real
from operator import index


def check_node(op: str, root: object, *parts: str) -> None:
    """Refuse what is no node of a graph, or lacks one of these parts.

    Raises:    TypeError: if it is something else.
    """
    node = isinstance(root, Hashable) and all(hasattr(root, part) for part in ("parents", *parts))
    if not node:
        raise TypeError(f"{op}: expected a node of a graph, got {root!r}")


def check_counts(op: str, **counts: int) -> None:
    """Refuse what is no whole number, or negative: `check_counts("Neuron", n_in=n_in)`.

    Raises:    TypeError: if it is no whole number. ValueError: if it is negative.
    """
    for name, n in counts.items():
        try:
            whole = index(n)
        except TypeError:
            raise TypeError(f"{op}: expected {name} as a whole number, got {n!r}") from None
        if not 0 <= whole < 2**31:
            raise ValueError(f"{op}: expected {name} of at least 0, got {n}")


def check_sequences(op: str, **sequences: object) -> None:
    """Refuse what has no items and no length: `check_sequences("dot", inputs=inputs)`.

    Raises:    TypeError: if it has none.
    """
    for name, items in sequences.items():
        listed = hasattr(items, "__getitem__") and not isinstance(items, Mapping)
        if not (listed and isinstance(items, Sized)) or getattr(items, "shape", None) == ():
            raise TypeError(f"{op}: expected {name} as a sequence, got {items!r}")


def check_function(op: str, f: object) -> None:
    """Refuse what cannot be called: `check_function("derivative", f)`.

    Raises:    TypeError: if it is no function.
    """
    if not callable(f):
        raise TypeError(f"{op}: expected a function first, got {f!r}")


def check_numbers(op: str, **numbers: object) -> None:
    """Refuse what is neither a real number nor a Value or Dual: `check_numbers("Dual", value=x)`.

    Raises:    TypeError: if it is something else. ValueError: if it is too large for a float.
    """
    for name, x in numbers.items():
        if not isinstance(x, Real) and not hasattr(x, "tanh"):
            raise TypeError(f"{op}: expected {name} as a number, got {x!r}")
        if isinstance(x, int) and abs(x) > sys.float_info.max:
            raise ValueError(f"{op}: expected {name} below 1.8e308, got {reprlib.repr(x)}")


def check_labelled(op: str, points: Sequence, labels: Sequence) -> None:
    """Refuse points without labels, labels that are no numbers, and none at all.

    Raises:    TypeError: if a label is no number. ValueError: if there is not one for each point.
    """
    check_sequences(op, points=points, labels=labels)
    if not 0 < len(points) == len(labels):
        got = f"{len(points)} and {len(labels)}"
        raise ValueError(f"{op}: expected points and a label for each, got {got}")
    check_numbers(op, **{f"label {i}": label for i, label in enumerate(labels)})


def check_training(model: object, loss: object, steps: int, learning_rate: float) -> None:
    """Refuse what `train` cannot make its first step with.

    Raises:    TypeError: if something is of another kind. ValueError: if a number is negative, or
               too large.
    """
    check_model("train", model, "parameters", "zero_grad")
    if not callable(loss):
        raise TypeError(f"train: expected a function that returns the loss, got {loss!r}")
    check_counts("train", steps=steps)
    check_numbers("train", learning_rate=learning_rate)


def check_model(op: str, model: object, *parts: str) -> None:
    """Refuse what cannot be called, or lacks a method: `check_model("accuracy", model)`.

    Raises:    TypeError: if it is no model.
    """
    if not callable(model) or not all(hasattr(model, part) for part in parts):
        raise TypeError(f"{op}: expected a model such as an MLP, got {model!r}")


def no_weighted_sum(error: Exception, weights: object, inputs: object, bias: object) -> Exception:
    """The error for a `dot` of what are no Values: one that says what was expected, or ours."""
    if "expected" in str(error):
        return error
    got = f"{weights!r}, {inputs!r} and {bias!r}"
    return TypeError(f"dot: expected Values as weights and bias, numbers as inputs, got {got}")
