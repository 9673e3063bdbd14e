"""Right calls of stage 2."""

from __future__ import annotations

import operator

import numpy as np

import stage2_tensor as st
from tests.proof.fuzz import formulas
from tests.proof.fuzz.drawing import (
    a_flag,
    along,
    an_axis,
    apart,
    beside,
    binary,
    constant,
    joined,
    of_one,
    one_axis,
    reduction,
    rows,
    shaped,
    unary,
    with_number,
)

# Single operations, whose arguments depend on the shape.


def matmul(rng):
    n, k, m = (int(i) for i in rng.integers(0, 4, 3))
    leading = shaped(rng)[:2]
    a, b = (*leading, n, k), (*beside(rng, leading), k, m)
    if rng.random() < 0.2:
        a = (k,)
    elif rng.random() < 0.2:
        b = (k,)
    return operator.matmul, np.matmul, [apart(rng, a), apart(rng, b)]


def rmatmul(rng):
    left = rng.standard_normal((2, 3))
    return (lambda x: left @ x), (lambda x: left @ x), [apart(rng, (3, int(rng.integers(4))))]


def clip(rng):
    low, high = [(-1.0, 1.0), (None, 0.5), (-0.5, None)][rng.integers(3)]
    return (
        lambda a: a.clip(low, high),
        lambda a: np.clip(a, low, high),
        [apart(rng, shaped(rng))],
    )


def reshape(rng):
    shape = shaped(rng, 1)
    new = tuple(int(n) for n in rng.permutation(shape))
    return (lambda a: a.reshape(new)), (lambda a: a.reshape(new)), [apart(rng, shape)]


def transpose(rng):
    shape = shaped(rng)
    axes = tuple(int(i) for i in rng.permutation(len(shape)))
    return (lambda a: a.transpose(*axes)), (lambda a: a.transpose(axes)), [apart(rng, shape)]


def swapaxes(rng):
    shape = shaped(rng, 1)
    i, j = one_axis(rng, shape), one_axis(rng, shape)
    return (lambda a: a.swapaxes(i, j)), (lambda a: a.swapaxes(i, j)), [apart(rng, shape)]


def squeeze(rng):
    shape = shaped(rng)
    ones = tuple(i for i, n in enumerate(shape) if n == 1)
    axis = ones if ones and a_flag(rng) else None
    return (lambda a: a.squeeze(axis)), (lambda a: a.squeeze(axis)), [apart(rng, shape)]


def unsqueeze(rng):
    shape = shaped(rng)
    axis = one_axis(rng, (*shape, 1))
    return (
        lambda a: a.unsqueeze(axis), lambda a: np.expand_dims(a, axis), [apart(rng, shape)]
    )  # fmt: skip


def broadcast_to(rng):
    shape = shaped(rng)
    small = beside(rng, shape)
    return (
        lambda a: a.broadcast_to(shape), lambda a: np.broadcast_to(a, shape), [apart(rng, small)]
    )  # fmt: skip


def pad(rng):
    shape = shaped(rng, 1)
    widths = [(int(i), int(j)) for i, j in rng.integers(0, 3, (len(shape), 2))]
    return (
        lambda a: a.pad(widths, 1.5),
        lambda a: np.pad(a, widths, constant_values=1.5),
        [apart(rng, shape)],
    )


def flip(rng):
    shape = shaped(rng)
    axis = an_axis(rng, shape)
    return (lambda a: a.flip(axis)), (lambda a: np.flip(a, axis)), [apart(rng, shape)]


def index(rng):
    if rng.random() < 0.3:
        return pairs(rng)
    shape = shaped(rng, 1, 1)
    n = shape[0]
    parts = [
        int(rng.integers(-n, n)), slice(None, None, int(rng.choice([-1, 1, 2]))), None, ...,
        rng.integers(-n, n, 3), [int(i) for i in rng.integers(-n, n, 2)], rng.random(n) < 0.5,
    ]  # fmt: skip
    key = parts[rng.integers(len(parts))]
    return (lambda a: a[key]), (lambda a: a[key]), [apart(rng, shape)]


def pairs(rng):
    where = tuple(zip(*((int(rng.integers(3)), int(rng.integers(4))) for _ in range(3))))
    return (lambda a: a[where]), (lambda a: a[tuple(map(list, where))]), [apart(rng, (3, 4))]


def take(rng):
    shape = shaped(rng, 1, 1)
    ids = rng.integers(0, shape[0], shaped(rng)[:2])
    return (lambda a: a.take(ids)), (lambda a: a[ids]), [apart(rng, shape)]


def where(rng):
    shape = shaped(rng)
    chosen = rng.random(shape) < 0.5
    return (
        lambda a, b: st.where(chosen, a, b),
        lambda a, b: np.where(chosen, a, b),
        [apart(rng, shape), apart(rng, beside(rng, shape))],
    )


