"""Arguments for a fuzz, drawn by a seed: what fits, what nearly fits, and what nobody meant."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from stage1_autodiff import Dual, Value
from stage2_tensor import Tensor

SHAPES = [
    (),
    (1,),
    (3,),
    (0,),
    (2, 3),
    (3, 1),
    (1, 3),
    (0, 3),
    (2, 0),
    (2, 3, 4),
    (1, 1, 3),
    (4, 2, 3),
]
SMALL = [0, 1, 2, 3, -1, -2, 0.5, 1.5, -0.5, 10**6, -(10**6), 10**20, True, np.int64(2)]
SMALL += [np.float32(0.1), float("nan"), float("inf"), 10**400, -(10**400), Fraction(1, 3)]
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 1e30]


def shape(rng):
    """A shape, among them one without axes and some without numbers."""
    return SHAPES[rng.integers(len(SHAPES))]


def numbers(rng, of=None):
    """An array of ordinary numbers, sometimes with a special one in it."""
    array = np.array(rng.uniform(-2, 2, shape(rng) if of is None else of)).round(3)
    array = np.asarray(array)  # NumPy makes a number of what has no axes
    if array.size and rng.random() < 0.15:
        array.flat[rng.integers(array.size)] = SPECIAL[rng.integers(len(SPECIAL))]
    return array


def array(rng):
    """An array of any kind: dtypes, layouts, subclasses, and some that are no numbers."""
    base = numbers(rng)
    kinds = [
        lambda: base,
        lambda: base.astype(np.float32),
        lambda: np.nan_to_num(base, posinf=9, neginf=-9).astype(int),
        lambda: base > 0,
        lambda: base.astype(np.float16),
        lambda: base[::-1] if base.ndim else base,
        lambda: np.broadcast_to(base, (2, *base.shape)),
        lambda: base.astype(complex),
        lambda: base.astype(object),
        lambda: base.astype(str),
        lambda: np.ma.masked_array(base, mask=base > 1),
        lambda: read_only(base),
    ]
    with np.errstate(all="ignore"):  # numbers that do not fit into another dtype
        return kinds[rng.integers(len(kinds))]()


def read_only(x):
    """A copy that must not be written to."""
    x = np.array(x)
    x.flags.writeable = False
    return x


def tensor(rng):
    """A Tensor, with or without a gradient."""
    dtype = [np.float32, np.float64][rng.integers(2)]
    return Tensor(numbers(rng), requires_grad=bool(rng.integers(2)), dtype=dtype)


def small(rng):
    """A number as axes, sizes, rates and options are: small, negative, huge, or none."""
    return SMALL[rng.integers(len(SMALL))]


def strange(rng):
    """Something that no operation takes."""
    pool = [None, "3", "mean", b"x", {}, {"a": 1}, set(), object(), lambda x: x, [], (), ...]
    pool += [[[1.0], [1.0, 2.0]], slice(None), 1j, [None, 1.0], "relu", range(3), Exception]
    pool += [np.datetime64("2020-01-01"), np.random.default_rng(0), [Tensor([1.0])]]
    pool += [Value(2.0), Dual(1.0, 0.0), itself()]
    return pool[rng.integers(len(pool))]


def itself():
    """A list that holds itself."""
    things = [1.0]
    things.append(things)
    return things


def any_argument(rng):
    """One argument: a Tensor most often, then arrays, lists, small numbers, and the strange."""
    draw = rng.random()
    if draw < 0.35:
        return tensor(rng)
    if draw < 0.5:
        return array(rng)
    if draw < 0.55:
        return numbers(rng).tolist()
    if draw < 0.62:
        return tuple(int(n) for n in rng.integers(-2, 4, rng.integers(4)))
    if draw < 0.85:
        return small(rng)
    return strange(rng)
