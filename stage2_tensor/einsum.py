"""Sums of products, written by naming axes: einsum("bij,bjk->bik", a, b) is a stack of products."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stage2_tensor.creation import as_tensor
from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray


def einsum(subscripts: str, *operands: Operand) -> Tensor:
    """The sum of products that `subscripts` describes: a letter per axis, "inputs->output".

    Letters that are missing from the output are summed over.

    Gradient:  the same product with g in the place of the input: the subscripts of g and of the
               other inputs come first, those of the input are the output. A letter that only this
               input has was summed over, so its gradient is copied along that axis.
    Raises:    ValueError: if there is no "->", an input has a letter twice, or sizes differ.
    """
    tensors, inputs, output = parse(subscripts, operands)
    arrays = [t.data for t in tensors]
    y = np.einsum(subscripts, *arrays, optimize=True)

    def vjp(i: int):
        others = [*inputs[:i], *inputs[i + 1 :]]
        rest = [*arrays[:i], *arrays[i + 1 :]]
        reachable = "".join(c for c in inputs[i] if c in output or any(c in o for o in others))
        formula = f"{','.join([output, *others])}->{reachable}"
        shape = tensors[i].shape
        kept = tuple(n if c in reachable else 1 for c, n in zip(inputs[i], shape))

        def gradient(g: Array) -> Array:
            summed = np.einsum(formula, g, *rest, optimize=True)
            return np.broadcast_to(summed.reshape(kept), shape)

        return gradient

    edges = [(t, vjp(i)) for i, t in enumerate(tensors)]
    return Tensor.from_op(y, *edges, op="einsum")


def parse(subscripts: str, operands: Sequence[Operand]) -> tuple[list[Tensor], list[str], str]:
    """The operands as Tensors, the letters of each, and those of the output.

    Raises:    ValueError: if they do not describe these tensors. TypeError: if they are no text.
    """
    if not isinstance(subscripts, str):
        raise TypeError(
            f"einsum: expected the subscripts first, got a {type(subscripts).__name__}; "
            'write einsum("ij->i", x)'
        )
    tensors = [as_tensor(x) for x in operands]
    left, arrow, output = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    shapes = [t.shape for t in tensors]
    sizes: dict[str, set[int]] = {}
    for letters, shape in zip(inputs, shapes):
        for c, n in zip(letters, shape):
            sizes.setdefault(c, set()).add(n)
    described = [len(letters) for letters in inputs] == [len(shape) for shape in shapes]
    twice = any(len(set(letters)) < len(letters) for letters in [*inputs, output])
    known = set(output) <= set(sizes) and all(c.isalpha() for c in sizes)
    if not arrow or not described or twice or not known:
        raise ValueError(
            'einsum: expected one letter per axis and "->", as in "ij,jk->ik", each letter once '
            f"per tensor, got {subscripts!r} for shapes {', '.join(map(str, shapes))}; "
            "count the letters and the axes"
        )
    for c, found in sizes.items():
        if len(found) > 1:
            raise ValueError(
                f"einsum: expected one size for the axis {c}, got {sorted(found)}; "
                "give two axes that differ two letters"
            )
    return tensors, inputs, output
