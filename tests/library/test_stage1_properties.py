"""Backward, forward and measured derivatives agree on expressions that nobody chose."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stage1_autodiff import Value, central_difference, derivative, second_derivative

# Smooth and tame everywhere, so that a ruler of length 1e-5 measures to six digits.
STEPS: dict[str, Callable] = {
    "a + b": lambda a, b: a + b,
    "a - b": lambda a, b: a - b,
    "a * b": lambda a, b: (a * b).sin(),
    "a / b": lambda a, b: a / (b * b + 1),
    "1 / a": lambda a, b: 1 / (a * a + 1),
    "a ** 3": lambda a, b: (a / (a * a + 1)) ** 3,
    "a ** 0.5": lambda a, b: (a * a + 1) ** 0.5,
    "2 - a": lambda a, b: 2 - a,
    "-a": lambda a, b: -a,
    "exp": lambda a, b: (-(a * a)).exp(),
    "log": lambda a, b: (a * a + b * b + 1).log(),
    "tanh": lambda a, b: a.tanh() * b,
    "sigmoid": lambda a, b: a.sigmoid() - b,
    "relu": lambda a, b: (a * a + 0.1).relu() / 2,
    "cos": lambda a, b: a.cos(),
}
N_INPUTS = 3

numbers = st.floats(-2, 2, allow_subnormal=False)
points = st.lists(numbers, min_size=N_INPUTS, max_size=N_INPUTS)


@st.composite
def expressions(draw) -> Callable:
    """A function of three inputs: up to eight steps, each on inputs or results of earlier steps."""
    steps = []
    for i in range(draw(st.integers(1, 8))):
        operand = st.integers(0, N_INPUTS + i - 1)
        steps.append((draw(st.sampled_from(sorted(STEPS))), draw(operand), draw(operand)))

    def f(*inputs):
        results = list(inputs)
        for name, i, j in steps:
            results.append(STEPS[name](results[i], results[j]))
        return results[-1]

    f.__name__ = " ; ".join(f"{name} of {i}, {j}" for name, i, j in steps)
    return f


def by_backward(f: Callable, point: list[float]) -> list[float]:
    leaves = [Value(x) for x in point]
    f(*leaves).backward()
    return [leaf.grad for leaf in leaves]


def along(f: Callable, point: list[float], i: int) -> Callable:
    """f as a function of input i alone; the others are constants of the kind that input i is."""
    return lambda x: f(*(x if j == i else x * 0 + c for j, c in enumerate(point)))


few = settings(max_examples=200, derandomize=True, deadline=None)


@few
@given(expressions(), points)
def test_backward_agrees_with_central_differences(f, point):
    measured = []
    for i in range(N_INPUTS):
        g = along(f, point, i)
        measured.append(central_difference(lambda x, g=g: g(Value(x)).data, point[i]))
    assert by_backward(f, point) == pytest.approx(measured, rel=1e-5, abs=1e-6)


@few
@given(expressions(), points)
def test_backward_agrees_with_forward(f, point):
    forward = [derivative(along(f, point, i), point[i]) for i in range(N_INPUTS)]
    assert by_backward(f, point) == pytest.approx(forward, rel=1e-9, abs=1e-12)


@few
@given(expressions(), points)
def test_the_second_derivative_agrees_with_a_dual_of_duals(f, point):
    g = along(f, point, 0)
    twice_forward = derivative(lambda x: derivative(g, x), point[0])
    assert second_derivative(g, point[0]) == pytest.approx(twice_forward, rel=1e-8, abs=1e-10)


@few
@given(expressions(), points)
def test_a_second_backward_doubles_every_leaf(f, point):
    leaves = [Value(x) for x in point]
    y = f(*leaves)
    y.backward()
    once = [leaf.grad for leaf in leaves]
    y.backward()
    twice = pytest.approx([2 * g for g in once], rel=1e-12, abs=1e-15)
    assert [leaf.grad for leaf in leaves] == twice
