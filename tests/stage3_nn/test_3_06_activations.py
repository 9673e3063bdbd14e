"""Exercise 3.6: activations as Modules."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage3_nn import GELU, ReLU, Sigmoid, SiLU, Softmax, Tanh

pytestmark = exercise("3.6")

CUBE = math.sqrt(2 / math.pi)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


EXPECTED = {
    ReLU: lambda x: np.maximum(x, 0),
    Sigmoid: sigmoid,
    Tanh: np.tanh,
    GELU: lambda x: 0.5 * x * (1 + np.tanh(CUBE * (x + 0.044715 * x**3))),
    SiLU: lambda x: x * sigmoid(x),
    Softmax: softmax,
}
WRONG = {  # what the formula gives if this is the mistake
    GELU: {
        lambda x: (
            x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))) / 2
        ): "here it is the tanh form",
        lambda x: x * sigmoid(1.702 * x): "that is the sigmoid form; here it is the tanh form",
        lambda x: 0.5 * x * (1 + np.tanh(CUBE * (x + 0.044715 * x**2))): "it is x^3, not x^2",
        lambda x: 0.5 * x * (1 + np.tanh(CUBE**2 * (x + 0.044715 * x**3))): "the root is missing",
    },
    Tanh: {sigmoid: "that is the sigmoid; x.tanh() is there"},
    Sigmoid: {np.tanh: "that is tanh; x.sigmoid() is there"},
    SiLU: {sigmoid: "x times that", lambda x: x * np.tanh(x): "x times the sigmoid"},
    Softmax: {lambda x: np.exp(x) / np.exp(x).sum(): "the sum is along the axis, with keepdims"},
}
kinds = pytest.mark.parametrize("kind", EXPECTED, ids=lambda kind: kind.__name__)


def nested(array):
    return tuple(map(tuple, array.tolist()))


def some():
    return Tensor(np.random.default_rng(0).standard_normal((4, 3)), requires_grad=True)


@kinds
def test_values(kind):
    x = some()
    wrong = {nested(f(x.data)): why for f, why in WRONG.get(kind, {}).items()}
    grade.close(kind()(x), EXPECTED[kind](x.data), f"{kind.__name__}()(x)", wrong)


@kinds
def test_vjps(kind):
    x, cut = some(), ".data cuts the graph: compute with Tensors to the end"
    s = sigmoid(x.data)
    slopes = {SiLU: [(s, cut), (x.data * s * (1 - s), cut)]}.get(kind)
    grade.vjps(lambda x: kind()(x), x, what=f"{kind.__name__}()(x)", slopes=slopes)


@kinds
def test_the_input_stays_as_it_was(kind):
    x = some()
    before = x.data.copy()
    kind()(x)
    written = {nested(x.data): "forward wrote into its input: make a new Tensor"}
    grade.close(x, before, f"x after {kind.__name__}()(x)", written)


@kinds
def test_far_out(kind):
    x = Tensor(np.array([[-1000.0, 0.0, 1000.0]]), requires_grad=True)
    y = kind()(x)
    want = {
        ReLU: [0, 0, 1000],
        Sigmoid: [0, 0.5, 1],
        Tanh: [-1, 0, 1],
        GELU: [0, 0, 1000],
        SiLU: [0, 0, 1000],
        Softmax: [0, 0, 1],
    }[kind]
    grade.close(y, [want], f"{kind.__name__} of -1000, 0 and 1000")
    y.backward(np.ones((1, 3)))
    grade.true(np.isfinite(x.grad).all(), f"the gradient of {kind.__name__} is finite", "overflow")


def test_relu_of_minus_infinity():
    grade.close(
        ReLU()(Tensor(np.array([-math.inf, 1.0]))),
        [0, 1],
        "ReLU of -inf",
        {(math.nan, 1.0): "-inf times 0 is NaN: take the larger of x and 0"},
    )


def test_softmax_of_rows_far_apart():
    x = Tensor(np.array([[0.0, 0.0], [1000.0, 1000.0], [-1000.0, -1000.0]]), requires_grad=True)
    y = Softmax()(x)
    one = "every row needs its own maximum: keepdims=True, along the axis"
    wrong = {
        ((0, 0), (0.5, 0.5), (0, 0)): one,
        ((math.nan, math.nan), (0.5, 0.5), (math.nan, math.nan)): one,
    }
    grade.close(y, np.full((3, 2), 0.5), "Softmax of [0, 0], [1000, 1000], [-1000, -1000]", wrong)
    y.backward(np.array([[4.0, 0.0], [0.0, 4.0], [4.0, 0.0]]))
    grade.close(x.grad, [[1, -1], [-1, 1], [1, -1]], "dL/dx for g = [4, 0], [0, 4], [4, 0]")


def test_softmax_along_an_axis():
    x = some()
    want = softmax(x.data.T).T
    grade.close(
        Softmax(axis=0)(x),
        want,
        "Softmax(axis=0)",
        {tuple(map(tuple, softmax(x.data))): "use self.axis"},
    )


@kinds
def test_float32_stays_float32(kind):
    y = kind()(Tensor(np.ones((2, 3), np.float32)))
    grade.true(y.dtype == np.float32, f"{kind.__name__} is float32; it is {y.dtype}", "keep it")