def split(rng):
    shape = shaped(rng, 1, 1)
    axis = one_axis(rng, shape)
    cut = int(rng.integers(shape[axis] + 1))
    part = int(rng.integers(2))
    return (
        lambda a: st.split(a, [cut], axis)[part],
        lambda a: np.split(a, [cut], axis)[part],
        [apart(rng, shape)],
    )


def variance(name):
    """A case of the variance, or its root, with a correction."""

    def case(rng):
        shape = shaped(rng, 1, 2)
        options = {"axis": an_axis(rng, shape), "keepdims": a_flag(rng)}
        correction = int(rng.integers(2))
        return (
            lambda a: getattr(a, name)(correction=correction, **options),
            lambda a: getattr(np, name)(a, ddof=correction, **options),
            [apart(rng, shape)],
        )

    return case


SUBSCRIPTS = ["ij,jk->ik", "bij,bjk->bik", "i,i->", "ij->ji", "ij->j", "ij,ij,i->j", "i,j->ij"]


def einsum(rng):
    subscripts = SUBSCRIPTS[rng.integers(len(SUBSCRIPTS))]
    size = {c: int(rng.integers(4)) for c in "bijk"}
    shapes = [tuple(size[c] for c in term) for term in subscripts.split("->")[0].split(",")]
    return (
        lambda *xs: st.einsum(subscripts, *xs),
        lambda *xs: np.einsum(subscripts, *xs),
        [apart(rng, shape) for shape in shapes],
    )


def linear(rng):
    n, m = (int(i) for i in rng.integers(1, 4, 2))
    arrays = [apart(rng, (*shaped(rng)[:2], n)), apart(rng, (n, m)), apart(rng, (m,))]
    n_given = int(rng.integers(2, 4))
    return st.linear, (lambda x, w, b=0.0: x @ w + b), arrays[:n_given]


def layer_norm(rng):
    shape = shaped(rng, 1, 2)
    arrays = [apart(rng, shape), apart(rng, shape[-1:]), apart(rng, shape[-1:])]

    def reference(x, w=1.0, b=0.0):
        return formulas.normalised(x, -1) * w + b

    return st.layer_norm, reference, arrays[: rng.integers(1, 4)]


def cross_entropy(rng):
    shape = shaped(rng, 1, 1)
    ids = rng.integers(0, shape[-1], shape[:-1])
    return (
        lambda x: st.cross_entropy_with_logits(x, ids),
        lambda x: formulas.cross_entropy(x, np.eye(shape[-1])[ids]),
        [apart(rng, shape, -4, 4)],
    )


def queries(rng):
    """Shapes of q, k and v, and a mask, in which a query may look nowhere."""
    leading = shaped(rng, 0, 1)[:2]
    T, S, D, E = (int(n) for n in rng.integers(1, 4, 4))
    arrays = [apart(rng, (*leading, *shape)) for shape in ((T, D), (S, D), (S, E))]
    return arrays, rng.random((T, S)) < 0.7


def attention(rng):
    arrays, mask = queries(rng)
    return (
        lambda q, k, v: st.scaled_dot_product_attention(q, k, v, mask),
        lambda q, k, v: formulas.attention(q, k, v, mask),
        arrays,
    )


def unbroadcast(rng):
    shape = shaped(rng)
    small = beside(rng, shape)

    def reference(g):
        g = g.sum(tuple(range(len(shape) - len(small))))
        return g.sum(tuple(i for i, n in enumerate(small) if n == 1), keepdims=True)

    return (lambda g: st.unbroadcast(g.data, small)), reference, [apart(rng, shape)]


def broadcast_shapes(rng):
    shape = shaped(rng)
    small = beside(rng, shape)
    return (
        lambda: st.broadcast_shapes(shape, small), lambda: np.broadcast_shapes(shape, small), []
    )  # fmt: skip


def arange(rng):
    start, step = int(rng.integers(-3, 3)), int(rng.choice([-2, 1, 3]))
    bounds = (start, start + int(rng.integers(-5, 8)), step)
    return (lambda: st.arange(*bounds)), (lambda: np.arange(*bounds)), []


def choice(name):
    """A case of the place of the largest element, or of the smallest."""
    return along(lambda a, axis: getattr(a, name)(axis), getattr(np, name))


