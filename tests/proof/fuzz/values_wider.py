"""Right calls of the wider forms of stage 2."""

from __future__ import annotations

import numpy as np

import stage2_tensor.more as m
from tests.proof.fuzz import formulas
from tests.proof.fuzz.drawing import (
    a_flag,
    along,
    an_axis,
    apart,
    of_one,
    one_axis,
    reduction,
    shaped,
)
from tests.proof.fuzz.values_tensors import einsum as plain_einsum
from tests.proof.fuzz.values_tensors import queries


def with_option(course, reference, low=0.2, high=2.0):
    """A case of an activation with one number as its option."""

    def case(rng):
        option = float(rng.uniform(low, high))
        return (
            lambda x: course(x, option),
            lambda x: reference(x, option),
            [apart(rng, shaped(rng), -4, 4)],
        )

    return case


def gelu(rng):
    form = ["none", "tanh"][rng.integers(2)]
    reference = {"none": formulas.gelu, "tanh": formulas.gelu_tanh}[form]
    return (lambda x: m.gelu(x, form)), reference, [apart(rng, shaped(rng), -4, 4)]


def repeat(rng):
    shape = shaped(rng, 1)
    axis = one_axis(rng, shape)
    times = [int(n) for n in rng.integers(0, 4, shape[axis])] if a_flag(rng) else 2
    return (
        lambda a: m.repeat(a, times, axis), lambda a: np.repeat(a, times, axis), [apart(rng, shape)]
    )  # fmt: skip


def tile(rng):
    reps = tuple(int(n) for n in rng.integers(0, 3, rng.integers(1, 4)))
    return (lambda a: m.tile(a, reps)), (lambda a: np.tile(a, reps)), [apart(rng, shaped(rng)[:3])]


def roll(rng):
    shape = shaped(rng)
    axis = an_axis(rng, shape)
    shift = tuple(int(n) for n in rng.integers(-3, 4, len(axis))) if isinstance(axis, tuple) else 2
    return (
        lambda a: m.roll(a, shift, axis), lambda a: np.roll(a, shift, axis), [apart(rng, shape)]
    )  # fmt: skip


def triangle(name):
    """A case of a triangle above or below a diagonal."""

    def case(rng):
        k = int(rng.integers(-2, 3))
        return (
            lambda a: getattr(m, name)(a, k),
            lambda a: getattr(np, name)(a, k),
            [apart(rng, shaped(rng, 2))],
        )

    return case


def outer(rng):
    return m.outer, np.outer, [apart(rng, (int(n),)) for n in rng.integers(0, 4, 2)]


def ordered(course):
    """A case of the elements in order; `course` takes x, axis and whether they fall."""

    def case(rng):
        shape = shaped(rng, 1, 1)
        axis, falling = one_axis(rng, shape), a_flag(rng)

        def reference(a):
            return -np.sort(-a, axis) if falling else np.sort(a, axis)

        return (lambda a: course(a, axis, falling)), reference, [apart(rng, shape)]

    return case


def argsort(rng):
    shape = shaped(rng, 1, 1)
    axis, falling = one_axis(rng, shape), a_flag(rng)
    return (
        lambda a: m.argsort(a, axis, falling),
        lambda a: np.argsort(-a if falling else a, axis),
        [apart(rng, shape)],
    )


def topk(rng):
    shape = shaped(rng, 1, 1)
    k, largest = int(rng.integers(shape[-1] + 1)), a_flag(rng)

    def reference(a):
        return (-np.sort(-a, -1) if largest else np.sort(a, -1))[..., :k]

    return (lambda a: m.topk(a, k, -1, largest)[0]), reference, [apart(rng, shape)]


def gather(rng):
    shape = shaped(rng, 1, 1)
    axis = one_axis(rng, shape)
    places = list(shape)
    places[axis] = int(rng.integers(1, 5))
    ids = rng.integers(0, shape[axis], places)
    return (
        lambda a: m.gather(a, axis, ids),
        lambda a: np.take_along_axis(a, ids, axis),
        [apart(rng, shape)],
    )


def one_hot(rng):
    K = int(rng.integers(1, 5))
    ids = rng.integers(0, K, shaped(rng)[:2])
    return (lambda: m.one_hot(ids, K)), (lambda: np.eye(K)[ids]), []


