"""From one neuron to a network: weighted sums, bent by a nonlinearity, in layers.

The names are those of micrograd, so a program written for it runs on this file unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import mul

import numpy as np

from stage1_autodiff.inputs import check_counts, check_sequences, no_weighted_sum
from stage1_autodiff.randomness import generator
from stage1_autodiff.value import Value, as_value, switched_off


class Inputs(list):
    """The inputs of a layer: their numbers are read once, for all of its neurons."""

    def __init__(self, inputs: Sequence[Value | float]) -> None:
        check_sequences("Layer", inputs=inputs)
        super().__init__(inputs)
        self.numbers = [as_value(x).data for x in self]
        self.are_nodes = [isinstance(x, Value) for x in self]
        self.nodes = list(compress(self, self.are_nodes))


def dot(weights: Sequence[Value], inputs: Sequence, bias: Value, nonlin: bool = False) -> Value:
    """bias + sum_i weights[i] * inputs[i] as a single node of the graph; with `nonlin` its relu.

    Written with `*` and `+` the same sum makes 2 n nodes; backward pays for every one of them.
    Inputs that are plain numbers get no edge, since nobody asks for their gradient.

    Gradient:  dL/dw_i = g x_i,  dL/dx_i = g w_i,  dL/dbias = g; all 0 if the relu is off
    Raises:    ValueError: if there are not as many weights as inputs.
    """
    try:
        if len(weights) != len(inputs):
            got = f"{len(weights)} weights and {len(inputs)} inputs"
            raise ValueError(f"dot: expected one input per weight, got {got}")
        x = inputs if isinstance(inputs, Inputs) else Inputs(inputs)
        w = [weight.data for weight in weights]
        total = sum(map(mul, w, x.numbers), bias.data)
        op = "dot + relu" if nonlin else "dot"
        if nonlin and total <= 0:
            return switched_off(op, bias, *weights, *x.nodes)
        slopes = 1.0, *x.numbers, *compress(w, x.are_nodes)
        return Value(total, (bias, *weights, *x.nodes), slopes, op)
    except (AttributeError, TypeError, ValueError) as error:  # cheaper than to check first
        raise no_weighted_sum(error, weights, inputs, bias) from None


class Module:
    """Anything with parameters to learn."""

    def parameters(self) -> list[Value]:
        """Every Value that learning may change."""
        return []

    def zero_grad(self) -> None:
        """Set the gradient of every parameter back to 0.0, before the next backward."""
        for p in self.parameters():
            p.grad = 0.0


class Neuron(Module):
    """relu(w . x + b), or w . x + b if `nonlin` is False; weights from U(-1, 1), bias 0."""

    def __init__(
        self, n_in: int, nonlin: bool = True, rng: np.random.Generator | None = None
    ) -> None:
        check_counts("Neuron", n_in=n_in)
        rng = generator("Neuron", rng)
        self.w = [Value(w) for w in rng.uniform(-1, 1, size=n_in)]
        self.b = Value(0.0)
        self.nonlin = nonlin

    def __call__(self, x: Sequence[Value | float]) -> Value:
        """The activation for the inputs x.

        Raises:    ValueError: if there are not `n_in` of them.
        """
        return dot(self.w, x, self.b, self.nonlin)

    def parameters(self) -> list[Value]:
        """The weights, then the bias."""
        return [*self.w, self.b]

    def __repr__(self) -> str:
        return f"{'ReLU' if self.nonlin else 'Linear'}Neuron({len(self.w)})"


class Layer(Module):
    """`n_out` neurons side by side, all looking at the same `n_in` inputs."""

    def __init__(
        self,
        n_in: int,
        n_out: int,
        nonlin: bool = True,
        rng: np.random.Generator | None = None,
    ) -> None:
        check_counts("Layer", n_in=n_in, n_out=n_out)
        rng = generator("Layer", rng)
        self.neurons = [Neuron(n_in, nonlin, rng) for _ in range(n_out)]

    def __call__(self, x: Sequence[Value | float]) -> Value | list[Value]:
        """The activations of all neurons: a list, or the bare Value if there is only one."""
        x = Inputs(x)
        out = [neuron(x) for neuron in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self) -> list[Value]:
        """The parameters of every neuron, in order."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

    def __repr__(self) -> str:
        return f"Layer of [{', '.join(str(neuron) for neuron in self.neurons)}]"


class MLP(Module):
    """Layers one after the other; every layer but the last is bent by a relu."""

    def __init__(
        self, n_in: int, n_outs: Sequence[int], rng: np.random.Generator | None = None
    ) -> None:
        check_sequences("MLP", n_outs=n_outs)
        if not len(n_outs):
            raise ValueError("MLP: expected at least one layer, got none; try MLP(2, [16, 1])")
        rng = generator("MLP", rng)
        sizes = [n_in, *n_outs]
        last = len(n_outs) - 1
        self.layers = [
            Layer(sizes[i], sizes[i + 1], nonlin=i != last, rng=rng) for i in range(len(n_outs))
        ]

    def __call__(self, x: Sequence[Value | float]) -> Value | list[Value]:
        """The output of the last layer for the `n_in` inputs x.

        A layer of one neuron returns no list: hand its Value on as a list of one.
        """
        for layer in self.layers:
            out = layer(x)
            x = [out] if isinstance(out, Value) else out
        return out

    def parameters(self) -> list[Value]:
        """The parameters of every layer, from the input to the output."""
        return [p for layer in self.layers for p in layer.parameters()]

    def __repr__(self) -> str:
        return f"MLP of [{', '.join(str(layer) for layer in self.layers)}]"
