"""Refusals of the optimizers in this folder."""

from __future__ import annotations

from collections.abc import Sequence


def check_has_rate(groups: Sequence[dict]) -> None:
    """Refuse groups without a learning rate: there is no optimizer behind this class.

    Raises:    TypeError: if one has none.
    """
    if not all("lr" in group for group in groups):
        raise TypeError(
            "GroupRates: expected an optimizer with lr behind it, got none; "
            "write class MySGD(GroupRates, SGD)"
        )


def check_first_rate(rates: Sequence[float]) -> None:
    """Refuse learning rates that have no ratio to the first one.

    Raises:    ValueError: if the first one is 0, and another is not.
    """
    if not rates[0] and any(rates):
        raise ValueError(
            f"optimizer: expected a learning rate above 0 in the first group, got {list(rates)}; "
            "the others keep their ratio to it, so put a group that moves first"
        )