def place(name):
    """A case of the place of the largest element, or of the smallest, with its axis kept."""

    def case(rng):
        shape = shaped(rng, 1, 1)
        axis, keepdims = one_axis(rng, shape), a_flag(rng)
        return (
            lambda a: getattr(m, name)(a, axis, keepdims),
            lambda a: getattr(np, name)(a, axis, keepdims=keepdims),
            [apart(rng, shape)],
        )

    return case


def einsum(rng):
    if a_flag(rng):
        return plain_einsum(rng)
    subscripts = ["...ij,...jk", "ij,jk", "...i,...i->...", "b...,b...->..."][rng.integers(4)]
    shapes = [(2, 3, 3), (2, 3, 3)] if "..." in subscripts else [(3, 3), (3, 3)]
    return (
        lambda *xs: m.einsum(subscripts, *xs),
        lambda *xs: np.einsum(subscripts, *xs),
        [apart(rng, shape) for shape in shapes],
    )


def normed(course, formula, n):
    """A case of a norm over the last axes, with n weights or fewer."""

    def case(rng):
        shape = shaped(rng, 1, 2)
        last = int(rng.integers(1, len(shape) + 1))
        sizes, axes = shape[-last:], tuple(range(-last, 0))
        arrays = [apart(rng, shape), *(apart(rng, sizes) for _ in range(rng.integers(n + 1)))]

        def reference(x, w=1.0, b=0.0):
            return formula(x, axes) * w + b

        return (lambda x, *ws: course(x, sizes, *ws)), reference, arrays

    return case


def attention(rng):
    (q, k, v), mask = queries(rng)
    added = np.where(mask, apart(rng, mask.shape), -np.inf) if a_flag(rng) else None
    if added is None:
        bias = apart(rng, mask.shape)  # a learned one

        def reference(q, k, v, bias):
            return formulas.softmax(q @ np.swapaxes(k, -1, -2) / q.shape[-1] ** 0.5 + bias) @ v

        return m.scaled_dot_product_attention, reference, [q, k, v, bias]
    return (
        lambda q, k, v: m.scaled_dot_product_attention(q, k, v, mask),
        lambda q, k, v: formulas.attention(q, k, v, mask),
        [q, k, v],
    )


def truth(name):
    """A case of any and all: the answers of x > 0."""
    return reduction(
        lambda a, **options: getattr(m, name)(a > 0, **options).data,
        lambda a, **options: getattr(np, name)(a > 0, **options),
    )


def nan(rng):
    x = np.where(rng.random(3) < 0.5, np.nan, 1.0)
    return (lambda: m.isnan(x).data), (lambda: np.isnan(x)), []


CASES = {
    "tan": of_one(m.tan, np.tan, -1, 1),
    "log1p": of_one(m.log1p, np.log1p, -0.5),
    "expm1": of_one(m.expm1, np.expm1),
    "log2": of_one(m.log2, np.log2, 0.1),
    "floor": of_one(m.floor, np.floor),
    "ceil": of_one(m.ceil, np.ceil),
    "sign": of_one(m.sign, np.sign),
    "erf": of_one(m.erf, formulas.erf),
    "leaky_relu": with_option(m.leaky_relu, formulas.leaky_relu),
    "elu": with_option(m.elu, formulas.elu),
    "softplus": with_option(m.softplus, formulas.softplus),
    "gelu": gelu,
    "prod": reduction(m.prod, np.prod),
    "any": truth("any"),
    "all": truth("all"),
    "isnan": nan,
    "argmax": place("argmax"),
    "argmin": place("argmin"),
    "cumsum": along(m.cumsum, np.cumsum),
    "cumprod": along(m.cumprod, np.cumprod),
    "repeat": repeat,
    "tile": tile,
    "roll": roll,
    "tril": triangle("tril"),
    "triu": triangle("triu"),
    "outer": outer,
    "sort": ordered(lambda *given: m.sort(*given)[0]),
    "argsort": argsort,
    "topk": topk,
    "gather": gather,
    "one_hot": one_hot,
    "einsum": einsum,
    "layer_norm": normed(m.layer_norm, formulas.normalised, 2),
    "rms_norm": normed(m.rms_norm, formulas.by_root_mean_square, 1),
    "scaled_dot_product_attention": attention,
}
CASES = {f"stage2_tensor.more.{name}": case for name, case in CASES.items()}
