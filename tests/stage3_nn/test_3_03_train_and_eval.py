"""Exercise 3.3: one switch for the whole tree."""

import numpy as np

from course import grade
from course.grade import exercise
from stage3_nn import Module, Parameter

pytestmark = exercise("3.3")


def tree():
    """A model with Modules in an attribute, a list and a dict."""
    model, model.part = Module(), Module()
    model.blocks = [Module(), Module()]
    model.heads = {"a": Module()}
    model.part.inner = Module()
    model.part.inner.weight = Parameter(np.ones(2))
    return model


def modes(model):
    """What every Module of `tree` believes."""
    parts = [model, model.part, model.part.inner, *model.blocks, model.heads["a"]]
    return {part.training for part in parts}


def test_a_new_module_is_in_training_mode():
    model = tree()
    model.train()
    grade.true(modes(model) == {True}, "all are in training mode after train()", "set every one")


def test_eval_reaches_every_module():
    model = tree()
    model.eval()
    cause = "walk through `modules()` to its end: lists and dicts hold Modules too"
    if modes(model) == {True}:
        cause = "eval() is train(False), and train sets `training` to its argument"
    grade.true(modes(model) == {False}, "training is False everywhere after eval()", cause)


def test_there_and_back():
    model = tree()
    model.eval()
    model.train()
    grade.true(
        modes(model) == {True},
        "training is True everywhere after eval() and train()",
        "train() undoes eval()",
    )
    model.train(False)
    grade.true(modes(model) == {False}, "train(False) is eval()", "use the argument `mode`")


def test_twice_is_once():
    model = tree()
    toggled = "set training to the mode that is asked for: it is no switch to be pressed"
    model.eval()
    model.eval()
    grade.true(modes(model) == {False}, "training is False after eval() twice", toggled)
    model.train()
    model.train()
    grade.true(modes(model) == {True}, "training is True after train() twice", toggled)


def test_both_give_the_model_back():
    model = tree()
    why = "return self, so that `model = Model().eval()` works"
    grade.true(model.eval() is model, "eval() returns the model", why)
    grade.true(model.train() is model, "train() returns the model", why)


def test_other_models_keep_their_mode():
    other = tree()
    other.train()
    tree().eval()
    why = "set it on each Module, `module.training = mode`: a class is shared by all models"
    grade.true(modes(other) == {True}, "eval() of one model leaves another in training mode", why)


def test_zero_grad_before_the_first_backward():
    model = tree()
    model.zero_grad()
    weight = model.part.inner.weight
    found = np.zeros(2) if weight.grad is None else weight.grad
    grade.close(found, [0, 0], "the gradient after zero_grad() before any backward")


def test_zero_grad_reaches_every_parameter():
    model = tree()
    weight = model.part.inner.weight
    (weight * 3).sum().backward()
    model.zero_grad()
    found = np.zeros(2) if weight.grad is None else weight.grad
    there = {(3, 3): "the old gradient is still there: set it to None, or call p.zero_grad()"}
    grade.close(found, [0, 0], "the gradient after zero_grad()", there)
    (weight * 3).sum().backward()
    cause = "the old gradient was still there"
    grade.close(weight.grad, [3, 3], "the gradient of the next step", {(6, 6): cause})


def test_a_part_may_have_another_mode_before():
    model = tree()
    model.part.training = False
    model.train()
    grade.true(modes(model) == {True}, "all are in training mode, what they were before", "set it")
