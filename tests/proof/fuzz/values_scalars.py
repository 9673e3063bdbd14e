"""Right calls of stage 1: numbers in, one number out."""

from __future__ import annotations

import operator
from itertools import pairwise

import numpy as np

import stage1_autodiff as s1
from tests.proof.fuzz import formulas

SLOPES = [  # f, f', f''
    (lambda x: x * x * x, lambda x: 3 * x**2, lambda x: 6 * x),
    (lambda x: x.exp() * x, lambda x: np.exp(x) * (1 + x), lambda x: np.exp(x) * (2 + x)),
    (lambda x: 1 / (x * x + 1), lambda x: -2 * x / (x**2 + 1) ** 2,
     lambda x: (6 * x**2 - 2) / (x**2 + 1) ** 3),
]  # fmt: skip


def numbers(course, reference, n=1, low=-2.0, high=2.0):
    """A case of n numbers."""

    def case(rng):
        return course, reference, list(map(np.asarray, rng.uniform(low, high, n)))

    return case


def function(name, reference, low=-2.0, high=2.0):
    """A case of a method of one Value."""
    return numbers(lambda a: getattr(a, name)(), reference, 1, low, high)


def sided(op, low=-2.0, high=2.0):
    """Cases of an operator with two Values, and with a number on the left."""
    return (
        numbers(op, op, 2, low, high),
        numbers(lambda a: op(1.7, a), lambda a: op(1.7, a), 1, low, high),
    )


def derived(course, order):
    """A case of a derivative that is known: by x at x; only its value is judged."""

    def case(rng):
        f, *slopes = SLOPES[rng.integers(len(SLOPES))]
        x = float(rng.uniform(-2, 2))
        return (lambda: course(f, x)), (lambda: slopes[order - 1](x)), []

    return case


def with_parameters(model, parameters):
    """The model with these Values in the places of its parameters."""
    for neuron in [n for layer in getattr(model, "layers", [model]) for n in neurons_of(layer)]:
        n = len(neuron.w)
        neuron.w, neuron.b, parameters = parameters[:n], parameters[n], parameters[n + 1 :]
    return model


def neurons_of(layer):
    return getattr(layer, "neurons", [layer])


def network(x, sizes, parameters):
    """The same network in NumPy; the last layer is straight."""
    parameters = np.array(parameters)
    for i, (n, m) in enumerate(pairwise(sizes)):
        block = parameters[: m * (n + 1)].reshape(m, n + 1)
        x, parameters = block[:, :n] @ x + block[:, n], parameters[m * (n + 1) :]
        x = np.maximum(x, 0) if i < len(sizes) - 2 else x
    return x


def network_of(make, sizes):
    """A case of a network: the inputs and all parameters are leaves, the outputs are added up."""
    n = sizes[0]

    def course(*leaves):
        found = with_parameters(make(), list(leaves[n:]))(leaves[:n])
        return sum(found) if isinstance(found, list) else found

    n_parameters = sum(m * (k + 1) for k, m in pairwise(sizes))
    return numbers(
        course, lambda *xs: network(np.array(xs[:n]), sizes, xs[n:]).sum(), n + n_parameters
    )


POINTS, LABELS = [(0.3, -1.2), (1.1, 0.4), (-0.7, 0.9)], [1, -1, 1]


def straight(leaves):
    return with_parameters(s1.Neuron(2, nonlin=False), list(leaves))


def hinge(*p):
    scores = np.array(POINTS) @ np.array(p[:2]) + p[2]
    return formulas.relu(1 - np.array(LABELS) * scores).mean() + 0.01 * (np.array(p) ** 2).sum()


def share_of_right(*p):
    return float(np.mean((np.array(POINTS) @ np.array(p[:2]) + p[2]) * np.array(LABELS) > 0))


ADD, RADD = sided(operator.add)
SUB, RSUB = sided(operator.sub)
MUL, RMUL = sided(operator.mul)
DIV, RDIV = sided(operator.truediv, 0.2)
POW, RPOW = sided(operator.pow, 0.2)

CASES = {
    "Value.__add__": ADD, "Value.__radd__": RADD,
    "Value.__sub__": SUB, "Value.__rsub__": RSUB,
    "Value.__mul__": MUL, "Value.__rmul__": RMUL,
    "Value.__truediv__": DIV, "Value.__rtruediv__": RDIV,
    "Value.__pow__": POW, "Value.__rpow__": RPOW,
    "Value.exp": function("exp", np.exp),
    "Value.log": function("log", np.log, 0.1),
    "Value.sqrt": function("sqrt", np.sqrt, 0.1),
    "Value.sin": function("sin", np.sin),
    "Value.cos": function("cos", np.cos),
    "Value.abs": function("abs", np.abs),
    "Value.relu": function("relu", formulas.relu),
    "Value.tanh": function("tanh", np.tanh),
    "Value.sigmoid": function("sigmoid", formulas.sigmoid, -30, 30),
    "stage1_autodiff.dot": numbers(
        lambda a, b, x, y, c: s1.dot([a, b], [x, y], c), lambda a, b, x, y, c: a * x + b * y + c, 5
    ),
    "stage1_autodiff.Neuron": network_of(lambda: s1.Neuron(3, nonlin=False), [3, 1]),
    "stage1_autodiff.Layer": network_of(lambda: s1.Layer(2, 3, nonlin=False), [2, 3]),
    "stage1_autodiff.MLP": network_of(lambda: s1.MLP(2, [3, 2]), [2, 3, 2]),
    "stage1_autodiff.hinge_loss": numbers(
        lambda *p: s1.hinge_loss(straight(p), POINTS, LABELS, 0.01), hinge, 3
    ),
    "stage1_autodiff.accuracy": numbers(
        lambda *p: s1.accuracy(straight(p), POINTS, LABELS), share_of_right, 3
    ),
    "stage1_autodiff.derivative": derived(s1.derivative, 1),
    "stage1_autodiff.second_derivative": derived(s1.second_derivative, 2),
    "stage1_autodiff.central_difference": numbers(
        lambda a: s1.central_difference(lambda x: x**3, a.data, 0.5),
        lambda a: 3 * a**2 + 0.25,  # of a cubic the error is h^2
    ),
}  # fmt: skip
