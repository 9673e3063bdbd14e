"""The number in a Tensor of one element, on its way out of the graph; methods of Tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def to_float(x: Tensor) -> float:
    """float(x), as `item`; like it, it leaves the graph."""
    check_one_element("float", x.shape, "index it first")
    return float(x.data.item())


def to_int(x: Tensor) -> int:
    """int(x): the only element without its fraction."""
    check_one_element("int", x.shape, "index it first")
    return int(x.data.item())


def to_rounded(x: Tensor, digits: int | None = None) -> float:
    """round(x, digits), as of a Python number."""
    check_one_element("round", x.shape, "np.round(x.data) rounds each")
    return round(x.data.item(), digits)


def to_text(x: Tensor, form: str) -> str:
    """f"{x:.4f}": the only element in that form; without a form the text that print shows."""
    if not form:
        return str(x)
    check_one_element("format", x.shape, "leave out the form, or index it first")
    return format(x.data.item(), form)
