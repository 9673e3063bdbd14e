"""Broadcasting: which shapes fit together, what comes out, and the way back for gradients.

Shapes are compared from the right. Two axes fit if they are equal or one of them is 1; a missing
axis on the left counts as 1. The axis of size 1 is then used again and again: it is copied.
"""

from __future__ import annotations

import numpy as np

from stage2_tensor.checks.shape_errors import ShapeTable, clash
from stage2_tensor.checks.shapes import Shape, check_shapes, check_sum_down

Array = np.ndarray


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
            raise clash("broadcast", *shapes)
        result.append(sizes.pop() if sizes else 1)
    return tuple(result)


def unbroadcast(g: Array, shape: Shape) -> Array:
    """`g` summed down to `shape`: what was copied k times receives k gradients.

    Raises:    ValueError: if `shape` does not broadcast to the shape of g.
    """
    check_sum_down(g, shape)
    if g.shape == shape:
        return g
    added = g.ndim - len(shape)  # axes that broadcasting put in front
    axes = tuple(i for i in range(g.ndim) if i < added or shape[i - added] == 1)
    total = g.sum(axis=axes)
    return total if total.shape == shape else total.reshape(shape)  # a view only if it must be


def fit(share: Array, like: Array) -> Array:
    """The gradient that a vjp returned, in the shape and dtype of the input it belongs to."""
    if share.shape != like.shape:
        share = unbroadcast(share, like.shape)
    return share if share.dtype == like.dtype else share.astype(like.dtype)


def align_shapes(*shapes: Shape) -> ShapeTable:
    """The shapes right-aligned, one line each, with the result or the axis that clashes."""
    check_shapes("align_shapes", shapes)
    return ShapeTable(shapes)
