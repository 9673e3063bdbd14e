"""Neurons, layers and networks: shapes, first weights, the n-ary dot, and their errors."""

import math

import numpy as np
import pytest

from stage1_autodiff import MLP, Layer, Module, Neuron, Value, dot, topological_order
from tests.library.samples import rng


def values(*numbers: float) -> list[Value]:
    return [Value(x) for x in numbers]


# dot


def test_dot_is_the_sum_of_products_written_out():
    w, x, b = values(0.5, -2.0, 3.0), values(1.5, 4.0, -0.25), Value(0.125)
    total = w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + b
    assert dot(w, x, b).data == total.data


def test_dot_has_the_gradients_of_the_sum_written_out():
    w, x, b = values(0.5, -2.0), values(1.5, 4.0), Value(0.125)
    (dot(w, x, b) * 3).backward()
    assert [leaf.grad for leaf in (*w, *x, b)] == [4.5, 12.0, 1.5, -6.0, 3.0]


def test_dot_makes_one_node():
    w, x, b = values(1.0, 2.0), values(3.0, 4.0), Value(5.0)
    assert len(topological_order(dot(w, x, b))) == 6


def test_dot_gives_numbers_no_edge():
    w, x, b = values(1.0, 2.0, 3.0), Value(4.0), Value(5.0)
    y = dot(w, [x, 6.0, np.float64(7.0)], b)
    assert set(y.parents) == {*w, x, b}


def test_dot_adds_up_the_uses_of_one_value():
    a = Value(2.0)
    dot([a, a], [a, 3.0], a).backward()
    assert a.grad == 2 * 2 + 3 + 1


def test_dot_takes_an_array_of_numbers():
    w = values(1.0, 2.0)
    y = dot(w, np.array([3.0, 4.0]), Value(5.0))
    y.backward()
    assert (y.data, w[0].grad, w[1].grad) == (16.0, 3.0, 4.0)


def test_dot_of_nothing_is_the_bias():
    assert dot([], [], Value(2.5)).data == 2.5


def test_dot_says_how_many_weights_and_inputs_it_got():
    with pytest.raises(ValueError) as info:
        dot(values(1.0, 2.0), [1.0], Value(0.0))
    assert str(info.value) == "dot: expected one input per weight, got 2 weights and 1 inputs"


def test_dot_refuses_an_input_that_is_no_number():
    with pytest.raises(TypeError) as info:
        dot(values(1.0), ["1"], Value(0.0))
    assert str(info.value) == (
        "Value: expected a real number, got '1'; convert it with float() first"
    )


def test_dot_with_its_relu_is_one_node_too():
    for bias in (1.0, -9.0):
        fused, composed = [values(0.5, -2.0, 1.5, 1.0, bias) for _ in range(2)]
        y = dot(fused[:2], fused[2:4], fused[4], nonlin=True)
        total = dot(composed[:2], composed[2:4], composed[4]).relu()
        y.backward()
        total.backward()
        assert str(y) == str(total)
        assert str(fused) == str(composed)
        assert set(y.parents) == set(fused)
    assert math.isnan(dot([], [], Value(math.nan), nonlin=True).data)


# Neuron


def test_first_weights_are_spread_evenly_between_minus_one_and_one():
    w = [p.data for p in Neuron(10_000, rng=rng()).w]
    assert -1 <= min(w) < -0.99
    assert 0.99 < max(w) < 1
    assert abs(np.mean(w)) < 5 * np.sqrt(1 / 3 / 10_000)
    assert np.var(w) == pytest.approx(1 / 3, rel=0.05)


def test_the_first_bias_is_zero():
    assert Neuron(3).b.data == 0


def test_the_same_generator_gives_the_same_network():
    first, second = (MLP(3, [4, 2], rng=rng(7)) for _ in range(2))
    assert [p.data for p in first.parameters()] == [p.data for p in second.parameters()]


def test_without_a_generator_no_two_neurons_are_alike():
    assert Neuron(3).w[0].data != Neuron(3).w[0].data


def test_the_neurons_of_a_layer_are_not_alike():
    layer = Layer(2, 50, rng=rng())
    assert len({neuron.w[0].data for neuron in layer.neurons}) == 50


def test_a_neuron_is_bent_by_a_relu_unless_told_otherwise():
    bent, straight = Neuron(1), Neuron(1, nonlin=False)
    bent.w[0].data = straight.w[0].data = -1.0
    assert (bent([2.0]).data, straight([2.0]).data) == (0.0, -2.0)


def test_a_neuron_refuses_the_wrong_number_of_inputs():
    with pytest.raises(ValueError) as info:
        Neuron(2)([1.0, 2.0, 3.0])
    assert str(info.value) == "dot: expected one input per weight, got 2 weights and 3 inputs"


# Layer and MLP


def test_a_layer_of_many_neurons_returns_a_list():
    y = Layer(2, 3)([1.0, 2.0])
    assert [type(yi) for yi in y] == [Value] * 3


def test_a_layer_of_one_neuron_returns_a_value():
    assert type(Layer(2, 1)([1.0, 2.0])) is Value


def test_a_network_may_narrow_to_one_neuron_and_widen_again():
    model = MLP(2, [1, 3, 1], rng=rng())
    assert type(model([1.0, 2.0])) is Value


def test_every_layer_but_the_last_is_bent():
    model = MLP(2, [4, 5, 3])
    bent = [[neuron.nonlin for neuron in layer.neurons] for layer in model.layers]
    assert bent == [[True] * 4, [True] * 5, [False] * 3]


def test_a_network_without_layers_is_refused():
    with pytest.raises(ValueError) as info:
        MLP(2, [])
    assert str(info.value) == "MLP: expected at least one layer, got none; try MLP(2, [16, 1])"


def test_parameters_stand_in_the_order_weights_bias_neuron_by_neuron():
    layer = Layer(2, 2)
    first, second = layer.neurons
    expected = [*first.w, first.b, *second.w, second.b]
    assert all(p is q for p, q in zip(layer.parameters(), expected, strict=True))


def test_a_network_of_the_two_moons_has_337_parameters():
    parameters = MLP(2, [16, 16, 1]).parameters()
    assert len(parameters) == len(set(parameters)) == 337


def test_every_parameter_of_a_straight_network_gets_a_gradient():
    model = MLP(2, [3, 1], rng=rng())
    for neuron in model.layers[0].neurons:
        neuron.nonlin = False
    model([0.5, -1.5]).backward()
    assert all(p.grad != 0 for p in model.parameters())


def test_zero_grad_forgets_every_gradient():
    model = MLP(2, [3, 1], rng=rng())
    model([0.5, -1.5]).backward()
    model.zero_grad()
    assert [p.grad for p in model.parameters()] == [0.0] * 13


def test_a_module_has_no_parameters_of_its_own():
    assert Module().parameters() == []


@pytest.mark.parametrize(
    ("module", "text"),
    [
        (Neuron(3), "ReLUNeuron(3)"),
        (Neuron(3, nonlin=False), "LinearNeuron(3)"),
        (Layer(3, 2), "Layer of [ReLUNeuron(3), ReLUNeuron(3)]"),
        (
            MLP(3, [2, 1]),
            "MLP of [Layer of [ReLUNeuron(3), ReLUNeuron(3)], Layer of [LinearNeuron(2)]]",
        ),
    ],
    ids=["neuron", "linear neuron", "layer", "mlp"],
)
def test_repr_names_the_parts(module, text):
    assert repr(module) == text
