"""Refusals of the norms, of attention and of the activations here."""

from __future__ import annotations

from collections.abc import Sequence

from stage2_tensor.checks.options import check_real
from stage2_tensor.checks.shapes import Shape
from stage2_tensor.creation import as_tensor
from stage2_tensor.more.checks import read_whole
from stage2_tensor.tensor import Operand


def read_normalized(op: str, shape: Shape, normalized_shape: int | Sequence[int]) -> Shape:
    """The sizes of the last axes, those to normalise over.

    Raises:    TypeError: if they are not whole numbers. ValueError: if x ends in other ones, or
               there is nothing along them.
    """
    sizes = read_whole(op, "normalized_shape", normalized_shape)
    if shape[-len(sizes) :] != sizes or 0 in sizes:
        told = ", ".join(map(str, sizes))
        raise ValueError(f"{op}: expected x of shape (..., {told}), none of them 0, got {shape}")
    return sizes


def check_per_feature(op: str, sizes: Shape, **given: Operand | None) -> None:
    """Refuse a weight or bias that does not have one number for each feature.

    Raises:    ValueError: if it has another shape.
    """
    for name, p in given.items():
        if p is not None and as_tensor(p).shape != sizes:
            raise ValueError(f"{op}: expected {name} of shape {sizes}, got {as_tensor(p).shape}")


def check_probability(op: str, **shares: float) -> None:
    """Refuse what is not from 0 to 1.

    Raises:    ValueError: if it is outside. TypeError: if it is no number.
    """
    check_real(op, **shares)
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise ValueError(f"{op}: expected {name} from 0 to 1, got {share}")


def check_approximate(approximate: str) -> None:
    """Refuse a form of GELU that is not known.

    Raises:    ValueError: if it is neither "none" nor "tanh".
    """
    if not isinstance(approximate, str) or approximate not in ("none", "tanh"):
        raise ValueError(f'gelu: expected approximate "none" or "tanh", got {approximate!r}')


def check_beta(beta: float) -> None:
    """Refuse a sharpness that softplus cannot have.

    Raises:    ValueError: if it is not above 0. TypeError: if it is no number.
    """
    check_real("softplus", beta=beta)
    if not beta > 0:
        raise ValueError(f"softplus: expected beta above 0, got {beta}")
