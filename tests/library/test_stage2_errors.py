"""The errors of the tensor engine: each says the rule, what came, and a fix where one helps."""

import math
import operator
from fractions import Fraction

import numpy as np
import pytest

from stage2_tensor import (
    Tensor,
    arange,
    broadcast_shapes,
    concatenate,
    cross_entropy_with_logits,
    einsum,
    equal,
    full,
    gelu,
    gradcheck,
    layer_norm,
    log_softmax,
    maximum,
    ones,
    rand,
    randn,
    softmax,
    split,
    stack,
    unbroadcast,
    uniform,
    where,
    zeros,
    zeros_like,
)
from stage2_tensor import scaled_dot_product_attention as attention
from stage2_tensor.broadcasting import align_shapes

Z, ONE, YES = zeros(2, 3), Tensor(1.0), Tensor(np.array([True, False]))
ITSELF: list = []
ITSELF += [ITSELF, ITSELF]  # NumPy would look into it 2^64 times


ERRORS = {
    "add: expected shapes whose axes are equal or 1, from the right, got (2, 3) and (2,); did you "
    "mean b[..., None], or keepdims=True before it?": lambda: zeros(2, 3) + zeros(2),
    "got (2, 3) and (3, 2); did you mean the transpose, b.T?": lambda: zeros(2, 3) * zeros(3, 2),
    "K is 3 and 2; did you mean to transpose b": lambda: zeros(2, 3) @ zeros(2, 3),
    "use * for a single number": lambda: zeros(2) @ Tensor(3.0),
    "sum: expected an axis from -2 to 1, got 2 for (2, 3)": lambda: zeros(2, 3).sum(2),
    "reshape: expected a shape of 6 elements, got (4,) for (2, 3)": lambda: zeros(2, 3).reshape(4),
    "transpose: expected each of the 2 axes once": lambda: zeros(2, 3).transpose(0, 0),
    "squeeze: expected axes of size 1, got axis 0 of (2, 3)": lambda: zeros(2, 3).squeeze(0),
    "unsqueeze: expected an axis from -3 to 2, got 5": lambda: zeros(2, 3).unsqueeze(5),
    "pad: expected 2 pairs": lambda: zeros(2, 3).pad([(1, 1)]),
    "swapaxes: expected an axis from -2 to 1, got 2": lambda: zeros(2, 3).swapaxes(0, 2),
    "index: expected one that fits shape (2,), got 5": lambda: zeros(2)[5],
    "take: expected ids in range(3), got 0 to 3": lambda: zeros(3, 2).take(np.array([0, 3])),
    "concatenate: expected at least one tensor, got none": lambda: concatenate([]),
    "split: expected a number that divides axis 0 of (5,), got 2": lambda: split(zeros(5), 2),
    "item: expected one element, got shape (2,)": lambda: zeros(2).item(),
    "len: expected at least one axis, got shape ()": lambda: len(Tensor(1.0)),
    "max: expected at least one element": lambda: zeros(0).max(),
    "backward: expected a Tensor of one element": lambda: ones(2, requires_grad=True).backward(),
    "backward: expected a Tensor that requires a gradient": lambda: ones(1).backward(),
    "zeros: expected whole numbers, got (2.5,); write them as in zeros(2, 3)": lambda: zeros(2.5),
    "randn: expected sizes >= 0, got (-1,)": lambda: randn(-1),
    "rand: expected rng to be a generator, got 0": lambda: rand(2, rng=0),
    "reshape: expected a shape of 6 elements, got (-2, -3)": lambda: zeros(2, 3).reshape(-2, -3),
    "reshape: expected whole numbers, got (6.0,)": lambda: zeros(2, 3).reshape(6.0),
    "broadcast_to: expected a shape that (3,) broadcasts to": lambda: zeros(3).broadcast_to(-1, 3),
    "swapaxes: expected a Tensor that has axes, got shape ()": lambda: Tensor(1.0).swapaxes(0, 1),
    "unsqueeze: expected an axis from -2 to 1, got None": lambda: zeros(2).unsqueeze(None),
    "squeeze: expected an axis from -1 to 0, got [0]": lambda: zeros(1).squeeze([0]),
    "flip: expected an axis from -1 to 0, got 5": lambda: zeros(2).flip(5),
    "pad: expected 1 pairs (before, after) of numbers >= 0 for (2,), got 1; (0, 0)": lambda: zeros(
        2
    ).pad(1),
    "concatenate: expected an axis from -1 to 0, got None": lambda: concatenate([ones(2)], None),
    "stack: expected tensors of one shape, got (2,), (3,)": lambda: stack([zeros(2), zeros(3)]),
    "stack: expected tensors of one shape, got none": lambda: stack([]),
    "stack: expected an axis from -2 to 1, got 7": lambda: stack([zeros(2)], 7),
    "split: expected an axis from -1 to 0, got 1": lambda: split(zeros(2), 2, axis=1),
    "split: expected rising places from 0 to 4": lambda: split(zeros(4), [3, 1]),
    "einsum: expected one size for the axis i, got [2, 3]; give": lambda: einsum(
        "i,i->", zeros(2), zeros(3)
    ),
    "each letter once per tensor, got 'ij->i' for shapes (2,)": lambda: einsum("ij->i", zeros(2)),
    "gradcheck: expected a function that returns a Tensor, got a ndarray": lambda: gradcheck(
        lambda x: x.data, zeros(2)
    ),
    "does not support item assignment": lambda: operator.setitem(zeros(2), 0, 1.0),
    # What is no number
    "Tensor: expected real numbers, got None; is a return missing?": lambda: Tensor(None),
    "Tensor: expected real numbers, got 'a'": lambda: Tensor("a"),
    "Tensor: expected real numbers, got [1, 'a']": lambda: Tensor([1, "a"]),
    "Tensor: expected real numbers, got dtype <U1": lambda: Tensor(np.array(["3"])),
    "Tensor: expected real numbers, got dtype complex128": lambda: Tensor([1j]),
    "Tensor: expected a dtype of real numbers, got <class 'numpy.complex64'>; write np.float32": (
        lambda: Tensor(1.0, dtype=np.complex64)
    ),
    "zeros: expected a dtype of real numbers, got 'floats'; write": lambda: zeros(
        2, dtype="floats"
    ),
    "arange: expected numbers below 1.8e308, got [10000": lambda: arange(10**400),
    "layer_norm: expected eps below 1.8e308, got 10000": lambda: layer_norm(Z, eps=10**400),
    "clip: expected bound below 1.8e308, got -10000": lambda: Z.clip(-(10**400)),
    "clip: expected bound to be a number, got Fraction(1, 3); convert it with float()": lambda: (
        Z.clip(Fraction(1, 3))
    ),
    "var: expected correction below 1.8e308, got -10000": lambda: Z.var(correction=-(10**400)),
    "Tensor: expected lists of numbers, got a list that holds itself": lambda: Tensor(ITSELF),
    "operand: expected lists of numbers, got a list that holds itself": lambda: Z + ITSELF,
    "index: expected lists of numbers, got a list that holds itself": lambda: Z[ITSELF],
    "unbroadcast: expected an array and a shape": lambda: unbroadcast(np.ones(3), (1.0,)),
    "unbroadcast: expected a shape that broadcasts to (3,), got (2,)": lambda: unbroadcast(
        np.ones(3), (2,)
    ),
    "operand: expected numbers that float32 can hold, got 1000000": lambda: Z + 10**400,
    "Tensor: expected requires_grad True or False, got 'yes'": lambda: Tensor(1.0, "yes"),
    "Tensor: expected requires_grad True or False, got <class": lambda: zeros_like(Z, np.float64),
    "full: expected one element, got shape (2,); Tensor takes an array": lambda: full(2, [1, 2]),
    "arange: expected finite numbers and a step that is not 0, got (0, 1, 0)": lambda: arange(
        0, 1, 0
    ),
    "arange: expected finite numbers": lambda: arange(math.nan),
    "neg: expected numbers, got booleans; where(x, 1, 0) makes numbers": lambda: -YES,
    "sub: expected numbers, got booleans": lambda: YES - True,
    "abs: expected numbers, got booleans": lambda: abs(YES),
    "sigmoid: expected numbers, got booleans": lambda: YES.sigmoid(),
    "clip: expected numbers, got booleans": lambda: YES.clip(0, 1),
    "pow: expected exponents >= 0 for int64, got -1; make the base with": lambda: (
        Tensor(np.array([2])) ** -1
    ),
    "squeeze: expected different axes, got axis=(1, -1) for (1, 1)": lambda: zeros(1, 1).squeeze(
        (1, -1)
    ),
    "flip: expected different axes, got axis=(1, -1) for (2, 3)": lambda: Z.flip((1, -1)),
    "pad: expected a Tensor that has axes, got shape ()": lambda: ONE.pad([]),
    "concatenate: expected a list of tensors, got array(1.)": lambda: concatenate(np.array(1.0)),
    "split: expected an axis from": lambda: split([1.0], 1, axis=2),
    "gradcheck: expected a function first, got Tensor": lambda: gradcheck(Z, Z),
    "Tensor: expected rows of one length, got [[1, 2], [3]]; an array has no gaps": lambda: Tensor(
        [[1, 2], [3]]
    ),
    "got a list of Tensors; stack makes one Tensor of it": lambda: Tensor([Z, Z]),
    "got a tuple of Tensors; stack": lambda: Tensor(([ONE], [ONE])),
    "dtype=float32)]; concatenate joins them": lambda: Tensor([zeros(2), zeros(3)]),
    "operand: expected real numbers, got None": lambda: Z + None,
    "operand: expected real numbers, got None; is": lambda: None * Z,
    "operand: expected real numbers, got '3'": lambda: Z * "3",
    "operand: expected real numbers, got '4'": lambda: "4" * Z,
    "operand: expected real numbers, got dtype complex128": lambda: Z + 1j,
    "operand: expected real numbers, got 'm'": lambda: Z @ "m",
    "backward: expected real numbers, got 'a'": lambda: ones(1, requires_grad=True).backward("a"),
    "backward: expected real numbers, got a list of Tensors": lambda: ones(
        1, requires_grad=True
    ).backward([ONE]),
    "operand: expected real numbers, got 'less'": lambda: Z < "less",
    "full: expected real numbers, got 'a'": lambda: full((2,), "a"),
    "arange: expected real numbers, got ('a',)": lambda: arange("a"),
    "arange: expected start, stop and step, got (); write arange(5)": lambda: arange(),
    "uniform: expected real numbers, got ('a', 1)": lambda: uniform("a", 1, (2,)),
    "pad: expected real numbers, got 'a'": lambda: zeros(1).pad([(1, 1)], "a"),
    # Comparisons and single numbers
    "<: expected shapes whose axes are equal or 1, from the right, got (2, 3) and (4,)": lambda: (
        operator.lt(Z, zeros(4))
    ),
    ">=: expected shapes whose axes are equal or 1": lambda: operator.ge(Z, zeros(4)),
    "float: expected one element, got shape (2, 3); index it first": lambda: float(Z),
    "float: expected one element, got shape (0,)": lambda: math.sqrt(zeros(0)),
    "int: expected one element, got shape (2, 3); index it first": lambda: int(Z),
    "round: expected one element, got shape (2, 3); np.round(x.data) rounds each": lambda: round(Z),
    "format: expected one element, got shape (2, 3); leave out the form": lambda: f"{Z:.2f}",
    "==: expected a Tensor, which is equal to itself alone, got 1; write equal(x, 1)": lambda: (
        Z == 1
    ),
    "==: expected a Tensor, which is equal to itself alone, got [1, 2]": lambda: Z != [1, 2],
    "==: expected a Tensor, which is equal to itself alone, got array": lambda: operator.eq(
        Z, np.ones(3)
    ),
    "np.equal: expected arrays, got a Tensor; write equal(x, y)": lambda: np.ones(3) == Z,
    "equal: expected a Tensor, got 1; write Tensor(x)": lambda: equal(2, 1),
    "equal: expected shapes whose axes are equal or 1": lambda: equal(Z, zeros(4)),
    "bool: expected one element, got shape (2, 3); compare it": lambda: bool(Z),
    "bool: expected one element, got shape (0,)": lambda: bool(zeros(0)),
    # Reductions
    "sum: expected an axis from -2 to 1, got '0' for (2, 3)": lambda: Z.sum(axis="0"),
    "sum: expected an axis from -2 to 1, got 1.0 for (2, 3)": lambda: Z.sum(axis=1.0),
    "sum: expected keepdims True or False, got 1; several axes are one tuple, axis": lambda: Z.sum(
        0, 1
    ),
    "var: expected keepdims True or False, got <class 'float'>": lambda: Z.std(0, float),
    "sum: expected an axis from -2 to 1, got True for (2, 3)": lambda: Z.sum(True),
    "argmax: expected an axis from -2 to 1, got True": lambda: Z.argmax(True),
    "var: expected correction to be a number, got 'a'": lambda: Z.var(correction="a"),
    "var: expected correction to be a number, got nan": lambda: Z.var(correction=math.nan),
    "sum: expected axes in a tuple, got [0, 1]; write axis=(0, 1)": lambda: Z.sum(axis=[0, 1]),
    "sum: expected different axes, got axis=(0, -2) for (2, 3)": lambda: Z.sum(axis=(0, -2)),
    "sum: expected a Tensor that has axes, got shape ()": lambda: ONE.sum(0),
    "mean: expected at least one element, got 0 in shape (0,)": lambda: zeros(0).mean(),
    "mean: expected at least one element, got 0 in shape (0, 3)": lambda: zeros(0, 3).mean(0),
    "var: expected at least one element, got 0 in shape (0,)": lambda: zeros(0).var(),
    "var: expected more than correction=2 elements, got 2 in shape (2,)": lambda: ones(2).var(
        correction=2
    ),
    "at least one element, got 0 in shape (0, 1)": lambda: zeros(0, 1).var(correction=-1),
    "var: expected more than correction=3 elements": lambda: ones(2).std(correction=3),
    "logsumexp: expected at least one element": lambda: zeros(0).logsumexp(),
    "argmax: expected an axis from -2 to 1, got 5": lambda: Z.argmax(5),
    "argmax: expected an axis from -2 to 1, got (0, 1)": lambda: Z.argmax((0, 1)),
    "argmax: expected at least one element": lambda: zeros(0).argmax(),
    "argmin: expected at least one element, got 0 in shape (3, 0)": lambda: zeros(3, 0).argmin(1),
    # Picking, joining, choosing
    "take: expected a Tensor that has axes, got shape ()": lambda: ONE.take([0]),
    "take: expected ids in range(0), got 0 to 0": lambda: zeros(0, 2).take([0]),
    "take: expected real numbers, got 'a'": lambda: Z.take("a"),
    "index: expected rows of one length": lambda: Z[[[0], [0, 1]]],
    "index: expected real numbers, got a list of Tensors": lambda: Z[[ONE]],
    "index: expected one that fits shape (2, 3), got slice(1, 'a', None)": lambda: Z[1:"a"],
    "split: expected a whole number or a list of them, got 1.5": lambda: split(Z, 1.5),
    "split: expected a whole number or a list of them, got [0.5]": lambda: split(Z, [0.5]),
    "concatenate: expected a list of tensors, got 5; write concatenate([a, b])": lambda: (
        concatenate(5)
    ),
    "stack: expected a list of tensors, got None": lambda: stack(None),
    "where: expected real numbers, got 'a'": lambda: where("a", Z, Z),
    "where: expected real numbers, got None": lambda: where(None, Z, Z),
    "operand: expected real numbers, got 'b'": lambda: where(Z < 1, Z, "b"),
    "operand: expected real numbers, got 'c'": lambda: maximum("c", Z),
    "clip: expected numbers or None as bounds, got 'a'; maximum": lambda: Z.clip("a"),
    "clip: expected numbers or None as bounds, got array": lambda: Z.clip(0, np.zeros(4)),
    "clip: expected low <= high, got 2 and 1": lambda: Z.clip(2, 1),
    "broadcast: expected shapes, which are tuples of sizes, got 2": lambda: broadcast_shapes(2, 3),
    "broadcast: expected shapes, which are tuples of sizes, got (1.5,)": lambda: broadcast_shapes(
        (1.5,)
    ),
    "align_shapes: expected shapes, which are tuples of sizes, got 2": lambda: align_shapes(2, 3),
    'einsum: expected the subscripts first, got a Tensor; write einsum("ij->i", x)': lambda: einsum(
        Z, "ij->i"
    ),
}


