"""The local derivative of every operation: how far the output moves when one input moves.

Nothing here knows of a graph. Each function is one line of calculus on numbers, and takes the
inputs `a`, `b`, `x` or the output `y` of its operation, whichever gives the shorter formula.
`Value` stores the results as partials; `Dual` multiplies by them on the way forward. Values and
Duals may themselves flow through here, so all but `d_exponent` use plain operators only.
"""

import math


def d_add(a: float, b: float) -> tuple[float, float]:
    """d(a + b)/da and d(a + b)/db."""
    return 1.0, 1.0


def d_sub(a: float, b: float) -> tuple[float, float]:
    """d(a - b)/da and d(a - b)/db."""
    return 1.0, -1.0


def d_mul(a: float, b: float) -> tuple[float, float]:
    """d(a b)/da and d(a b)/db."""
    return b, a


def d_div(a: float, b: float) -> tuple[float, float]:
    """d(a / b)/da and d(a / b)/db, for b other than 0."""
    return 1 / b, -a / b / b  # b * b would be 0 for a tiny b


def d_pow(a: float, b: float) -> float:
    """d(a ** b)/da. It is 0 for b = 0, whatever a is: a ** 0 is the constant 1."""
    return b * power(a, b - 1) if b != 0 else 0.0


def d_exponent(a: float, b: float) -> float:
    """d(a ** b)/db. It is 0 at a = 0 by convention, and NaN for a < 0, where no slope exists.

    For a negative b, 0 ** b is infinite, and the slope is -inf.
    """
    if a > 0:
        return power(a, b) * math.log(a)
    if a == 0:
        return -math.inf if b < 0 else 0.0
    return math.nan


def d_exp(y: float) -> float:
    """d exp(x)/dx, from the output y = exp(x)."""
    return y


def d_log(x: float) -> float:
    """d log(x)/dx, from the input x."""
    return 1 / x


def d_tanh(y: float) -> float:
    """d tanh(x)/dx, from the output y = tanh(x)."""
    return 1 - y * y


def d_sigmoid(y: float) -> float:
    """d sigmoid(x)/dx, from the output y = sigmoid(x)."""
    return y * (1 - y)


def d_relu(x: float) -> float:
    """d relu(x)/dx, from the input x. At the kink x = 0 the slope is 0 by convention."""
    return 1.0 if x > 0 else 0.0


def d_sqrt(y: float) -> float:
    """d sqrt(x)/dx, from the output y = sqrt(x). Infinite at 0, where the curve is vertical."""
    return 0.5 / y if y > 0 else math.inf


def d_abs(x: float) -> float:
    """d |x|/dx, from the input x. At the kink x = 0 the slope is 0 by convention."""
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0


def power(a: float, b: float) -> float:
    """a ** b, infinite where Python raises OverflowError or, for a = 0, ZeroDivisionError."""
    try:
        return a**b
    except (OverflowError, ZeroDivisionError):
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
