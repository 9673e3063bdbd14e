"""Local derivatives, each in a line."""

from __future__ import annotations

import math


def d_add(a: float, b: float) -> tuple[float, float]:
    return (1.0, 1.0)


def d_sub(a: float, b: float) -> tuple[float, float]:
    return (1.0, -1.0)


def d_mul(a: float, b: float) -> tuple[float, float]:
    return (b, a)


def d_div(a: float, b: float) -> tuple[float, float]:
    return (1 / b, -(a / b) / b)


def d_pow(a: float, b: float) -> float:
    return 0.0 if b == 0 else power(a, b - 1) * b


def d_exponent(a: float, b: float) -> float:
    if a == 0:
        return -math.inf if b < 0 else 0.0
    return power(a, b) * (math.log(a) if a > 0 else math.nan)


def d_exp(y: float) -> float:
    return y


def d_log(x: float) -> float:
    return 1.0 / x


def d_tanh(y: float) -> float:
    return (1.0 - y) * (1.0 + y)


def d_sigmoid(y: float) -> float:
    return y - y * y


def d_relu(x: float) -> float:
    return float(x > 0)


def d_sqrt(y: float) -> float:
    return 0.5 / y if y > 0 else math.inf


def d_abs(x: float) -> float:
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0


def power(a: float, b: float) -> float:
    """a ** b, infinite where Python raises OverflowError or, for a = 0, ZeroDivisionError."""
    try:
        return a**b
    except (OverflowError, ZeroDivisionError):
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
