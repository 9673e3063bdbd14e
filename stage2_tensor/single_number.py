"""The number in a Tensor of one element, on its way out of the graph; methods of Tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from stage2_tensor.checks.numbers import check_one_element

if TYPE_CHECKING:
    from stage2_tensor.tensor import Tensor


def item(x: Tensor) -> float:
    """The only element, as a Python number.

    Raises:    ValueError: if there are several, or none.
    """
    check_one_element("item", x.shape, "index it first")
    return x.data.item()


def to_bool(x: Tensor) -> bool:
    """True if the only element is not 0, as `if x:` asks.

    Raises:    ValueError: if there are several, or none.
    """
    check_one_element("bool", x.shape, "compare it and take .any() or .all()")
    return bool(x.data.item())


def to_number(x: Tensor) -> NoReturn:
    """An error for float(x), int(x) and all that calls them, math.sqrt for instance.

    Raises:    TypeError: always, since the result would have left the graph unseen.
    """
    raise TypeError(
        f"float, int: expected a number, got a Tensor of shape {x.shape}; "
        "write .item(), which leaves the graph"
    )
