"""One class per operation, in the manner of PyTorch's `autograd.Function`.

An object of such a class stands for one use of the operation. `forward` computes the result from
plain numbers and saves what `backward` will want; `backward` turns the gradient of the result
into one gradient per input.
"""

from __future__ import annotations

import math

from stage1_autodiff import derivatives


class Operation:
    """One use of an operation: the Values it was applied to, and the numbers it saved."""

    def __init__(self, *inputs) -> None:
        self.inputs = inputs
        self.saved = ()

    def forward(self, *numbers: float) -> float:
        raise NotImplementedError

    def backward(self, g: float) -> tuple[float, ...]:
        raise NotImplementedError


class Add(Operation):
    def forward(self, a: float, b: float) -> float:
        return a + b

    def backward(self, g: float) -> tuple[float, float]:
        return g, g


class Subtract(Operation):
    def forward(self, a: float, b: float) -> float:
        return a - b

    def backward(self, g: float) -> tuple[float, float]:
        return g, -g


class Multiply(Operation):
    def forward(self, a: float, b: float) -> float:
        self.saved = (a, b)
        return a * b

    def backward(self, g: float) -> tuple[float, float]:
        a, b = self.saved
        return g * b, g * a


class Divide(Operation):
    def forward(self, a: float, b: float) -> float:
        if b == 0:
            raise ZeroDivisionError("the denominator of a division is 0")
        self.saved = derivatives.d_div(a, b)
        return a / b

    def backward(self, g: float) -> tuple[float, float]:
        da, db = self.saved
        return g * da, g * db


class Power(Operation):
    def forward(self, a: float, b: float) -> float:
        if a < 0 and b != math.floor(b):
            raise ValueError(f"({a}) ** {b} is complex")
        if a == 0 and b < 0:
            raise ZeroDivisionError(f"0 ** {b} is a division by 0")
        self.saved = (a, b)
        return derivatives.power(a, b)

    def backward(self, g: float) -> tuple[float, float]:
        a, b = self.saved
        return g * derivatives.d_pow(a, b), g * derivatives.d_exponent(a, b)


class Exp(Operation):
    def forward(self, x: float) -> float:
        y = derivatives.power(math.e, x)  # infinite where the result is too large
        self.saved = (y,)
        return y

    def backward(self, g: float) -> tuple[float]:
        return (g * derivatives.d_exp(*self.saved),)


class Log(Operation):
    def forward(self, x: float) -> float:
        self.saved = (x,)
        return math.log(x)  # its own ValueError says enough

    def backward(self, g: float) -> tuple[float]:
        return (g * derivatives.d_log(*self.saved),)


class Tanh(Operation):
    def forward(self, x: float) -> float:
        y = math.tanh(x)
        self.saved = (y,)
        return y

    def backward(self, g: float) -> tuple[float]:
        return (g * derivatives.d_tanh(*self.saved),)


class Sigmoid(Operation):
    def forward(self, x: float) -> float:
        x = min(max(x, -500.0), 500.0)  # outside, the sigmoid is flat to the last digit
        y = 1 / (1 + math.exp(-x))
        self.saved = (y,)
        return y

    def backward(self, g: float) -> tuple[float]:
        return (g * derivatives.d_sigmoid(*self.saved),)


class Relu(Operation):
    def forward(self, x: float) -> float:
        self.saved = (x,)
        return 0.0 if x < 0 else x

    def backward(self, g: float) -> tuple[float]:
        return (g * derivatives.d_relu(*self.saved),)


class Sin(Operation):
    def forward(self, x: float) -> float:
        self.saved = (x,)
        return math.sin(x)

    def backward(self, g: float) -> tuple[float]:
        return (g * math.cos(*self.saved),)


class Cos(Operation):
    def forward(self, x: float) -> float:
        self.saved = (x,)
        return math.cos(x)

    def backward(self, g: float) -> tuple[float]:
        return (-g * math.sin(*self.saved),)


class Sqrt(Operation):
    def forward(self, x: float) -> float:
        y = math.sqrt(x)
        self.saved = (y,)
        return y

    def backward(self, g: float) -> tuple[float]:
        return (g * derivatives.d_sqrt(*self.saved),)


class Abs(Operation):
    def forward(self, x: float) -> float:
        self.saved = (x,)
        return abs(x)

    def backward(self, g: float) -> tuple[float]:
        return (g * derivatives.d_abs(*self.saved),)


class Dot(Operation):
    """bias + w . x, applied to the bias, the weights, and those x that are Values.

    `numbers` holds all of x as numbers; `places` says where in x the Values stand.
    """

    def __init__(self, *inputs, numbers: list[float], places: list[int]) -> None:
        super().__init__(*inputs)
        self.numbers = numbers
        self.places = places

    def forward(self, bias: float, *others: float) -> float:
        weights = others[: len(self.numbers)]
        self.saved = weights
        return bias + sum(w * x for w, x in zip(weights, self.numbers))

    def backward(self, g: float) -> tuple[float, ...]:
        return g, *(g * x for x in self.numbers), *(g * self.saved[i] for i in self.places)
