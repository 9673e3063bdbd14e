"""Exercise 1.9: a neuron, a layer of them, layers of layers."""

import numpy as np

from course import grade
from course.grade import exercise
from stage1_autodiff import MLP, Layer, Neuron, Value

pytestmark = exercise("1.9")


def fill(parameters, numbers):
    """Put known numbers into parameters."""
    for p, number in zip(parameters, numbers):
        p.data = number


def test_every_weight_is_a_value_of_its_own():
    neuron = Neuron(3)
    why = "[Value(...)] * n repeats ONE Value n times: make each of them anew"
    grade.true(len({id(w) for w in neuron.w}) == 3, "three weights are three Values", why)


def test_a_linear_neuron():
    neuron = Neuron(2, nonlin=False)
    fill([*neuron.w, neuron.b], [2.0, -3.0, 1.0])
    y = neuron([1.5, 2.0])
    wrong = {
        -3.0: "the bias is missing",
        0.0: "nonlin=False means no relu",
        -1.5: "every weight must meet its own input",
    }
    grade.close(y, -2.0, "the output for [1.5, 2]", wrong)


RELU = {-2.0: "the relu is missing", 1.0: "the bias goes inside the relu"}


def test_a_bent_neuron():
    neuron = Neuron(2)
    fill([*neuron.w, neuron.b], [2.0, -3.0, 1.0])
    grade.close(neuron([1.5, 2.0]), 0.0, "relu of -2", RELU)
    grade.close(neuron([3.0, 2.0]), 1.0, "relu of 1", {0.0: "the bias goes inside the relu"})


def test_the_gradients_of_a_neuron():
    neuron = Neuron(2)
    fill([*neuron.w, neuron.b], [2.0, -1.0, 0.5])
    x = [Value(3.0), Value(4.0)]
    y = neuron(x)
    y.backward()
    grade.close([w.grad for w in neuron.w], [3.0, 4.0], "the gradients of the weights")
    grade.close(neuron.b.grad, 1.0, "the gradient of the bias", {0.0: "the bias is no Value"})
    grade.close([xi.grad for xi in x], [2.0, -1.0], "the gradients of the inputs")


def test_the_parameters_of_a_neuron():
    neuron = Neuron(3)
    found = neuron.parameters()
    grade.close(len(found), 4, "the number of parameters", {3: "the bias is a parameter too"})
    own = {id(p) for p in [*neuron.w, neuron.b]}
    why = "return the Values that the neuron computes with, not copies of them"
    grade.true({id(p) for p in found} == own, "parameters() returns w and b themselves", why)


def test_weights_start_uniform_between_minus_1_and_1():
    neuron = Neuron(4000, rng=np.random.default_rng(0))
    w = np.array([value.data for value in neuron.w])
    wrong = "draw the weights with rng.uniform(-1, 1)"
    grade.true(abs(w).max() <= 1, "no weight is outside of -1 to 1", wrong)
    grade.true(abs(w.mean()) < 0.05, f"their mean, {w.mean():.3f}, is near 0", wrong)
    spread = w.std()
    grade.true(0.55 < spread < 0.61, f"their spread, {spread:.3f}, is near 0.577", wrong)
    grade.close(neuron.b, 0.0, "the bias starts at 0")


def test_neurons_of_a_layer_start_different():
    layer = Layer(3, 2, rng=np.random.default_rng(0))
    first, second = layer.neurons
    same = [a.data == b.data for a, b in zip(first.w, second.w)]
    why = "hand the same generator on to all neurons; a new one with the same seed repeats itself"
    grade.true(not any(same), "the neurons have different weights", why)


def test_layers_of_a_network_start_different():
    model = MLP(2, [2, 2], rng=np.random.default_rng(0))
    first, second = model.layers
    same = [a.data == b.data for a, b in zip(first.neurons[0].w, second.neurons[0].w)]
    why = "hand the same generator on to all layers; a new one with the same seed repeats itself"
    grade.true(not any(same), "the layers have different weights", why)


def test_networks_without_a_generator_start_different():
    why = "None stands for a fresh generator: generator(..., rng), not default_rng(0)"
    for what, make in [("Neuron(3)", lambda: Neuron(3)), ("MLP(2, [2])", lambda: MLP(2, [2]))]:
        first, second = make().parameters(), make().parameters()
        same = [a.data == b.data for a, b in zip(first[:2], second[:2])]
        grade.true(not any(same), f"{what} has other weights than another {what}", why)


