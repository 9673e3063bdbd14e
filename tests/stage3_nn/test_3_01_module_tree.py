"""Exercise 3.1: what belongs to a model, found by one walk."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage3_nn import Buffer, Module, Parameter

pytestmark = exercise("3.1")


class Leaf(Module):
    """A Module with two Parameters, and things that are none."""

    def __init__(self):
        self.weight = Parameter(np.ones((2, 3)))
        self.bias = Parameter(np.zeros(3))
        self.scale = 2.0
        self.table = np.ones(3)
        self.constant = Tensor(np.ones(3))
        self.name = "leaf"


def names(model):
    """The names of its Parameters."""
    return [name for name, _ in model.named_parameters()]


def same(found, expected, what, why):
    """Both lists hold the same, in any order."""
    if expected and not found:
        why += "; hand on what the walk below finds, with `yield from`"
    grade.true(sorted(found) == sorted(expected), f"{what} are {expected}; they are {found}", why)


def test_parameters_of_a_single_module():
    leaf = Leaf()
    why = "only Parameters count, and the first part of a name has no dot before it"
    same(names(leaf), ["weight", "bias"], "the names", why)
    found = list(leaf.parameters())
    grade.true(
        {id(p) for p in found} == {id(leaf.weight), id(leaf.bias)},
        f"parameters() gives the Parameters weight and bias; it gives {len(found)} objects",
        "arrays, constants and numbers are not trained"
        if found
        else "the second walk finds nothing: it needs a `seen` of its own, not a default set",
    )


def test_a_module_inside_a_module():
    model = Module()
    model.first = Leaf()
    model.second = Leaf()
    want = ["first.weight", "first.bias", "second.weight", "second.bias"]
    same(names(model), want, "the names", "join the name of a Module and of its part with a dot")


@pytest.mark.parametrize("container", [list, tuple])
def test_lists_and_tuples(container):
    model = Module()
    model.blocks = container([Leaf(), Leaf()])
    want = ["blocks.0.weight", "blocks.0.bias", "blocks.1.weight", "blocks.1.bias"]
    same(names(model), want, "the names", f"look into a {container.__name__} too")


def test_dicts_and_nested_containers():
    model = Module()
    model.heads = {"a": Leaf(), "b": [Leaf()]}
    model.free = [Parameter(np.ones(2))]
    want = ["heads.a.weight", "heads.a.bias", "heads.b.0.weight", "heads.b.0.bias", "free.0"]
    same(names(model), want, "the names", "a container may hold containers")


def test_parameters_in_nested_lists_and_dicts():
    model = Module()
    model.rows = [[Parameter(np.ones(1))], [Parameter(np.ones(1))]]
    model.pairs = [{"a": Parameter(np.ones(1))}]
    want = ["rows.0.0", "rows.1.0", "pairs.0.a"]
    same(names(model), want, "the names", "a container may hold containers, and Parameters too")


def test_a_name_with_an_underscore():
    model = Module()
    model._w = Parameter(np.ones(1))
    same(
        names(model), ["_w"], "the names", "vars(self) has all attributes, _w among them: skip none"
    )


def test_a_tensor_is_no_parameter():
    model = Module()
    model.weight = Parameter(np.ones(1))
    model.mask = Tensor(np.ones(1), requires_grad=True)
    model.parts = [Tensor(np.ones(1), requires_grad=True)]
    same(names(model), ["weight"], "the names", "a Tensor is a Parameter only if it says so")


def test_a_shared_parameter_counts_once():
    model = Module()
    model.a = Leaf()
    model.b = model.a
    model.again = model.a.weight
    twice = "a shared Parameter was listed under every name: one step would move it twice"
    found = len(list(model.parameters()))
    what = "the number of Parameters when two names hold one layer"
    grade.close(found, 2, what, {5: twice, 3: twice})
    same(names(model), ["a.weight", "a.bias"], "the names", "the first name counts")


def test_equal_numbers_are_not_the_same_parameter():
    model = Module()
    model.a, model.b = Parameter(np.ones(2)), Parameter(np.ones(2))
    by_value = {1: "two Parameters with equal numbers are two: tell them apart by identity"}
    found = len(list(model.parameters()))
    grade.close(found, 2, "the number of Parameters with equal numbers", by_value)


def test_a_module_that_refers_to_its_owner():
    model = Module()
    model.part = Leaf()
    model.part.owner = model
    why = "remember what was visited: the walk goes in circles"
    try:
        found = names(model)
    except RecursionError:
        raise grade.ComparisonError("the walk does not end", {}, why) from None
    same(found, ["part.weight", "part.bias"], "the names", why)


def test_modules_of_the_tree():
    model = Module()
    model.blocks = [Leaf(), Leaf()]
    found = dict(model.named_modules())
    same(list(found), ["", "blocks.0", "blocks.1"], "the names of the Modules", 'self is ""')
    grade.true(found[""] is model, 'the Module named "" is the model itself', "begin with self")
    grade.true(
        len(list(model.modules())) == 3, "modules() gives three Modules", "self and the two blocks"
    )


def test_a_buffer_is_no_parameter():
    model = Module()
    model.mean = Buffer(np.zeros(2))
    model.weight = Parameter(np.ones(2))
    same(names(model), ["weight"], "the names", "a Buffer is saved, not trained")
