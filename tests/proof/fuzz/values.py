"""Right calls, drawn by a seed: values beside NumPy's, gradients beside central differences."""

from __future__ import annotations

import numpy as np

import stage2_tensor as st
from stage2_tensor import Tensor

STEP = 1e-6


def shaped(rng, least=0):
    """A shape of up to four axes, some of them of size 1 or 0."""
    ndim = rng.integers(least, 5)
    return tuple(int(n) for n in rng.choice([0, 1, 2, 3, 4], ndim, p=[0.06, 0.24, 0.3, 0.3, 0.1]))


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
    return int(rng.integers(-len(shape), len(shape)))


def unary(name, reference, low=-2.0, high=2.0):
    """A case of a method of one Tensor."""

    def case(rng):
        x = apart(rng, shaped(rng), low, high)
        return (lambda a: getattr(a, name)()), reference, [x]

    return case


def binary(course, reference, low=-2.0):
    """A case of an operator on two shapes that broadcast."""

    def case(rng):
        shape = shaped(rng)
        pair = [apart(rng, shape, low), apart(rng, beside(rng, shape), low)]
        return course, reference, pair if rng.random() < 0.5 else pair[::-1]

    return case


def reduction(name, reference, some=False):
    """A case of a reduction along an axis."""

    def case(rng):
        shape = shaped(rng)
        if some and 0 in shape:
            shape = tuple(max(n, 1) for n in shape)
        axis, keepdims = an_axis(rng, shape), bool(rng.integers(2))
        return (
            lambda a: getattr(a, name)(axis=axis, keepdims=keepdims),
            lambda a: reference(a, axis=axis, keepdims=keepdims),
            [apart(rng, shape)],
        )

    return case


def matmul(rng):
    n, k, m = (int(i) for i in rng.integers(0, 4, 3))
    leading = shaped(rng)[:2]
    a, b = (*leading, n, k), (*beside(rng, leading), k, m)
    if rng.random() < 0.2:
        a = (k,)
    elif rng.random() < 0.2:
        b = (k,)
    return (lambda x, y: x @ y), np.matmul, [apart(rng, a), apart(rng, b)]


def reshape(rng):
    shape = shaped(rng, 1)
    new = tuple(int(n) for n in rng.permutation(shape))
    return (lambda a: a.reshape(new)), (lambda a: a.reshape(new)), [apart(rng, shape)]


def transpose(rng):
    shape = shaped(rng)
    axes = tuple(int(i) for i in rng.permutation(len(shape)))
    return (lambda a: a.transpose(*axes)), (lambda a: a.transpose(axes)), [apart(rng, shape)]


def index(rng):
    shape = tuple(max(n, 1) for n in shaped(rng, 1))
    n = shape[0]
    parts = [
        int(rng.integers(-n, n)), slice(None, None, int(rng.choice([-1, 1, 2]))), None, ...,
        rng.integers(-n, n, 3), [int(i) for i in rng.integers(-n, n, 2)], rng.random(n) < 0.5,
    ]  # fmt: skip
    key = parts[rng.integers(len(parts))]
    return (lambda a: a[key]), (lambda a: a[key]), [apart(rng, shape)]


def pairs(rng):
    shape = (3, 4)
    where = tuple(zip(*((int(rng.integers(3)), int(rng.integers(4))) for _ in range(3))))
    return (lambda a: a[where]), (lambda a: a[tuple(map(list, where))]), [apart(rng, shape)]


def joined(course, reference):
    def case(rng):
        shape = shaped(rng, 1)
        axis = int(rng.integers(-len(shape), len(shape)))
        arrays = [apart(rng, shape) for _ in range(rng.integers(1, 4))]
        return (lambda *xs: course(xs, axis)), (lambda *xs: reference(xs, axis)), arrays

    return case


def where(rng):
    shape = shaped(rng)
    chosen = rng.random(shape) < 0.5
    return (
        lambda a, b: st.where(chosen, a, b),
        lambda a, b: np.where(chosen, a, b),
        [apart(rng, shape), apart(rng, beside(rng, shape))],
    )


def softmax_of(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def rows(course, reference):
    """A case of what works along the last axis."""

    def case(rng):
        shape = tuple(max(n, 1) for n in shaped(rng, 1))
        return course, reference, [apart(rng, shape, -4, 4)]

    return case


def logsumexp(a, axis, keepdims):
    return np.log(np.exp(a).sum(axis=axis, keepdims=keepdims))


CASES = {
    "exp": unary("exp", np.exp),
    "log": unary("log", np.log, 0.1),
    "sqrt": unary("sqrt", np.sqrt, 0.1),
    "tanh": unary("tanh", np.tanh),
    "sin": unary("sin", np.sin),
    "cos": unary("cos", np.cos),
    "abs": unary("abs", np.abs),
    "relu": unary("relu", lambda x: np.maximum(x, 0)),
    "sigmoid": unary("sigmoid", lambda x: 1 / (1 + np.exp(-x)), -30, 30),
    "flatten": unary("flatten", np.ravel),
    "add": binary(lambda a, b: a + b, np.add),
    "sub": binary(lambda a, b: a - b, np.subtract),
    "mul": binary(lambda a, b: a * b, np.multiply),
    "div": binary(lambda a, b: a / b, np.divide, 0.3),
    "pow": binary(lambda a, b: a**b, np.power, 0.3),
    "maximum": binary(st.maximum, np.maximum),
    "minimum": binary(st.minimum, np.minimum),
    "sum": reduction("sum", np.sum),
    "mean": reduction("mean", np.mean, some=True),
    "max": reduction("max", np.max, some=True),
    "min": reduction("min", np.min, some=True),
    "var": reduction("var", np.var, some=True),
    "std": reduction("std", np.std, some=True),
    "logsumexp": reduction("logsumexp", logsumexp, some=True),
    "matmul": matmul,
    "reshape": reshape,
    "transpose": transpose,
    "index": index,
    "pairs": pairs,
    "where": where,
    "concatenate": joined(st.concatenate, np.concatenate),
    "stack": joined(st.stack, np.stack),
    "softmax": rows(st.softmax, softmax_of),
    "log_softmax": rows(st.log_softmax, lambda x: np.log(softmax_of(x))),
}


def judge(name, rng):
    """What is wrong with the value or the gradients of one random call; nothing if all is well."""
    course, reference, arrays = CASES[name](rng)
    leaves = [Tensor(a.copy(), requires_grad=True) for a in arrays]
    told = f"{name} of {', '.join(str(a.shape) for a in arrays)}"
    with np.errstate(all="ignore"):
        want = np.asarray(reference(*arrays))
        found = course(*leaves)
    if found.shape != want.shape or not np.allclose(found.data, want, 1e-9, 1e-11, equal_nan=True):
        return f"{told}: the value is {found.data!r}, NumPy's {want!r}"
    if not found.requires_grad:
        return ""
    weights = rng.standard_normal(found.shape)
    found.backward(weights)
    for number, (leaf, array) in enumerate(zip(leaves, arrays)):
        measured = np.zeros_like(array)
        for place in np.ndindex(*array.shape):
            for step in (STEP, -STEP):
                moved = [a.copy() for a in arrays]
                moved[number][place] += step
                measured[place] += (np.asarray(reference(*moved)) * weights).sum() / (2 * step)
        if leaf.grad is None or not np.allclose(leaf.grad, measured, 1e-4, 1e-5):
            return f"{told}: the gradient of input {number} is {leaf.grad}, measured {measured}"
        if not np.array_equal(leaf.data, array):
            return f"{told}: an input was changed"
    return ""
