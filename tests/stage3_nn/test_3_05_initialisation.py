"""Exercise 3.5: how large should the first weights be?"""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage3_nn import init

pytestmark = exercise("3.5")

SHAPE = (400, 100)
SMALL = (3, 2)


def rng():
    return np.random.default_rng(0)


EXPECTED = {
    "glorot_normal": math.sqrt(2 / 500),
    "glorot_uniform": math.sqrt(2 / 500),
    "he_normal": math.sqrt(2 / 400),
    "he_uniform": math.sqrt(2 / 400),
}
BY_FAN_OUT = math.sqrt(2 / 100)
FACTORS = {  # how far a std is off, and why
    "glorot": {
        math.sqrt(500 / 800): "fan_in and fan_out are added: here is only one of them",
        math.sqrt(500 / 400): "fan_in and fan_out are added: here is only one of them",
        math.sqrt(1 / 2): "the root is of 2 / (fan_in + fan_out), or of 6 / them for the bound",
    },
    "he": {math.sqrt(2): "sqrt(2) comes twice: it is the gain, gain / sqrt(fan_in)"},
}


def nested(array):
    return tuple(map(tuple, array.tolist()))


def test_fans():
    grade.close(
        init.fans((400, 100)),
        [400, 100],
        "fans of a weight (in_features, out_features) = (400, 100)",
        {(100, 400): "our weights are (in_features, out_features)"},
    )
    grade.close(
        init.fans((8, 3, 5, 5)),
        [75, 200],
        "fans of a filter (8, 3, 5, 5)",
        {
            (200, 75): "a filter is (out_channels, in_channels, height, width)",
            (3, 8): "every place of the window counts",
        },
    )
    grade.raises(lambda: init.fans((7,)), "fans of a bias", "one axis has no fan_in and fan_out")


@pytest.mark.parametrize("name", EXPECTED)
def test_standard_deviation(name):
    array = getattr(init, name)(SHAPE, rng=rng())
    got = type(array).__name__
    grade.true(isinstance(array, np.ndarray), f"{name} gives an array; it gives a {got}", "return")
    want, found = EXPECTED[name], float(array.std())
    known = FACTORS[name.partition("_")[0]]
    causes = {}
    for factor, why in known.items():
        if math.isclose(found, factor * want, rel_tol=0.02):
            causes[found] = why
    if math.isclose(found, want / math.sqrt(3), rel_tol=0.02):
        causes[found] = "the bound was set to the standard deviation: it is sqrt(3) times that"
    if name[0] == "h" and math.isclose(found, BY_FAN_OUT, rel_tol=0.02):
        causes[found] = (
            "fan_in and fan_out are exchanged: our weights are (in_features, out_features)"
        )
    if math.isclose(found, want**2, rel_tol=0.02):
        causes[found] = "that is the variance: take the root"
    grade.close(found, want, f"the std of {name}({SHAPE})", causes, rtol=0.02)
    grade.close(array.mean(), 0, f"the mean of {name}({SHAPE})", atol=5 * want / 200)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_family(name):
    array = getattr(init, name)(SHAPE, rng=rng())
    largest = float(np.abs(array).max()) / EXPECTED[name]
    bound = math.sqrt(3)
    if name.endswith("uniform"):
        grade.true(
            0.98 * bound < largest < 1.001 * bound,
            f"{name} ends at sqrt(3) std; it ends at {largest:.2f} std",
            "uniform between -b and b",
        )
    else:
        why = "normal numbers reach further than sqrt(3) standard deviations"
        grade.true(largest > 3, f"{name} is a normal distribution", why)


@pytest.mark.parametrize("name", EXPECTED)
def test_gain(name):
    array = getattr(init, name)(SMALL, gain=3.0, rng=rng())
    one = getattr(init, name)(SMALL, gain=1.0, rng=rng())
    wrong = {nested(one): "the gain is not used"}
    grade.close(array, 3 * one, f"{name} with gain 3, beside gain 1", wrong, rtol=1e-5)


def test_glorot_uses_both_fans():
    a = init.glorot_normal((400, 100), rng=rng()).std()
    b = init.glorot_normal((100, 400), rng=rng()).std()
    grade.close(a, b, "the std of glorot_normal for (400, 100) and (100, 400)", rtol=0.02)


def test_filters():
    array = init.he_normal((64, 16, 3, 3), rng=rng())
    grade.close(array.std(), math.sqrt(2 / 144), "the std of he_normal((64, 16, 3, 3))", rtol=0.04)


def test_the_signal_survives_fifty_layers():
    r = rng()
    x = r.standard_normal((64, 100))
    for _ in range(50):
        x = np.maximum(x @ init.he_normal((100, 100), rng=r), 0)
    size = float(np.square(x).mean())
    why = "with the right variance every relu layer keeps the mean square"
    where = "after 50 layers of he_normal and relu the mean square is between 0.01 and 100"
    grade.true(0.01 < size < 100, f"{where}; it is {size:.2g}", why)


@pytest.mark.parametrize("name", EXPECTED)
def test_float32_from_the_generator(name):
    function = getattr(init, name)
    array = function(SHAPE, rng=rng())
    grade.true(
        array.dtype == np.float32, f"{name} is float32; it is {array.dtype}", "as our layers"
    )
    first, second = function(SMALL, rng=rng()), function(SMALL, rng=rng())
    wrong = {nested(first): "draw from rng and from nothing else"}
    grade.close(first, second, f"{name} from two equal generators", wrong)
    found = array.shape
    grade.true(found == SHAPE, f"{name} has shape {SHAPE}; it has {found}", "keep the shape")