CASES = {
    "Tensor.__add__": binary(operator.add, np.add),
    "Tensor.__sub__": binary(operator.sub, np.subtract),
    "Tensor.__mul__": binary(operator.mul, np.multiply),
    "Tensor.__truediv__": binary(operator.truediv, np.divide, 0.3),
    "Tensor.__pow__": binary(operator.pow, np.power, 0.3),
    "Tensor.__radd__": with_number(operator.add, np.add),
    "Tensor.__rsub__": with_number(operator.sub, np.subtract),
    "Tensor.__rmul__": with_number(operator.mul, np.multiply),
    "Tensor.__rtruediv__": with_number(operator.truediv, np.divide, 0.3),
    "Tensor.__rpow__": with_number(operator.pow, np.power),
    "Tensor.__matmul__": matmul,
    "Tensor.__rmatmul__": rmatmul,
    "Tensor.__lt__": binary(operator.lt, np.less),
    "Tensor.__le__": binary(operator.le, np.less_equal),
    "Tensor.__gt__": binary(operator.gt, np.greater),
    "Tensor.__ge__": binary(operator.ge, np.greater_equal),
    "Tensor.__getitem__": index,
    "Tensor.exp": unary("exp", np.exp),
    "Tensor.log": unary("log", np.log, 0.1),
    "Tensor.sqrt": unary("sqrt", np.sqrt, 0.1),
    "Tensor.tanh": unary("tanh", np.tanh),
    "Tensor.sin": unary("sin", np.sin),
    "Tensor.cos": unary("cos", np.cos),
    "Tensor.abs": unary("abs", np.abs),
    "Tensor.relu": unary("relu", formulas.relu),
    "Tensor.sigmoid": unary("sigmoid", formulas.sigmoid, -30, 30),
    "Tensor.clip": clip,
    "Tensor.flatten": unary("flatten", np.ravel),
    "Tensor.numpy": unary("numpy", lambda a: a),
    "Tensor.detach": of_one(lambda a: a.detach().data, lambda a: a),
    "Tensor.item": of_one(lambda a: a.sum().item(), np.sum),
    "Tensor.sum": reduction(st.Tensor.sum, np.sum),
    "Tensor.mean": reduction(st.Tensor.mean, np.mean, some=True),
    "Tensor.max": reduction(st.Tensor.max, np.max, some=True),
    "Tensor.min": reduction(st.Tensor.min, np.min, some=True),
    "Tensor.var": variance("var"),
    "Tensor.std": variance("std"),
    "Tensor.logsumexp": reduction(st.Tensor.logsumexp, formulas.logsumexp, some=True),
    "Tensor.argmax": choice("argmax"),
    "Tensor.argmin": choice("argmin"),
    "Tensor.reshape": reshape,
    "Tensor.transpose": transpose,
    "Tensor.swapaxes": swapaxes,
    "Tensor.squeeze": squeeze,
    "Tensor.unsqueeze": unsqueeze,
    "Tensor.broadcast_to": broadcast_to,
    "Tensor.pad": pad,
    "Tensor.flip": flip,
    "Tensor.take": take,
    "stage2_tensor.Tensor": of_one(lambda a: st.Tensor(a).data, lambda a: a),
    "stage2_tensor.equal": binary(st.equal, np.equal),
    "stage2_tensor.maximum": binary(st.maximum, np.maximum),
    "stage2_tensor.minimum": binary(st.minimum, np.minimum),
    "stage2_tensor.where": where,
    "stage2_tensor.concatenate": joined(st.concatenate, np.concatenate),
    "stage2_tensor.stack": joined(st.stack, np.stack),
    "stage2_tensor.split": split,
    "stage2_tensor.einsum": einsum,
    "stage2_tensor.softmax": along(st.softmax, formulas.softmax),
    "stage2_tensor.log_softmax": along(st.log_softmax, formulas.log_softmax),
    "stage2_tensor.cross_entropy_with_logits": cross_entropy,
    "stage2_tensor.linear": linear,
    "stage2_tensor.layer_norm": layer_norm,
    "stage2_tensor.gelu": rows(st.gelu, formulas.gelu_tanh),
    "stage2_tensor.scaled_dot_product_attention": attention,
    "stage2_tensor.broadcast_shapes": broadcast_shapes,
    "stage2_tensor.unbroadcast": unbroadcast,
    "stage2_tensor.zeros": constant(st.zeros, lambda *n: np.zeros(n)),
    "stage2_tensor.ones": constant(st.ones, lambda *n: np.ones(n)),
    "stage2_tensor.full": constant(lambda *n: st.full(n, 1.5), lambda *n: np.full(n, 1.5)),
    "stage2_tensor.eye": constant(lambda n, m, _: st.eye(n, m), lambda n, m, _: np.eye(n, m)),
    "stage2_tensor.arange": arange,
    "stage2_tensor.zeros_like": of_one(lambda a: st.zeros_like(a).data, np.zeros_like),
    "stage2_tensor.ones_like": of_one(lambda a: st.ones_like(a).data, np.ones_like),
}
