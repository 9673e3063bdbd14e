"""Local derivatives, with a case for each sign."""

from __future__ import annotations

from math import inf, log, nan


def d_add(a: float, b: float) -> tuple[float, float]:
    return 1.0, 1.0


def d_sub(a: float, b: float) -> tuple[float, float]:
    da, db = d_add(a, b)
    return da, -db


def d_mul(a: float, b: float) -> tuple[float, float]:
    da = b
    db = a
    return da, db


def d_div(a: float, b: float) -> tuple[float, float]:
    quotient = a / b
    return 1.0 / b, -quotient / b


def d_pow(a: float, b: float) -> float:
    slope = 0.0
    if b != 0:
        slope = b * power(a, b - 1)
    return slope


def d_exponent(a: float, b: float) -> float:
    try:
        return log(a) * power(a, b)
    except ValueError:  # log() of 0 or of a negative number
        if a < 0:
            return nan
        return -inf if b < 0 else 0.0


def d_exp(y: float) -> float:
    return 1.0 * y


def d_log(x: float) -> float:
    return x**-1


def d_tanh(y: float) -> float:
    return 1.0 - y * y


def d_sigmoid(y: float) -> float:
    return (1.0 - y) * y


def d_relu(x: float) -> float:
    if x > 0:
        return 1.0
    return 0.0


def d_sqrt(y: float) -> float:
    return 0.5 / y if y > 0 else inf


def d_abs(x: float) -> float:
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0


def power(a: float, b: float) -> float:
    """a ** b, infinite where Python raises OverflowError or, for a = 0, ZeroDivisionError."""
    try:
        return a**b
    except (OverflowError, ZeroDivisionError):
        return -inf if a < 0 and b % 2 == 1 else inf
