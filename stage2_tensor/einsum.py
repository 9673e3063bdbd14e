"""Sums of products, written by naming axes: einsum("bij,bjk->bik", a, b) is a stack of products."""

from __future__ import annotations

import numpy as np

from stage2_tensor.checks.subscripts import parse
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
