"""Work that several edges of a node have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from stage2_tensor.tensor import Tensor

Array = np.ndarray
NOTHING = (None, None, 0)


def shared(work: Callable[[Array], Any], *parents: Tensor | None) -> Callable[[Array], Any]:
    """`work(g)`, done for the first of these parents that asks, and let go of after the last.

    `backward` calls the vjps of a node one after the other, all with the same g.
    """
    edges = sum([p is not None and p.requires_grad for p in parents])
    kept: tuple = NOTHING  # g, work(g), and how many have yet to ask

    def answer(g: Array) -> Any:
        nonlocal kept
        last, result, left = kept
        if last is not g:
            result, left = work(g), edges
        kept = (g, result, left - 1) if left > 1 else NOTHING
        return result

    return answer
