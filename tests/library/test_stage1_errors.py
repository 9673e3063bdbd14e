"""The errors of the scalar engine: each says the rule, what came, and a fix where one helps."""

import math
import re

import numpy as np
import pytest

from stage1_autodiff import (
    Dual,
    Neuron,
    Value,
    accuracy,
    derivative,
    gradcheck,
    hinge_loss,
    second_derivative,
    train,
)


@pytest.mark.parametrize(
    ("x", "shown"),
    [
        ("3", "'3'"),
        (None, "None"),
        (1j, "1j"),
        ([1.0], "[1.0]"),
        (np.array(1.0), "array(1.)"),
    ],
    ids=["text", "None", "complex", "list", "array"],
)
def test_what_is_no_real_number_is_refused(x, shown):
    with pytest.raises(TypeError) as info:
        Value(x)
    assert str(info.value) == (
        f"Value: expected a real number, got {shown}; convert it with float() first"
    )


@pytest.mark.parametrize(
    "f",
    [
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: a * b,
        lambda a, b: a / b,
        lambda a, b: a**b,
        lambda a, b: b + a,
        lambda a, b: b - a,
        lambda a, b: a < b,
        lambda a, b: a > b,
        lambda a, b: a <= b,
        lambda a, b: a >= b,
    ],
    ids=["+", "-", "*", "/", "**", "left +", "left -", "<", ">", "<=", ">="],
)
def test_an_operand_that_is_no_number_is_refused(f):
    with pytest.raises(TypeError) as info:
        f(Value(1.0), None)
    assert str(info.value) == (
        "Value: expected a real number, got None; convert it with float() first"
    )


@pytest.mark.parametrize(
    ("f", "kind", "message"),
    [
        (
            lambda: Value(3.0) / 0,
            ZeroDivisionError,
            "div: expected a non-zero denominator, got 3.0 / 0.0; "
            "add a small number to the denominator",
        ),
        (
            lambda: 1 / Value(0.0),
            ZeroDivisionError,
            "div: expected a non-zero denominator, got 1.0 / 0.0; "
            "add a small number to the denominator",
        ),
        (
            lambda: Value(-2.0) ** 0.5,
            ValueError,
            "pow: expected a base >= 0 for a fractional exponent, got (-2.0) ** 0.5; "
            "take abs() of the base",
        ),
        (
            lambda: (-2.0) ** Value(0.5),
            ValueError,
            "pow: expected a base >= 0 for a fractional exponent, got (-2.0) ** 0.5; "
            "take abs() of the base",
        ),
        (
            lambda: Value(0.0) ** -1,
            ZeroDivisionError,
            "pow: expected a non-zero base for a negative exponent, got 0.0 ** -1.0; "
            "add a small number to the base",
        ),
        (
            lambda: Value(0.0).log(),
            ValueError,
            "log: expected a number > 0, got 0.0; add a small number to it first",
        ),
        (
            lambda: Value(-1.5).log(),
            ValueError,
            "log: expected a number > 0, got -1.5; add a small number to it first",
        ),
        (
            lambda: Value(-4.0).sqrt(),
            ValueError,
            "sqrt: expected a number >= 0, got -4.0; take abs() first",
        ),
    ],
    ids=["3/0", "1/Value(0)", "(-2)**0.5", "-2**Value", "0**-1", "log 0", "log -1.5", "sqrt -4"],
)
def test_an_impossible_operation_says_the_rule_what_came_and_a_fix(f, kind, message):
    with pytest.raises(kind) as info:
        f()
    assert str(info.value) == message


def test_a_number_that_no_float_can_hold_is_refused():
    with pytest.raises(ValueError) as caught:
        Value(1.0) + 10**400
    assert str(caught.value).startswith("Value: expected a number below 1.8e308, got 10000000")
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize("op", ["sin", "cos"])
def test_a_wave_has_no_value_at_infinity(op):
    with pytest.raises(ValueError) as caught:
        getattr(Value(-math.inf), op)()
    assert str(caught.value) == f"{op}: expected a finite number, got -inf"


NEURON = Neuron(2)
REFUSED = {
    "derivative: expected a function first, got 3": lambda: derivative(3, 1.0),
    "second_derivative: expected a function first, got 3": lambda: second_derivative(3, 1.0),
    "gradcheck: expected a function first, got 3": lambda: gradcheck(3, 1.0),
    "gradcheck: expected a node of a graph, got None": lambda: gradcheck(lambda x: None, 1.0),
    "Dual: expected value as a number, got 'x'": lambda: Dual("x", 1.0),
    "Dual: expected derivative as a number, got None": lambda: Dual(1.0, None),
    "Dual: expected value below 1.8e308, got 1000": lambda: Dual(10**400, 1.0),
    "accuracy: expected points and a label for each, got 0 and 0": lambda: accuracy(NEURON, [], []),
    "hinge_loss: expected points and a label for each, got 1 and 2": lambda: hinge_loss(
        NEURON, [(1, 2)], [1, -1]
    ),
    "hinge_loss: expected label 0 as a number, got 'a'": lambda: hinge_loss(
        NEURON, [(1, 2)], ["a"]
    ),
    "hinge_loss: expected alpha as a number": lambda: hinge_loss(NEURON, [(1, 2)], [1], "a"),
    "accuracy: expected score 0 as a number, got (1, 2)": lambda: accuracy(
        lambda x: x, [(1, 2)], [1]
    ),
    "train: expected a model such as an MLP, got 3": lambda: train(3, lambda: Value(1.0), 1, 0.1),
    "train: expected a function that returns the loss, got 3": lambda: train(NEURON, 3, 1, 0.1),
    "train: expected a node of a graph, got None": lambda: train(NEURON, lambda: None, 1, 0.1),
    "train: expected steps as a whole number, got 1.5": lambda: train(NEURON, min, 1.5, 0.1),
    "train: expected learning_rate below 1.8e308": lambda: train(NEURON, min, 1, 10**400),
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_function_says_what_it_cannot_use(message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        REFUSED[message]()