def test_the_same_seed_gives_the_same_network():
    a = MLP(2, [3, 1], rng=np.random.default_rng(7))
    b = MLP(2, [3, 1], rng=np.random.default_rng(7))
    numbers = [p.data for p in a.parameters()]
    again = [p.data for p in b.parameters()]
    same = np.allclose(again, numbers)
    why = "hand rng on: MLP to its Layers, a Layer to its Neurons, and draw from nothing else"
    grade.true(same, "a second MLP with the same seed has the same parameters", why)


def test_a_seed_is_no_generator():
    why = "rng is a generator, np.random.default_rng(0): refuse a seed"
    grade.raises(lambda: Neuron(2, rng=0), "Neuron(2, rng=0)", why)
    grade.raises(lambda: Layer(2, 1, rng=0), "Layer(2, 1, rng=0)", why)
    grade.raises(lambda: MLP(2, [1], rng=0), "MLP(2, [1], rng=0)", why)


def test_a_layer_asks_every_neuron():
    layer = Layer(2, 3, nonlin=False)
    for k, neuron in enumerate(layer.neurons):
        fill([*neuron.w, neuron.b], [1.0, k, 10.0])
    y = layer([1.0, 2.0])
    grade.close(y, [11.0, 13.0, 15.0], "the outputs of three neurons for [1, 2]")


def test_a_layer_of_one_neuron_returns_it_bare():
    layer = Layer(2, 1)
    y = layer([1.0, 2.0])
    why = "with one neuron the layer returns its Value, not a list of one"
    grade.true(isinstance(y, Value), "isinstance(Layer(2, 1)(x), Value)", why)


def test_the_parameters_of_a_network():
    model = MLP(2, [16, 16, 1])
    found = model.parameters()
    wrong = {
        2 * 16 + 16 * 16 + 16: "the biases are missing",
        48: "these are those of the first layer: add up over all layers",
        99: "the layers are not chained: each takes as many inputs as the one before has outputs",
    }
    grade.close(len(found), 337, "the number of parameters of MLP(2, [16, 16, 1])", wrong)
    grade.close(len({id(p) for p in found}), 337, "the number of different ones among them")


def test_the_hidden_layers_bend_and_the_last_does_not():
    model = MLP(1, [2, 1])
    for neuron in model.layers[0].neurons:
        fill([*neuron.w, neuron.b], [1.0, 0.0])
    output = model.layers[1].neurons[0]
    fill([*output.w, output.b], [-1.0, -1.0, 0.5])
    low = model([2.0])
    grade.close(low, -3.5, "the output for [2]", {0.0: "the last layer must not be bent"})
    high = model([-2.0])
    grade.close(high, 0.5, "the output for [-2]", {4.5: "the hidden layer must be bent by relu"})


def test_a_hidden_layer_of_one_neuron():
    model = MLP(1, [1, 1])
    for layer, numbers in zip(model.layers, [(1.0, 0.0), (-1.0, 0.5)]):
        fill([*layer.neurons[0].w, layer.neurons[0].b], numbers)
    y = model([2.0])  # a layer of one returns a bare Value, the next one wants a list
    grade.close(y, -1.5, "the output for [2]")


def test_zero_grad_covers_every_parameter():
    model = MLP(2, [3, 1])
    for p in model.parameters():
        p.grad = 5.0
    model.zero_grad()
    grads = [p.grad for p in model.parameters()]
    wrong = {
        (5.0,) * 13: "nothing was set: == compares, = assigns",
        (5.0, *(0.0,) * 12): "the first one was left out",
        (0.0, *(5.0,) * 12): "only the first one was reached: is the return inside the loop?",
    }
    grade.close(grads, np.zeros(13), "the gradients after zero_grad", wrong)


def test_a_wrong_number_of_inputs_is_refused():
    neuron = Neuron(3)
    why = "zip stops at the shorter list without a word: compare the lengths first"
    grade.raises(lambda: neuron([1.0, 2.0]), "Neuron(3)([1.0, 2.0])", why)


def test_the_gradients_of_a_network_against_measured_slopes():
    model = MLP(2, [3, 2], rng=np.random.default_rng(3))

    def f(x1, x2):
        first, second = model([x1, x2])
        return first * second

    grade.gradients(f, Value(0.4), Value(-0.7), what="the product of two outputs of an MLP")
