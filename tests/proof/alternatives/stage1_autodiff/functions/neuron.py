"""Modules that find their parameters by looking at their own attributes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from stage1_autodiff import operations as op
from stage1_autodiff.value import Value, as_value, record


def dot(weights: Sequence[Value], inputs: Sequence[Value | float], bias: Value) -> Value:
    """bias + sum of weights * inputs, as one use of the operation Dot."""
    if len(weights) != len(inputs):
        raise ValueError(f"{len(weights)} weights, but {len(inputs)} inputs")
    numbers = [as_value(x).data for x in inputs]
    places = [i for i, x in enumerate(inputs) if isinstance(x, Value)]
    nodes = [inputs[i] for i in places]
    return record(op.Dot(bias, *weights, *nodes, numbers=numbers, places=places))


class Module:
    def parameters(self) -> list[Value]:
        """Every Value among the attributes, and in the lists and modules among them."""
        return [p for attribute in vars(self).values() for p in parameters_in(attribute)]

    def zero_grad(self) -> None:
        for p in self.parameters():
            p.grad = 0.0


def parameters_in(thing: object) -> list[Value]:
    if isinstance(thing, Value):
        return [thing]
    if isinstance(thing, Module):
        return thing.parameters()
    if isinstance(thing, list):
        return [p for item in thing for p in parameters_in(item)]
    return []


class Neuron(Module):
    def __init__(
        self, n_in: int, nonlin: bool = True, rng: np.random.Generator | None = None
    ) -> None:
        rng = rng if rng is not None else np.random.default_rng()
        self.w = [Value(w) for w in rng.uniform(low=-1.0, high=1.0, size=n_in).tolist()]
        self.b = Value(0.0)
        self.nonlin = nonlin

    def __call__(self, x: Sequence[Value | float]) -> Value:
        y = dot(self.w, x, self.b)
        if not self.nonlin:
            return y
        return y.relu()

    def __repr__(self) -> str:
        return f"{'ReLU' if self.nonlin else 'Linear'}Neuron({len(self.w)})"


class Layer(Module):
    def __init__(
        self, n_in: int, n_out: int, nonlin: bool = True, rng: np.random.Generator | None = None
    ) -> None:
        rng = rng if rng is not None else np.random.default_rng()
        self.neurons = [Neuron(n_in, nonlin=nonlin, rng=rng) for _ in range(n_out)]

    def __call__(self, x: Sequence[Value | float]) -> Value | list[Value]:
        first, *others = [neuron(x) for neuron in self.neurons]
        return [first, *others] if others else first

    def __repr__(self) -> str:
        return f"Layer of [{', '.join(map(str, self.neurons))}]"


class MLP(Module):
    def __init__(
        self, n_in: int, n_outs: Sequence[int], rng: np.random.Generator | None = None
    ) -> None:
        rng = rng if rng is not None else np.random.default_rng()
        *hidden, last = pairwise([n_in, *n_outs])
        self.layers = [Layer(*sizes, rng=rng) for sizes in hidden]
        self.layers.append(Layer(*last, nonlin=False, rng=rng))

    def __call__(self, x: Sequence[Value | float]) -> Value | list[Value]:
        signal = x
        for layer in self.layers:
            signal = layer([signal] if isinstance(signal, Value) else signal)
        return signal

    def __repr__(self) -> str:
        return f"MLP of [{', '.join(map(str, self.layers))}]"