@pytest.mark.parametrize("message", ERRORS)
def test_an_error_says_what_was_expected_and_what_came(message):
    with pytest.raises((ValueError, TypeError, IndexError, RuntimeError)) as caught:
        ERRORS[message]()
    assert message in str(caught.value)


ATTENTION = "scaled_dot_product_attention"

FUSED_ERRORS = {
    "softmax: expected a Tensor that has axes, got shape ()": lambda: softmax(ONE),
    "softmax: expected floats, got int64; make them with dtype=np.float32": lambda: softmax(
        np.array([1, 2])
    ),
    "softmax: expected at least one element, got 0 in shape (3, 0)": lambda: softmax(zeros(3, 0)),
    "softmax: expected an axis from -2 to 1, got 2 for (2, 3)": lambda: softmax(Z, 2),
    "softmax: expected an axis from -2 to 1, got None": lambda: softmax(Z, None),
    "log_softmax: expected a Tensor that has axes": lambda: log_softmax(ONE),
    "log_softmax: expected at least one element": lambda: log_softmax(zeros(3, 0)),
    "log_softmax: expected an axis from -2 to 1, got 'a'": lambda: log_softmax(Z, "a"),
    "gelu: expected floats, got bool": lambda: gelu(np.array([True])),
    "layer_norm: expected eps of at least 0, got -1": lambda: layer_norm(Z, eps=-1),
    "layer_norm: expected eps of at least 0, got nan": lambda: layer_norm(Z, eps=math.nan),
    "layer_norm: expected eps to be a number, got 'a'": lambda: layer_norm(Z, eps="a"),
    "layer_norm: expected a last axis of at least 1, got ()": lambda: layer_norm(ONE),
    "layer_norm: expected a last axis of at least 1, got (2, 0)": lambda: layer_norm(zeros(2, 0)),
    "layer_norm: expected weight of shape (3,) for x (2, 3), got (2, 3)": lambda: layer_norm(Z, Z),
    "layer_norm: expected bias of shape (3,) for x (2, 3), got (2, 3)": lambda: layer_norm(
        Z, None, Z
    ),
    "cross_entropy_with_logits: expected a last axis of at least 1, got ()": lambda: (
        cross_entropy_with_logits(ONE, 0)
    ),
    "cross_entropy_with_logits: expected a last axis of at least 1, got (0, 0)": lambda: (
        cross_entropy_with_logits(zeros(0, 0), [])
    ),
    "cross_entropy_with_logits: expected floats, got int64": lambda: cross_entropy_with_logits(
        np.zeros((2, 3), int), [0, 1]
    ),
    "cross_entropy_with_logits: expected real numbers, got ['a', 'b']": lambda: (
        cross_entropy_with_logits(Z, ["a", "b"])
    ),
    f"{ATTENTION}: expected q (..., T, D), k (..., S, D) and v (..., S, E), got (2, 3), (2, 2) and "
    "(2, 3); D and S must agree": lambda: attention(Z, zeros(2, 2), Z),
    "got (2, 3), (2, 3) and (3, 3); D and S must agree": lambda: attention(Z, Z, zeros(3, 3)),
    "got (3,), (2, 3) and (2, 3); D and S must agree": lambda: attention(zeros(3), Z, Z),
    "got (2, 0), (2, 0) and (2, 3); D and S must agree": lambda: attention(
        zeros(2, 0), zeros(2, 0), Z
    ),
    f"{ATTENTION}: expected shapes whose axes are equal or 1, from the right, got (2,) and (3,)": (
        lambda: attention(zeros(2, 2, 3), zeros(3, 2, 3), Z)
    ),
    "from the right, got (2, 3) and (2, 2)": lambda: attention(Z, Z, Z, np.ones((2, 3), bool)),
    f"{ATTENTION}: expected real numbers, got 'mask'": lambda: attention(Z, Z, Z, "mask"),
    f"{ATTENTION}: expected floats, got int64": lambda: attention(
        Tensor(np.ones((2, 3), int)), Z, Z
    ),
}


