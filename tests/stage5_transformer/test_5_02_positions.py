"""Exercise 5.2: telling attention where a symbol stands."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage5_transformer import LearnedPositions, SinusoidalPositions, sinusoids

pytestmark = exercise("5.2")


def rng():
    return np.random.default_rng(0)


def test_the_first_positions():
    found = sinusoids(2, 4)
    want = [[0, 1, 0, 1], [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)]]
    third = {
        0.1: "the exponent is 2i / d_model, with i = column // 2",
        math.exp(-4): "the frequency is 1 / 10000 ** (2i / d_model); mind the order of operations",
    }
    causes = {}
    for angle, cause in third.items():
        row = (math.sin(1), math.cos(1), math.sin(angle), math.cos(angle))
        causes[((0.0, 1.0, 0.0, 1.0), row)] = cause
    halves = ((0.0, 0.0, 1.0, 1.0), (math.sin(1), math.sin(0.01), math.cos(1), math.cos(0.01)))
    causes[halves] = "sines and cosines take turns: even columns and odd ones"
    grade.close(found, want, "sinusoids(2, 4)", causes, rtol=1e-5, atol=1e-6)


def test_an_odd_width():
    grade.close(
        sinusoids(2, 3)[1],
        [0.841471, 0.540302, 0.002154],
        "position 1 of width 3",
        rtol=1e-3,
        atol=1e-6,
    )


def test_wavelengths_grow():
    table = sinusoids(1000, 8)
    for first, name, wave in ((0, "even", math.sin), (1, "odd", math.cos)):
        want = [[wave(t / 10000 ** (2 * i / 8)) for i in range(4)] for t in (7, 500, 999)]
        found = table[[7, 500, 999]][:, first::2]
        grade.close(found, want, f"the {name} columns of width 8", rtol=1e-4, atol=1e-4)


def test_no_length_is_too_long():
    found = sinusoids(1, 2, start=3000)
    grade.close(found, [[math.sin(3000), math.cos(3000)]], "position 3000", rtol=0, atol=1e-3)


def test_a_start():
    grade.close(
        sinusoids(3, 6, start=5),
        sinusoids(8, 6)[5:],
        "positions 5, 6, 7",
        {tuple(map(tuple, sinusoids(3, 6))): "begin with position `start`"},
        rtol=1e-5,
    )


def test_positions_run_along_the_time():
    x = Tensor(np.zeros((2, 3, 4), np.float32))
    y = SinusoidalPositions()(x)
    waves = sinusoids(3, 4)
    wrong = [
        (0 * waves, "nothing was added: x + the waves"),
        (np.broadcast_to(waves[:1], (3, 4)), "positions run along the time, axis -2 of x"),
    ]
    grade.close(y.data[0], waves, "what was added to the first sample", wrong, rtol=1e-5)
    grade.close(y.data[1], y.data[0], "the second sample: every sample has the same positions")
    grade.true(y.dtype == np.float32, f"float32 stays float32; it is {y.dtype}", "keep the dtype")


def test_it_is_added():
    x = Tensor(np.ones((1, 2, 4), np.float32))
    y = SinusoidalPositions()(x, start=3)
    grade.close(y.data[0], 1 + sinusoids(2, 4, 3), "ones with the positions 3 and 4", rtol=1e-5)


@pytest.mark.parametrize("kind", ["sinusoidal", "learned"])
def test_x_is_read_only_and_gets_its_gradient(kind):
    positions = SinusoidalPositions() if kind == "sinusoidal" else LearnedPositions(5, 4)
    x = Tensor(np.ones((1, 2, 4), np.float32), requires_grad=True)
    y = positions(x)
    grade.close(x.data, np.ones((1, 2, 4)), "x afterwards: make a new Tensor")
    y.backward(np.full((1, 2, 4), 3, np.float32))
    why = "x.data cuts the graph: add the positions to x itself"
    grade.true(x.grad is not None, "a gradient arrives at x", why)
    grade.close(x.grad, np.full((1, 2, 4), 3), "x.grad, if the gradient of the sum is 3")


def test_sinusoids_are_not_trained():
    found = len(list(SinusoidalPositions().parameters()))
    grade.close(found, 0, "the number of Parameters of SinusoidalPositions")


def test_learned_positions():
    module = LearnedPositions(5, 4, rng=rng())
    table = module.table.weight.data
    x = Tensor(np.zeros((2, 3, 4), np.float32))
    grade.close(module(x).data[1], table[:3], "what was added to the second sample")
    grade.close(
        module(x, start=2).data[0],
        table[2:5],
        "the same from position 2 on",
        {tuple(map(tuple, table[:3].tolist())): "begin with position `start`"},
    )


def test_learned_positions_learn():
    module = LearnedPositions(5, 4, rng=rng())
    module(Tensor(np.zeros((2, 3, 4), np.float32))).sum().backward()
    want = np.array([2, 2, 2, 0, 0.0])[:, None] * np.ones(4)
    grade.close(
        module.table.weight.grad, want, "the gradient of the table for 2 samples of 3 symbols"
    )


def test_too_long():
    module = LearnedPositions(5, 4, rng=rng())
    x = Tensor(np.zeros((1, 3, 4), np.float32))
    grade.raises(lambda: module(x, start=3), "positions 3, 4, 5 of a table of 5", "it has no row 5")


def test_an_x_of_another_width_is_refused():
    module, x = LearnedPositions(5, 4, rng=rng()), Tensor(np.zeros((1, 3, 1), np.float32))
    why = "a width of 1 would be broadcast to 4 in silence"
    grade.raises(lambda: module(x), "positions of width 4 for an x of width 1", why)
