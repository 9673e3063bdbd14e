"""Shapes and numbers for right calls, and the kinds of cases that most operations are.

A case takes a generator and gives three things: the call of the course, the same in NumPy, and the
arrays for both.
"""

from __future__ import annotations

import numpy as np


def shaped(rng, least=0, smallest=0):
    """A shape of up to four axes, some of them of size 1 or 0."""
    ndim = rng.integers(least, 5)
    sizes = rng.choice([0, 1, 2, 3, 4], ndim, p=[0.06, 0.24, 0.3, 0.3, 0.1])
    return tuple(max(int(n), smallest) for n in sizes)


def beside(rng, shape):
    """A shape that broadcasts with this one."""
    cut = shape[rng.integers(len(shape) + 1) :]
    return tuple(1 if rng.random() < 0.3 else n for n in cut)


def apart(rng, shape, low=-2.0, high=2.0):
    """Numbers no two of which are near each other, nor near 0: a kink is no place to measure at."""
    size = int(np.prod(shape))
    steps = rng.permutation(size) + 0.5
    numbers = (low + (high - low) * steps / max(size, 1)).reshape(shape)
    return np.asarray(numbers + 0.013)  # of what has no axes NumPy makes a number


def an_axis(rng, shape):
    """None, one axis, counted from either side, or two."""
    if not shape or rng.random() < 0.25:
        return None
    if len(shape) > 1 and rng.random() < 0.25:
        return tuple(int(i) for i in rng.choice(len(shape), 2, replace=False))
    return one_axis(rng, shape)


def one_axis(rng, shape):
    """One axis, counted from either side."""
    return int(rng.integers(-len(shape), len(shape)))


def a_flag(rng):
    """True or False."""
    return bool(rng.integers(2))


def of_one(course, reference, low=-2.0, high=2.0, least=0, smallest=0):
    """A case of a function of one Tensor of any shape."""

    def case(rng):
        return course, reference, [apart(rng, shaped(rng, least, smallest), low, high)]

    return case


def unary(name, reference, low=-2.0, high=2.0):
    """A case of a method of one Tensor."""
    return of_one(lambda a: getattr(a, name)(), reference, low, high)


def binary(course, reference, low=-2.0):
    """A case of an operator on two shapes that broadcast."""

    def case(rng):
        shape = shaped(rng)
        pair = [apart(rng, shape, low), apart(rng, beside(rng, shape), low)]
        return course, reference, pair if rng.random() < 0.5 else pair[::-1]

    return case


def with_number(course, reference, low=-2.0):
    """A case of an operator with a plain number on its left."""

    def case(rng):
        number = float(rng.uniform(0.3, 2))
        arrays = [apart(rng, shaped(rng), low)]
        return (lambda a: course(number, a)), (lambda a: reference(number, a)), arrays

    return case


def reduction(course, reference, some=False):
    """A case of a reduction along an axis, or several."""

    def case(rng):
        shape = shaped(rng, smallest=int(some))
        options = {"axis": an_axis(rng, shape), "keepdims": a_flag(rng)}
        return (
            lambda a: course(a, **options),
            lambda a: reference(a, **options),
            [apart(rng, shape)],
        )

    return case


def along(course, reference, smallest=1):
    """A case of what works along one axis that exists."""

    def case(rng):
        shape = shaped(rng, 1, smallest)
        axis = one_axis(rng, shape)
        return (lambda a: course(a, axis)), (lambda a: reference(a, axis)), [apart(rng, shape)]

    return case


def joined(course, reference):
    """A case of several Tensors of one shape, joined along an axis."""

    def case(rng):
        shape = shaped(rng, 1)
        axis = one_axis(rng, shape)
        arrays = [apart(rng, shape) for _ in range(rng.integers(1, 4))]
        return (lambda *xs: course(xs, axis)), (lambda *xs: reference(xs, axis)), arrays

    return case


def rows(course, reference, smallest=1):
    """A case of what works along the last axis."""
    return of_one(course, reference, -4, 4, least=1, smallest=smallest)


def constant(course, reference):
    """A case of what has no input to differentiate: both get the generator's draw."""

    def case(rng):
        draw = tuple(int(n) for n in rng.integers(1, 5, 3))
        return (lambda: course(*draw)), (lambda: reference(*draw)), []

    return case


def layer(make, reference, shape):
    """A case of a Module: x and its weights are the inputs; `reference(x, p)` has these by name."""

    def case(rng):
        module = make()
        names = [name for name, _ in module.named_parameters()]
        weights = [apart(rng, p.shape, -1, 1) for p in module.parameters()]

        def course(x, *leaves):
            for name, leaf in zip(names, leaves):
                put(module, name, leaf)
            return module(x)

        size = shape(rng) if callable(shape) else shape
        arrays = [apart(rng, size), *weights]
        return course, (lambda x, *ws: reference(x, dict(zip(names, ws)))), arrays

    return case


def put(module, name, leaf):
    """Set the part of the module that has this dotted name."""
    *path, last = name.split(".")
    for part in path:
        module = getattr(module, part)
    setattr(module, last, leaf)
