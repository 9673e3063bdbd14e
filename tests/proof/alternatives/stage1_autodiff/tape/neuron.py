"""Neurons written with plain loops, and lists that grow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stage1_autodiff.value import Value


def dot(weights: Sequence[Value], inputs: Sequence[Value | float], bias: Value) -> Value:
    """bias + sum of weights * inputs: one entry of the tape, with an edge to every Value."""
    if len(weights) != len(inputs):
        raise ValueError(f"{len(weights)} weights do not fit {len(inputs)} inputs")
    data = bias.data
    edges = [(bias, 1.0)]
    for i in range(len(weights)):
        w, x = weights[i], inputs[i]
        if isinstance(x, Value):
            edges.append((x, w.data))
            x = x.data
        edges.append((w, float(x)))
        data += w.data * float(x)
    return Value(data, *edges)


class Module:
    def parameters(self) -> list[Value]:
        return []

    def zero_grad(self) -> None:
        for p in self.parameters():
            p.grad = np.float64(0.0)


class Neuron(Module):
    def __init__(
        self, n_in: int, nonlin: bool = True, rng: np.random.Generator | None = None
    ) -> None:
        if rng is None:
            rng = np.random.default_rng()
        self.w = []
        for _ in range(n_in):
            self.w.append(Value(2 * rng.random() - 1))
        self.b = Value(0.0)
        self.nonlin = nonlin

    def __call__(self, x: Sequence[Value | float]) -> Value:
        activation = self.b
        for w, xi in zip(self.w, x, strict=True):
            activation = activation + w * xi
        if self.nonlin:
            activation = activation.relu()
        return activation

    def parameters(self) -> list[Value]:
        found = self.w.copy()
        found.append(self.b)
        return found

    def __repr__(self) -> str:
        return f"{'ReLU' if self.nonlin else 'Linear'}Neuron({len(self.w)})"


class Layer(Module):
    def __init__(
        self, n_in: int, n_out: int, nonlin: bool = True, rng: np.random.Generator | None = None
    ) -> None:
        if rng is None:
            rng = np.random.default_rng()
        self.neurons = []
        for _ in range(n_out):
            self.neurons.append(Neuron(n_in, nonlin, rng))

    def __call__(self, x: Sequence[Value | float]) -> Value | list[Value]:
        if len(self.neurons) == 1:
            return self.neurons[0](x)
        return [neuron(x) for neuron in self.neurons]

    def parameters(self) -> list[Value]:
        found = []
        for neuron in self.neurons:
            found += neuron.parameters()
        return found

    def __repr__(self) -> str:
        return f"Layer of [{', '.join(str(neuron) for neuron in self.neurons)}]"


class MLP(Module):
    def __init__(
        self, n_in: int, n_outs: Sequence[int], rng: np.random.Generator | None = None
    ) -> None:
        if rng is None:
            rng = np.random.default_rng()
        self.layers = []
        size = n_in
        for n_out in n_outs:
            self.layers.append(Layer(size, n_out, True, rng))
            size = n_out
        for neuron in self.layers[-1].neurons:
            neuron.nonlin = False

    def __call__(self, x: Sequence[Value | float]) -> Value | list[Value]:
        for layer in self.layers[:-1]:
            x = [neuron(x) for neuron in layer.neurons]
        return self.layers[-1](x)

    def parameters(self) -> list[Value]:
        found = []
        for layer in self.layers:
            found += layer.parameters()
        return found

    def __repr__(self) -> str:
        return f"MLP of [{', '.join(str(layer) for layer in self.layers)}]"
