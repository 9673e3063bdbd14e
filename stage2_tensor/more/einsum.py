"""`einsum` with "..." for axes that are not named, and without "->".

Both are shorthand. The axes behind "..." get letters of their own, the output that is missing is
written out, and the einsum of stage 2 does the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters

from stage2_tensor.broadcasting import broadcast_shapes
from stage2_tensor.creation import as_tensor
from stage2_tensor.einsum import einsum as einsum_of_letters
from stage2_tensor.more.checks import check_ellipses
from stage2_tensor.tensor import Operand, Tensor


def einsum(subscripts: str, *operands: Operand) -> Tensor:
    """The sum of products that `subscripts` describes, such as "...ij,...jk" or "ij,j->i".

    The axes behind "..." broadcast, from the right. Without "->" the output has those axes, and
    then every letter that comes once, in the order of the alphabet.

    Gradient:  as that of the einsum of stage 2
    Raises:    ValueError: if "..." comes twice in a tensor, or stands for axes that do not
               broadcast, or the letters do not describe the tensors.
    """
    if not isinstance(subscripts, str) or ("..." not in subscripts and "->" in subscripts):
        return einsum_of_letters(subscripts, *operands)
    tensors = [as_tensor(x) for x in operands]
    left, arrow, output = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    check_ellipses(subscripts, [*inputs, output], [t.shape for t in tensors])
    hidden = [behind_dots(letters, t) for letters, t in zip(inputs, tensors)]
    common = broadcast_shapes(*hidden)
    free = [c for c in ascii_letters if c not in subscripts]
    names = "".join(free[: len(common)])
    if not arrow:
        output = "..." + "".join(sorted(c for c in set(left) if c.isalpha() and left.count(c) == 1))
    tensors = [spread_out(t, s, shape, common) for t, s, shape in zip(tensors, inputs, hidden)]
    inputs = [s.replace("...", names[len(names) - len(h) :]) for s, h in zip(inputs, hidden)]
    return einsum_of_letters(f"{','.join(inputs)}->{output.replace('...', names)}", *tensors)


def behind_dots(letters: str, x: Tensor) -> tuple[int, ...]:
    """The sizes of the axes of x that "..." stands for."""
    before, dots, after = letters.partition("...")
    return x.shape[len(before) : x.ndim - len(after)] if dots else ()


def spread_out(x: Tensor, letters: str, hidden: Sequence[int], common: Sequence[int]) -> Tensor:
    """x with every axis of size 1 behind "..." copied to the size that the others have there."""
    wanted = tuple(common[len(common) - len(hidden) :])
    if wanted == tuple(hidden):
        return x
    before = letters.index("...")
    return x.broadcast_to(x.shape[:before] + wanted + x.shape[before + len(hidden) :])
