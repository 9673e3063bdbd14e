"""The errors of the scalar engine: each says the rule, what came, and a fix where one helps."""

import math

import numpy as np
import pytest

from stage1_autodiff import Value


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
