"""Exercise 3.7: Modules in a row, and in a list."""

import numpy as np

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage3_nn import Module, ModuleList, Parameter, Sequential, observing

pytestmark = exercise("3.7")


class Times(Module):
    """Multiplies by a Parameter."""

    def __init__(self, factor):
        self.factor = Parameter(np.array(factor, dtype=float))

    def forward(self, x):
        return x * self.factor


class Plus(Module):
    """Adds a number."""

    def __init__(self, number):
        self.number = number

    def forward(self, x):
        return x + self.number


def test_one_after_the_other():
    model = Sequential(Plus(1), Times(10.0), Plus(2))
    x = Tensor(np.array([1.0, 2.0]))
    grade.close(
        model(x),
        [22.0, 32.0],
        "x + 1, times 10, plus 2, at [1, 2]",
        {
            (31.0, 41.0): "the Modules were applied in reverse order",
            (3.0, 4.0): "the last Module alone: hand on the output; each has a name of its own",
            (2.0, 3.0): "only the first Module was applied: return behind the loop",
            (1.0, 2.0): 'no Module was found: append makes it the attribute "0", "1", ...',
        },
    )


def test_nothing_in_a_row():
    x = Tensor(np.array([1.0, 2.0]))
    grade.close(Sequential()(x), [1.0, 2.0], "Sequential() of nothing")


def test_a_row_in_a_row():
    model = Sequential(Sequential(Plus(1), Times(10.0)), Plus(2))
    grade.close(
        model(Tensor(np.array([1.0]))),
        [22.0],
        "a Sequential inside another, at 1",
        {(212.0,): "what a part holds was applied once more: go through self, not self.modules()"},
    )


def test_every_part_is_called():
    model, seen = Sequential(Plus(1), Plus(2)), []
    with observing(lambda module, _inputs, _output: seen.append(module)):
        model(Tensor(np.array([1.0])))
    why = "call the Module, module(x): module.forward(x) tells no observer"
    grade.true(model[0] in seen and model[1] in seen, "an observer hears of every part", why)


def test_gradients_pass_through():
    model = Sequential(Times(2.0), Times(5.0))
    model(Tensor(np.array([1.0, 1.0]))).sum().backward()
    found = [float(module.factor.grad) for module in model]
    grade.close(found, [10.0, 4.0], "the gradients of two factors in a row")


def test_the_names():
    model = Sequential(Times(1.0), Plus(1), Times(1.0))
    names = [name for name, _ in model.named_parameters()]
    grade.true(
        names == ["0.factor", "2.factor"],
        f'the names are "0.factor" and "2.factor"; they are {names}',
        "a Module is named by its place",
    )


def test_a_list_of_modules():
    model = Module()
    model.blocks = ModuleList([Times(1.0)])
    model.blocks.append(Times(2.0))
    names = [name for name, _ in model.named_parameters()]
    grade.true(
        names == ["blocks.0.factor", "blocks.1.factor"],
        f'the names are "blocks.0.factor" and "blocks.1.factor"; they are {names}',
        "an appended Module belongs to the model",
    )
    grade.close(len(model.blocks), 2, "len of the list")
    found = [float(block.factor.data) for block in model.blocks]
    grade.close(found, [1.0, 2.0], "the blocks, in a for loop")
    grade.close(model.blocks[-1].factor, 2.0, "blocks[-1]")


def test_eleven_modules_keep_their_order():
    model = Sequential(*[Plus(10.0**-i) for i in range(11)])
    found = [module.number for module in model]
    want = [10.0**-i for i in range(11)]
    sorted_as_text = (1.0, 0.1, 1e-10, *want[2:10])
    causes = {sorted_as_text: 'as text "10" comes before "2"'}
    grade.close(found, want, "eleven Modules in order", causes, atol=0)


def test_what_is_no_module_is_refused():
    grade.raises(lambda: ModuleList([np.ones(3)]), "ModuleList of an array", "it holds Modules")
    grade.raises(lambda: Sequential(Times), "Sequential of a class", "make one first: Times(1.0)")
