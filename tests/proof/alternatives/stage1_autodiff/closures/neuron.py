"""micrograd's neuron: a generator of products, summed from the bias on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stage1_autodiff.value import Value, as_value


def dot(weights: Sequence[Value], inputs: Sequence[Value | float], bias: Value) -> Value:
    """bias + sum of weights * inputs, one node with one closure."""
    if len(weights) != len(inputs):
        raise ValueError(f"dot: got {len(weights)} weights and {len(inputs)} inputs")
    pairs = list(zip(weights, map(as_value, inputs)))
    nodes = [x for x in inputs if isinstance(x, Value)]
    total = bias.data + sum(w.data * x.data for w, x in pairs)
    out = Value(total, [bias, *weights, *nodes], "dot")
    numbers = [(w, x, w.data, x.data) for w, x in pairs]

    def _backward() -> None:
        bias.grad += out.grad
        for w, x, w_data, x_data in numbers:
            w.grad += x_data * out.grad
            x.grad += w_data * out.grad

    out._backward = _backward
    return out


class Module:
    def zero_grad(self) -> None:
        for p in self.parameters():
            p.grad = 0

    def parameters(self) -> list[Value]:
        return []


class Neuron(Module):
    def __init__(
        self, n_in: int, nonlin: bool = True, rng: np.random.Generator | None = None
    ) -> None:
        rng = np.random.default_rng() if rng is None else rng
        self.w = [Value(rng.uniform(-1, 1)) for _ in range(n_in)]
        self.b = Value(0)
        self.nonlin = nonlin

    def __call__(self, x: Sequence[Value | float]) -> Value:
        if len(x) != len(self.w):
            raise ValueError(f"Neuron: expected {len(self.w)} inputs, got {len(x)}")
        act = sum((wi * xi for wi, xi in zip(self.w, x)), self.b)
        return act.relu() if self.nonlin else act

    def parameters(self) -> list[Value]:
        return [*self.w, self.b]

    def __repr__(self) -> str:
        return f"{'ReLU' if self.nonlin else 'Linear'}Neuron({len(self.w)})"


class Layer(Module):
    def __init__(
        self, n_in: int, n_out: int, nonlin: bool = True, rng: np.random.Generator | None = None
    ) -> None:
        rng = np.random.default_rng() if rng is None else rng
        self.neurons = [Neuron(n_in, nonlin, rng) for _ in range(n_out)]

    def __call__(self, x: Sequence[Value | float]) -> Value | list[Value]:
        out = [n(x) for n in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self) -> list[Value]:
        return [p for n in self.neurons for p in n.parameters()]

    def __repr__(self) -> str:
        return f"Layer of [{', '.join(str(n) for n in self.neurons)}]"


class MLP(Module):
    def __init__(
        self, n_in: int, n_outs: Sequence[int], rng: np.random.Generator | None = None
    ) -> None:
        rng = np.random.default_rng() if rng is None else rng
        sizes = [n_in, *n_outs]
        self.layers = []
        for i in range(len(n_outs)):
            is_last = i == len(n_outs) - 1
            self.layers.append(Layer(sizes[i], sizes[i + 1], nonlin=not is_last, rng=rng))

    def __call__(self, x: Sequence[Value | float]) -> Value | list[Value]:
        for layer in self.layers:
            out = layer(x)
            x = out if isinstance(out, list) else [out]
        return out

    def parameters(self) -> list[Value]:
        return [p for layer in self.layers for p in layer.parameters()]

    def __repr__(self) -> str:
        return f"MLP of [{', '.join(str(layer) for layer in self.layers)}]"
