"""Plain numbers, on their way into an array and out of one. Neither way leaves a node."""

from __future__ import annotations

import reprlib
from numbers import Real
from typing import TYPE_CHECKING, NoReturn, TypeGuard

import numpy as np
from numpy.typing import DTypeLike

if TYPE_CHECKING:
    from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray
REAL = "fiub"  # the kinds of dtype that are real numbers: float, int, unsigned, bool


def real_array(op: str, data: Operand | None, dtype: DTypeLike | None = None) -> Array:
    """np.asarray(data, dtype), for real numbers only; of a Tensor, its array.

    Raises:    TypeError: if these are not real numbers. ValueError: if rows differ in length.
    """
    if not (type(data) in (float, int) or (type(data) is Array and data.dtype.kind in REAL)):
        data = numbers_of(op, data)
    array = np.asarray(data, dtype)
    if array.dtype.kind not in REAL:
        raise no_numbers(op, data, array.dtype)
    return array


def numbers_of(op: str, data: object) -> Array:
    """The array that NumPy makes of it unless told a dtype: then None is NaN, and "3" is 3.

    Raises:    TypeError: if these are not real numbers. ValueError: if rows differ in length.
    """
    try:
        array = np.asarray(data.data if is_tensor(data) else data)
    except ValueError:
        raise ragged(op, data) from None
    if array.dtype.kind == "O" and all(isinstance(x, Real) for x in array.flat):
        array = array.astype(float)  # fractions, and integers beyond 64 bits
    if array.dtype.kind not in REAL:
        raise no_numbers(op, data, array.dtype)
    return array


def ragged(op: str, data: object) -> ValueError:
    """The error for rows of different lengths."""
    mend = "concatenate joins them" if holds_tensors(data) else "an array has no gaps, pad them"
    return ValueError(f"{op}: expected rows of one length, got {reprlib.repr(data)}; {mend}")


def no_numbers(op: str, data: object, dtype: np.dtype) -> TypeError:
    """The error for what is not made of real numbers."""
    if holds_tensors(data):
        got = f"{type(data).__name__} of Tensors"
        return TypeError(f"{op}: expected real numbers, got a {got}; stack makes one Tensor of it")
    got = f"dtype {dtype}" if isinstance(data, Array) or dtype.kind == "c" else reprlib.repr(data)
    mend = "is a return missing?" if data is None else "convert them to floats first"
    return TypeError(f"{op}: expected real numbers, got {got}; {mend}")


def is_tensor(data: object) -> TypeGuard[Tensor]:
    """Whether this is a Tensor, whose class cannot be imported here."""
    return hasattr(data, "requires_grad")


def holds_tensors(data: object) -> bool:
    """Whether there is a Tensor somewhere in these lists."""
    if isinstance(data, list | tuple):
        return any(map(holds_tensors, data))
    return is_tensor(data)


def item(x: Tensor) -> float:
    """The only element, as a Python number.

    Raises:    ValueError: if there are several, or none.
    """
    return only("item", x, "index it first")


def to_bool(x: Tensor) -> bool:
    """Whether the only element is not 0, as `if x:` asks.

    Raises:    ValueError: if there are several, or none.
    """
    return bool(only("bool", x, "compare it and take .any() or .all()"))


def to_number(x: Tensor) -> NoReturn:
    """What float(x), int(x) and all that calls them get, math.sqrt for instance.

    Raises:    TypeError: always, since the result would have left the graph unseen.
    """
    raise TypeError(
        f"float, int: expected a number, got a Tensor of shape {x.shape}; "
        "write .item(), which leaves the graph"
    )


def only(op: str, x: Tensor, mend: str) -> float:
    """The only element.

    Raises:    ValueError: if there are several, or none.
    """
    if x.size != 1:
        raise ValueError(f"{op}: expected one element, got shape {x.shape}; {mend}")
    return x.data.item()
