"""NumPy's own functions, called with a Tensor: the course's operation of that name, or an error.

NumPy asks an operand that has these methods before it computes. Without them `np.stack([x, x])`
would be an array of objects, and the gradient would be gone, without a word. `ndarray + x` comes
this way too.

Source:    NumPy Enhancement Proposals 13 (`__array_ufunc__`) and 18 (`__array_function__`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

import stage2_tensor
from stage2_tensor.checks.numbers import is_tensor

if TYPE_CHECKING:
    from stage2_tensor.tensor import Operand, Tensor

# Operators, for a Tensor on the left and for one on the right alone.
OPERATORS = {
    np.add: ("__add__", "__radd__"),
    np.subtract: ("__sub__", "__rsub__"),
    np.multiply: ("__mul__", "__rmul__"),
    np.divide: ("__truediv__", "__rtruediv__"),
    np.power: ("__pow__", "__rpow__"),
    np.matmul: ("__matmul__", "__rmatmul__"),
    np.less: ("__lt__", "__gt__"),
    np.less_equal: ("__le__", "__ge__"),
    np.greater: ("__gt__", "__lt__"),
    np.greater_equal: ("__ge__", "__le__"),
}
METHODS = {
    **{name: name for name in ("exp", "log", "sqrt", "sin", "cos", "tanh", "clip")},
    **{name: name for name in ("sum", "mean", "max", "min", "var", "std", "argmax", "argmin")},
    **{name: name for name in ("reshape", "transpose", "swapaxes", "squeeze")},
    **{name: name for name in ("broadcast_to", "pad", "flip")},
    **{
        "amax": "max",
        "amin": "min",
        "absolute": "abs",
        "negative": "__neg__",
        "expand_dims": "unsqueeze",
        "ravel": "flatten",
    },
}
FUNCTIONS = (
    *("concatenate", "stack", "split", "where", "maximum", "minimum"),
    *("einsum", "zeros_like", "ones_like"),
)
OTHER_WAYS = {
    "equal": "equal(x, y)",
    "not_equal": "~equal(x, y)",
    "square": "x**2",
    "reciprocal": "1 / x",
    "dot": "x @ y",
    "norm": "(x * x).sum().sqrt()",
    "take": "x.take(ids) for rows",
    "vstack": "concatenate([x, y])",
    "hstack": "concatenate([x, y], axis=1)",
}


def array(x: Tensor, dtype: object = None, copy: bool | None = None) -> NoReturn:
    """An error for np.array(x), np.asarray(x), and whatever calls them.

    Raises:    TypeError: always, since the array would have left the graph unseen.
    """
    raise TypeError(
        f"np.array: expected numbers, got a Tensor of shape {x.shape}; "
        "write x.numpy(), which leaves the graph"
    )


def array_ufunc(x: Tensor, ufunc: np.ufunc, how: str, *inputs: Operand, **options: object):
    """NumPy's function of each element, by the operation of the Tensor.

    Raises:    TypeError: if there is none, or it is called with options.
    """
    names = OPERATORS.get(ufunc)
    if names and how == "__call__" and not options:
        (a, b), (left, right) = inputs, names
        return getattr(a, left)(b) if is_tensor(a) else getattr(b, right)(a)
    name = ufunc.__name__ if how == "__call__" else f"{ufunc.__name__}.{how}"
    if options:
        raise refused(name, f"expected no options, got {', '.join(options)}")
    return operation(name)(*inputs)


def array_function(
    x: Tensor, function: Callable, types: Sequence[type], args: tuple, options: dict
):
    """NumPy's function of arrays, by the course's function of that name.

    Raises:    TypeError: if there is none, or it does not take these arguments.
    """
    name = function.__name__
    if name in ("shape", "ndim", "size") and len(args) == 1:
        return getattr(x, name)
    ours = operation(name)
    signature = inspect.signature(ours)
    try:
        signature.bind(*args, **options)
    except TypeError as error:
        known = ", ".join(signature.parameters)
        told = str(error).removeprefix("got ")
        raise refused(name, f"expected the arguments {known}, got {told}") from None
    return ours(*args, **options)


def operation(name: str) -> Callable:
    """The course's operation for this name of NumPy's.

    Raises:    TypeError: if there is none.
    """
    if name in METHODS:
        return getattr(stage2_tensor.Tensor, METHODS[name])
    if name in FUNCTIONS:
        return getattr(stage2_tensor, name)
    fix = OTHER_WAYS.get(name, "x.numpy() in place of x, which leaves the graph")
    raise refused(name, f"expected arrays, got a Tensor; write {fix}")


def refused(name: str, rule: str) -> TypeError:
    """The error for a function of NumPy's that cannot have a Tensor."""
    return TypeError(f"np.{name}: {rule}")
