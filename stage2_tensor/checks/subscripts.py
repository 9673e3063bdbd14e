"""The subscripts of `einsum`, read and compared with its operands."""

from __future__ import annotations

from collections.abc import Sequence

from stage2_tensor.checks.joining import as_tensors
from stage2_tensor.tensor import Operand, Tensor


def parse(subscripts: str, operands: Sequence[Operand]) -> tuple[list[Tensor], list[str], str]:
    """The operands as Tensors, the letters of each, and those of the output.

    Raises:    ValueError: if they do not describe these tensors. TypeError: if they are no text.
    """
    if not isinstance(subscripts, str):
        raise TypeError(
            f"einsum: expected the subscripts first, got a {type(subscripts).__name__}; "
            'write einsum("ij->i", x)'
        )
    tensors = as_tensors("einsum", operands)
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
            f"per tensor, got {subscripts!r} for shapes {', '.join(map(str, shapes))}"
        )
    for c, found in sizes.items():
        if len(found) > 1:
            raise ValueError(
                f"einsum: expected one size for the axis {c}, got {sorted(found)}; "
                "give two axes that differ two letters"
            )
    return tensors, inputs, output
