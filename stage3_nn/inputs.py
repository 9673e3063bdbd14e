"""Checks at the door of layers, losses and files, before anything is computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stage2_tensor import Tensor
from stage3_nn.argument_kinds import check_real, check_tensor
from stage3_nn.tree import layer_name

if TYPE_CHECKING:
    from stage3_nn.module import Module

Array = np.ndarray
REDUCTIONS = ("mean", "sum", "none")


def check_sizes(op: str, low: int = 0, **sizes: int) -> None:
    """Refuse what is no whole number, or below `low`: `check_sizes("Linear", in_features=n)`.

    Raises:    TypeError: if a size is no whole number. ValueError: if it is too small.
    """
    for name, size in sizes.items():
        if not isinstance(size, int | np.integer) or isinstance(size, bool):
            raise TypeError(
                f"{op}: expected {name} to be a whole number, got {size!r}; convert it with int()"
            )
        if not low <= size < 2**31:
            limit = f"at least {low}" if size < low else "less than 2^31"
            raise ValueError(f"{op}: expected {name} of {limit}, got {size}")


def check_share(op: str, **shares: float) -> None:
    """Refuse what is not from 0 to 1: `check_share("Dropout", p=p)`.

    Raises:    ValueError: if a share is outside. TypeError: if it is no number.
    """
    check_real(op, **shares)
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise ValueError(f"{op}: expected {name} from 0 to 1, got {share}")


def check_positive(op: str, **numbers: float) -> None:
    """Refuse what is not above 0: `check_positive("huber_loss", delta=delta)`.

    Raises:    ValueError: if a number is 0, negative, or NaN. TypeError: if it is no number.
    """
    check_real(op, **numbers)
    for name, number in numbers.items():
        if not number > 0:
            raise ValueError(f"{op}: expected {name} above 0, got {number}")


def check_not_negative(op: str, **numbers: float) -> None:
    """Refuse numbers below 0, and NaN: `check_not_negative("LayerNorm", eps=eps)`.

    Raises:    ValueError: if there is one. TypeError: if it is no number.
    """
    check_real(op, **numbers)
    for name, number in numbers.items():
        if not number >= 0:
            raise ValueError(f"{op}: expected {name} of at least 0, got {number}")


def check_last_axis(module: Module, x: Tensor, size: int) -> None:
    """Refuse x unless its last axis, that of the features, has this size.

    Raises:    ValueError: if it has another one, or x has no axes.
    """
    shape = getattr(x, "shape", type(x).__name__)
    if shape[-1:] != (size,):
        raise ValueError(f"{layer_name(module)}: expected x of shape (..., {size}), got {shape}")


def check_batch(module: Module, x: Tensor, features: int) -> None:
    """Refuse x unless it is (N, features), with a variance over the batch in training.

    Raises:    ValueError: if it has another shape, or one row in training. TypeError: if it is no
               Tensor.
    """
    check_tensor(layer_name(module), x)
    if x.ndim != 2 or x.shape[1] != features or (module.training and len(x) < 2):
        raise ValueError(
            f"{layer_name(module)}: expected x of shape (N, {features}), with N at least 2 in "
            f"training, got {x.shape}; for a single answer call .eval() first"
        )


def check_images(op: str, x: Tensor, smallest: int, channels: int | None = None) -> None:
    """Refuse x unless it is (N, C, H, W), with H and W of at least `smallest`.

    Raises:    ValueError: if it has another shape, or another number of channels. TypeError: if it
               is no Tensor.
    """
    check_tensor(op, x)
    fits = x.ndim == 4 and channels in (None, x.shape[1]) and min(x.shape[2:]) >= smallest
    if not fits:
        C = "C" if channels is None else channels
        mend = "; x.unsqueeze(1) adds the axis of channels" if x.ndim == 3 else ""
        raise ValueError(
            f"{op}: expected x of shape (N, {C}, H, W) with H and W at least {smallest}, "
            f"got {x.shape}{mend}"
        )


def check_padding_idx(padding_idx: int | None, rows: int) -> None:
    """Refuse what is no row of a table; a negative one is counted from the end.

    Raises:    ValueError: if there is no such row. TypeError: if it is no whole number.
    """
    if padding_idx is not None:
        check_sizes("Embedding", -rows, padding_idx=padding_idx)
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise ValueError(
            f"Embedding: expected padding_idx from {-rows} to {rows - 1}, got {padding_idx}"
        )


def check_reduction(op: str, reduction: str) -> None:
    """Refuse a reduction that is not known.

    Raises:    ValueError: if it is not "mean", "sum" or "none".
    """
    if not isinstance(reduction, str) or reduction not in REDUCTIONS:
        raise ValueError(f'{op}: expected reduction "mean", "sum" or "none", got {reduction!r}')


def check_class_weight(op: str, weight: Array | None, shape: tuple[int, ...]) -> None:
    """Refuse weights of classes unless each class has one, which is finite and not negative.

    Raises:    ValueError: if they have another shape, or such a number among them.
    """
    if weight is not None and weight.shape != shape:
        raise ValueError(f"{op}: expected weight of shape {shape}, got {weight.shape}")
    if weight is not None and not ((weight >= 0) & (weight < np.inf)).all():
        raise ValueError(f"{op}: expected finite weights of at least 0, got {weight}")


def read_class_ids(op: str, targets: object) -> Array:
    """The ids of classes as an array.

    Raises:    TypeError: if they are no numbers.
    """
    try:
        ids = np.asarray(getattr(targets, "data", targets))
    except ValueError:
        ids = np.asarray(None)
    if ids.dtype.kind not in "fiub":
        raise TypeError(f"{op}: expected targets as class ids, got {targets!r}")
    return ids


def check_equal_lengths(op: str, arrays: Sequence[Array]) -> None:
    """Refuse arrays of different lengths, and none at all.

    Raises:    ValueError: if there is not one length. TypeError: if something has no length.
    """
    for array in arrays:
        if not hasattr(array, "__getitem__") or getattr(array, "shape", None) == ():
            raise TypeError(f"{op}: expected arrays with rows, got {array!r}")
    lengths = [len(array) for array in arrays]
    if len(set(lengths)) != 1:
        raise ValueError(f"{op}: expected arrays of one length, got lengths {lengths}")


def read_rows(op: str, arrays: Sequence[Array]) -> list[Array]:
    """The arrays, which have one length; lists are made arrays.

    Raises:    ValueError: if rows differ in length, or the arrays do. TypeError: if something
               has no rows.
    """
    check_equal_lengths(op, arrays)
    try:
        rows = [np.asarray(array) for array in arrays]
    except ValueError:
        raise ValueError(f"{op}: expected rows of one length, got several in a list") from None
    check_equal_lengths(op, rows)
    return rows


def check_float32(op: str, **numbers: float) -> None:
    """Refuse what no float32 can hold: `check_float32("normal", std=std)`.

    Raises:    ValueError: if a number is too large, infinite or NaN. TypeError: if it is no number.
    """
    check_real(op, **numbers)
    for name, number in numbers.items():
        if not abs(number) <= np.finfo(np.float32).max:
            raise ValueError(f"{op}: expected {name} that float32 can hold, got {number}")


def check_gain(op: str, gain: float, *fans: int) -> None:
    """Refuse a gain that scales nothing, and an output that is made from no numbers.

    Raises:    TypeError: if the gain is no number. ValueError: if it is too large for one, or there
               is no number that an output is made from.
    """
    check_real(op, gain=gain)
    if not sum(fans):
        raise ValueError(f"{op}: expected a shape with something to add up, got {sum(fans)} inputs")


def check_parts(op: str, sizes: Sequence[int]) -> None:
    """Refuse to cut n rows so that nothing is left in one part.

    Raises:    ValueError: if a part is empty.
    """
    if min(sizes) <= 0:
        raise ValueError(f"{op}: expected parts with something in them, got {sizes} rows")


def check_shape(op: str, shape: tuple[int, ...]) -> None:
    """Refuse what is no shape.

    Raises:    TypeError: if it is no tuple of whole numbers. ValueError: if one is negative.
    """
    if not isinstance(shape, tuple | list):
        raise TypeError(f"{op}: expected a shape as in (2, 3), got {shape!r}")
    check_sizes(op, **{f"axis {i}": n for i, n in enumerate(shape)})
