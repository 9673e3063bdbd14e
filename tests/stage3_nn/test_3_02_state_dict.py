"""Exercise 3.2: the numbers of a model, out and in."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage3_nn import Buffer, Module, Parameter

pytestmark = exercise("3.2")


class Layer(Module):
    """A weight, a bias, and a running mean."""

    def __init__(self, start):
        self.weight = Parameter(np.full((2, 3), start, np.float32))
        self.bias = Parameter(np.full(3, start, np.float32))
        self.mean = Buffer(np.full(3, start, np.float32))


def model_of(start):
    """A Module with a list of two Layers."""
    model = Module()
    model.layers = [Layer(start), Layer(start + 1)]
    return model


def test_names_and_numbers():
    state = model_of(1.0).state_dict()
    got = type(state).__name__
    grade.true(isinstance(state, dict), f"state_dict() gives a dict; it gives a {got}", "return it")
    want = {f"layers.{i}.{name}" for i in (0, 1) for name in ("weight", "bias", "mean")}
    grade.true(
        set(state) == want,
        f"the names are {sorted(want)}; they are {sorted(state)}",
        "every Parameter and every Buffer, by its dotted name",
    )
    grade.close(state["layers.1.weight"], np.full((2, 3), 2.0), 'state["layers.1.weight"]')
    kinds = {type(value) for value in state.values()}
    grade.true(kinds == {np.ndarray}, f"the values are arrays; they are {kinds}", "take `.data`")


def test_loading_brings_the_numbers_back():
    model = model_of(0.0)
    model.load_state_dict(model_of(5.0).state_dict())
    still = {((0.0,) * 3,) * 2: "nothing was loaded: change the .data of the Parameter itself"}
    grade.close(model.layers[0].weight, np.full((2, 3), 5.0), "a weight after loading", still)
    grade.close(model.layers[1].bias, np.full(3, 6.0), "a bias after loading")
    grade.close(model.layers[1].mean, np.full(3, 6.0), "a Buffer after loading")


def test_two_models_do_not_share_what_was_loaded():
    first, second = model_of(1.0), model_of(0.0)
    state = first.state_dict()
    second.load_state_dict(state)
    second.layers[0].weight.data -= 1
    cause = "the loaded array is shared: copy it"
    grade.close(first.layers[0].weight, np.ones((2, 3)), "the other model's weight", {0.0: cause})
    grade.close(
        state["layers.0.weight"],
        np.ones((2, 3)),
        "the state after a step",
        {tuple([(0.0,) * 3] * 2): cause},
    )


def test_the_parameters_stay_the_same_objects():
    model = model_of(0.0)
    held = model.layers[0].weight  # by an optimizer, or by another layer
    model.load_state_dict(model_of(5.0).state_dict())
    grade.true(
        model.layers[0].weight is held,
        "the Parameter is the same object after loading",
        "who held it, an optimizer or a tied layer, would keep the old one: change its data",
    )
    grade.close(held, np.full((2, 3), 5.0), "the Parameter that an optimizer holds")


def test_a_parameter_keeps_its_dtype():
    model = model_of(0.0)
    state = {name: value.astype(np.float64) for name, value in model_of(1.0).state_dict().items()}
    model.load_state_dict(state)
    found = model.layers[0].weight.data.dtype
    grade.true(found == np.float32, f"the weight is still float32; it is {found}", "convert it")


def one_less(state):
    del state["layers.0.bias"]


def one_more(state):
    state["layers.2.bias"] = np.zeros(3)


def another_shape(state):
    state["layers.1.weight"] = np.zeros((3, 2))


def one_that_broadcasts(state):
    state["layers.1.weight"] = np.zeros((1, 3))


@pytest.mark.parametrize("spoil", [one_less, one_more, another_shape, one_that_broadcasts])
def test_what_does_not_fit_is_refused_and_nothing_is_loaded(spoil):
    model = model_of(0.0)
    state = model_of(5.0).state_dict()
    spoil(state)
    what = f"load_state_dict of a state with {spoil.__name__.replace('_', ' ')}"
    grade.raises(lambda: model.load_state_dict(state), what, "names and shapes must agree exactly")
    found = {float(model.layers[i].weight.data.max()) for i in (0, 1)}
    grade.true(found == {0.0, 1.0}, "nothing was loaded", "check everything before the first copy")


@pytest.mark.parametrize("value", [None, 1j, "1"], ids=repr)
def test_what_is_no_real_number_is_refused_and_nothing_is_loaded(value):
    model = model_of(0.0)
    state = model_of(5.0).state_dict()
    state["layers.1.bias"] = np.full(3, value)
    what = f"load_state_dict of a state with an array of {value!r}"
    grade.raises(lambda: model.load_state_dict(state), what, "look at the kind of each dtype first")
    found = float(model.layers[0].weight.data.max())
    grade.true(found == 0.0, "nothing was loaded", "check everything before the first copy")


def test_an_empty_state_is_refused():
    grade.raises(
        lambda: model_of(0.0).load_state_dict({}), "load_state_dict({})", "every name is missing"
    )


def test_tied_weights_stay_tied():
    model = Module()
    model.a = Layer(0.0)
    model.tied = model.a.weight
    other = Module()
    other.a = Layer(7.0)
    other.tied = other.a.weight
    model.load_state_dict(other.state_dict())
    grade.true(model.tied is model.a.weight, "the tie survives loading", "keep the objects")
    grade.close(model.tied, np.full((2, 3), 7.0), "the tied weight after loading")