@pytest.mark.parametrize("message", FUSED_ERRORS)
def test_errors_of_the_fused_operations(message):
    with pytest.raises((ValueError, TypeError)) as caught:
        FUSED_ERRORS[message]()
    assert message in str(caught.value)


def test_what_is_not_refused():
    assert Tensor(2**70).dtype == (Z + 2**70).dtype == np.float32
    assert Tensor([Fraction(1, 2)]).data.tolist() == [0.5]
    assert zeros(3, 0).mean(0).shape == (0,)
    assert zeros(0, 2).take([]).shape == (0, 2)
    assert (Z.clip(np.float32(1), 2).data == 1).all()
    assert [p.shape for p in split(Z, np.int64(2))] == [(1, 3), (1, 3)]


def test_a_tensor_of_one_element_is_true_unless_it_is_0():
    assert ONE and not Tensor([[0.0]])


def test_arrays_are_constants_of_the_fused_operations():
    x, w = np.ones((2, 3), np.float32), np.ones(3)
    for y in (softmax(x), log_softmax(x), gelu(x), layer_norm(x, w, w), attention(x, x, x)):
        assert y.shape == (2, 3) and y.dtype == np.float32 and not y.requires_grad
    assert cross_entropy_with_logits(x, Tensor(np.array([0, 2]))).shape == (2,)


def test_a_mask_may_be_a_tensor():
    x, mask = np.eye(3), np.tril(np.ones((3, 3), bool))
    assert (attention(x, x, x, Tensor(mask)).data == attention(x, x, x, mask).data).all()
