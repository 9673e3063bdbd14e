"""A gradient where a mask lets it through, and 0 where it does not."""

from __future__ import annotations

import math

import numpy as np

Array = np.ndarray
SMALL = 256  # elements: a look at fewer takes longer than it saves


def masked(g: Array, share: Array) -> Array:
    """g times its share, and 0 where the share is 0: an infinite g times 0 would be NaN.

    A large g is looked at: as a rule it is finite, and a product says the same as `np.where`, six
    times as fast.
    """
    if share.dtype == bool and g.size <= SMALL:
        return np.where(share, g, 0)
    if math.isfinite(np.vdot(g, g)):
        return g * share
    return np.multiply(g, share, out=np.zeros(g.shape, g.dtype), where=share != 0)
