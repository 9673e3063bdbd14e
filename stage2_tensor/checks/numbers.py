"""Refusals of what is no real number, or not as many numbers as an operation works with."""

from __future__ import annotations

import math
import reprlib
from numbers import Real
from typing import TYPE_CHECKING, TypeGuard

import numpy as np
from numpy.typing import DTypeLike

from stage2_tensor.checks.options import check_real

if TYPE_CHECKING:
    from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray
REAL = "fiub"  # the kinds of dtype that are real numbers: float, int, unsigned, bool


def real_array(op: str, data: Operand | None, dtype: DTypeLike | None = None) -> Array:
    """np.asarray(data, dtype), for real numbers only; of a Tensor, its array.

    Raises:    TypeError: if these are not real numbers. ValueError: if rows differ in length.
    """
    if type(data) is Array and data.dtype is dtype and data.dtype.kind in REAL:
        return data
    if not (type(data) in (float, int) or (type(data) is Array and data.dtype.kind in REAL)):
        data = numbers_of(op, data)
    try:
        array = np.asarray(data, None if dtype is None else read_dtype(op, dtype))
    except OverflowError:
        raise ValueError(
            f"{op}: expected numbers that {dtype or 'a float'} can hold, got {reprlib.repr(data)}"
        ) from None
    if array.dtype.kind not in REAL:
        raise no_numbers(op, data, array.dtype)
    return array


def read_dtype(op: str, dtype: DTypeLike) -> np.dtype:
    """A dtype of real numbers.

    Raises:    TypeError: if it is another, or none.
    """
    try:
        read = np.dtype(dtype)
    except TypeError:
        read = None
    if dtype is None or read is None or read.kind not in REAL:
        raise TypeError(f"{op}: expected a dtype of real numbers, got {dtype!r}; write np.float32")
    return read


def numbers_of(op: str, data: object) -> Array:
    """The array that NumPy makes of it unless told a dtype: then None is NaN, and "3" is 3.

    Raises:    TypeError: if these are not real numbers. ValueError: if rows differ in length.
    """
    if holds_itself(data):
        raise ValueError(f"{op}: expected lists of numbers, got a list that holds itself")
    try:
        array = np.asarray(data.data if is_tensor(data) else data)
    except ValueError:
        raise ragged(op, data) from None
    except TypeError:  # there is a Tensor among them, and it is asked for its array
        shapes = {t.shape for t in tensors_in(data)}
        raise (
            ragged(op, data) if len(shapes) > 1 else no_numbers(op, data, np.dtype(object))
        ) from None
    if array.dtype.kind == "O" and all(isinstance(x, Real) for x in array.flat):
        array = as_floats(op, array)  # fractions, and integers beyond 64 bits
    if array.dtype.kind not in REAL:
        raise no_numbers(op, data, array.dtype)
    return array


def as_floats(op: str, array: Array) -> Array:
    """An array of Python's numbers as one of floats.

    Raises:    ValueError: if one of them is too large.
    """
    try:
        return array.astype(float)
    except OverflowError:
        told = reprlib.repr(array.tolist())
        raise ValueError(f"{op}: expected numbers below 1.8e308, got {told}") from None


def holds_itself(data: object, outer: tuple = ()) -> bool:
    """True for a list that is somewhere within itself: NumPy would never come to its end."""
    if not isinstance(data, list | tuple):
        return False
    outer = (*outer, data)
    return any(any(part is x for x in outer) or holds_itself(part, outer) for part in data)


def read_range(op: str, bounds: Operand) -> Array:
    """A lower and an upper bound as an array.

    Raises:    TypeError: if these are not real numbers. ValueError: if they bound no finite range.
    """
    array = real_array(op, bounds)
    if array.shape != (2,) or not np.isfinite(array).all() or array[0] > array[1]:
        raise ValueError(f"{op}: expected finite low <= high, got {reprlib.repr(bounds)}")
    return array


def ragged(op: str, data: object) -> ValueError:
    """The error for rows of different lengths."""
    fix = "concatenate joins them" if tensors_in(data) else "an array has no gaps, pad them"
    return ValueError(f"{op}: expected rows of one length, got {reprlib.repr(data)}; {fix}")


def no_numbers(op: str, data: object, dtype: np.dtype) -> TypeError:
    """The error for what is not made of real numbers."""
    if tensors_in(data):
        got = f"{type(data).__name__} of Tensors"
        return TypeError(f"{op}: expected real numbers, got a {got}; stack makes one Tensor of it")
    got = f"dtype {dtype}" if isinstance(data, Array) or dtype.kind == "c" else reprlib.repr(data)
    fix = "; is a return missing?" if data is None else ""
    return TypeError(f"{op}: expected real numbers, got {got}{fix}")


def is_tensor(data: object) -> TypeGuard[Tensor]:
    """True for a Tensor, whose class cannot be imported here."""
    return hasattr(data, "requires_grad")


def tensors_in(data: object) -> list[Tensor]:
    """The Tensors in these lists."""
    if isinstance(data, list | tuple):
        return [t for part in data for t in tensors_in(part)]
    return [data] if is_tensor(data) else []


def require_tensor(op: str, x: object) -> Tensor:
    """x itself.

    Raises:    TypeError: if it is no Tensor.
    """
    if not is_tensor(x):
        raise TypeError(f"{op}: expected a Tensor, got {reprlib.repr(x)}; write Tensor(x)")
    return x


def check_no_numbers(other: object) -> None:
    """Refuse to answer `x == other` with one word where numbers are meant.

    Raises:    TypeError: if these are numbers, a list or an array.
    """
    if isinstance(other, Real | list | tuple | np.ndarray | np.generic):
        raise TypeError(
            f"==: expected a Tensor, which is equal to itself alone, got {reprlib.repr(other)}; "
            f"write equal(x, {reprlib.repr(other)})"
        )


def no_booleans(op: str) -> TypeError:
    """The error for arithmetic that NumPy does not know for booleans."""
    return TypeError(f"{op}: expected numbers, got booleans; where(x, 1, 0) makes numbers")


def check_power(x: Array, p: Array) -> None:
    """Refuse negative powers of integers, which are no integers.

    Raises:    ValueError: if there is one.
    """
    if x.dtype.kind in "iub" and p.dtype.kind in "ib" and (p < 0).any():
        raise ValueError(
            f"pow: expected exponents >= 0 for {x.dtype}, got {p.min()}; "
            "make the base with dtype=np.float32"
        )


def check_one_element(op: str, shape: tuple[int, ...], fix: str) -> None:
    """Refuse to make a single number of several, or of none.

    Raises:    ValueError: if there is not exactly one.
    """
    if math.prod(shape) != 1:
        raise ValueError(f"{op}: expected one element, got shape {shape}; {fix}")


def check_bounds(low: float | None, high: float | None) -> None:
    """Refuse bounds that nothing lies between, and what is no bound.

    Raises:    TypeError: if a bound is not a number. ValueError: if low > high.
    """
    for bound in (low, high):
        if bound is not None and not isinstance(bound, Real):
            raise TypeError(
                f"clip: expected numbers or None as bounds, got {bound!r}; "
                "maximum and minimum take a Tensor"
            )
        if bound is not None:
            check_real("clip", bound=bound)
    if low is not None and high is not None and low > high:
        raise ValueError(f"clip: expected low <= high, got {low} and {high}")
