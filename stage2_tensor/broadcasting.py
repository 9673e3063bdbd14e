"""Broadcasting: which shapes fit together, what comes out, and the way back for gradients.

Shapes are compared from the right. Two axes fit if they are equal or one of them is 1; a missing
axis on the left counts as 1. The axis of size 1 is then used again and again: it is copied.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stage2_tensor.shape_table import ShapeTable

Array = np.ndarray
Shape = tuple[int, ...]


def broadcast_shapes(*shapes: Shape) -> Shape:
    """The shape that arrays of these shapes have in common.

    Raises:    ValueError: if an axis has two sizes that are not 1.
    """
    check_shapes("broadcast", shapes)
    ndim = max((len(shape) for shape in shapes), default=0)
    result = []
    for axis in range(-ndim, 0):
        sizes = {shape[axis] for shape in shapes if -axis <= len(shape)} - {1}
        if len(sizes) > 1:
            raise ValueError(clash("broadcast", *shapes))
        result.append(sizes.pop() if sizes else 1)
    return tuple(result)


def unbroadcast(g: Array, shape: Shape) -> Array:
    """`g` summed down to `shape`: what was copied k times receives k gradients.

    Raises:    ValueError: if `shape` does not broadcast to the shape of g.
    """
    if g.shape == shape:
        return g
    added = g.ndim - len(shape)  # axes that broadcasting put in front
    if added < 0 or any(n not in (1, m) for n, m in zip(shape, g.shape[added:])):
        raise ValueError(
            f"unbroadcast: expected a shape that broadcasts to {g.shape}, got {shape}; "
            "a vjp returns a gradient of the shape of its output or its input"
        )
    axes = tuple(i for i in range(g.ndim) if i < added or shape[i - added] == 1)
    total = g.sum(axis=axes)
    return total if total.shape == shape else total.reshape(shape)  # a view only if it must be


def fit(share: Array, like: Array) -> Array:
    """What a vjp returned, in the shape and dtype of the input that it is for."""
    if share.shape != like.shape:
        share = unbroadcast(share, like.shape)
    return share if share.dtype == like.dtype else share.astype(like.dtype)


def explain(*shapes: Shape) -> ShapeTable:
    """The shapes right-aligned, one line each, with the result or the axis that clashes."""
    check_shapes("explain", shapes)
    return ShapeTable(shapes)


def check_shapes(op: str, shapes: Sequence[Shape]) -> None:
    """Refuse what is no shape.

    Raises:    TypeError: if one of them is no tuple or list of whole numbers.
    """
    for shape in shapes:
        sequence = isinstance(shape, tuple | list)
        if not sequence or not all(isinstance(n, int | np.integer) for n in shape):
            raise TypeError(
                f"{op}: expected shapes, which are tuples of sizes, got {shape!r}; "
                "a single axis is written (3,)"
            )


def check_broadcast(op: str, a: Shape, b: Shape) -> None:
    """Refuse shapes that do not broadcast, with a message that draws them.

    Raises:    ValueError: if an axis has two sizes that are not 1.
    """
    for n, m in zip(reversed(a), reversed(b)):
        if n != m and n != 1 and m != 1:
            raise ValueError(clash(op, a, b))


def clash(op: str, *shapes: Shape) -> str:
    """The message for shapes that do not fit: the rule, the table, and one likely mend."""
    told = " and ".join(map(str, shapes))
    table = ShapeTable(shapes)
    return (
        f"{op}: expected shapes whose axes are equal or 1, from the right, got {told}; "
        f"{table.mend()}\n{table}"
    )
