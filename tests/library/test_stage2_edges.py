"""Values and gradients where formulas meet infinity, NaN, ties, and axes of size 0."""

import math

import numpy as np
import pytest

from stage2_tensor import Tensor, maximum, minimum, where

INF, NAN = math.inf, math.nan
THREE = [-1.0, 1.0, 2.0]


def leaf(data, dtype=np.float64):
    return Tensor(np.array(data, dtype), requires_grad=True)


def gradient(f, x, g):
    """The gradient of the leaf x, if that of f(x) is g."""
    x = leaf(x)
    f(x).backward(g)
    return x.grad.tolist()


# A mask chooses: it does not multiply.

MASKS = {
    "relu": (lambda x: x.relu(), [INF, 1, INF], [0, 1, INF]),
    "relu of NaN": (lambda x: x.relu(), [NAN, 1, 1], [0, 1, 1]),
    "clip": (lambda x: x.clip(0, 1.5), [INF, 1, -INF], [0, 1, 0]),
    "max": (lambda x: x.max(), INF, [0, 0, INF]),
    "max, kept": (lambda x: x.max(keepdims=True), [INF], [0, 0, INF]),
    "min": (lambda x: x.min(), -INF, [-INF, 0, 0]),
    "maximum": (lambda x: maximum(x, [1.0, 0.0, 2.0]), [INF, 1, 4], [0, 1, 2]),
    "maximum, other": (lambda x: maximum([1.0, 0.0, 2.0], x), [INF, 1, 4], [0, 1, 2]),
    "minimum": (lambda x: minimum(x, [1.0, 0.0, 2.0]), [1, INF, 4], [1, 0, 2]),
    "where": (lambda x: where([True, False, True], x, 0), [1, INF, 4], [1, 0, 4]),
}


@pytest.mark.parametrize("name", MASKS)
def test_a_mask_chooses_also_among_infinite_gradients(name):
    f, g, want = MASKS[name]
    assert gradient(f, THREE, g) == want


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_gradients_whose_square_overflows_are_masked_all_the_same(dtype):
    x, g = leaf([-1.0, 1.0], dtype), np.finfo(dtype).max
    x.relu().backward([g, g])
    assert x.grad.tolist() == [0, g] and x.grad.dtype == dtype


def test_the_maximum_of_a_row_with_nan_is_shared():
    x = leaf([[NAN, 1.0], [2.0, 1.0]])
    y = x.max(axis=1)
    y.backward([4.0, 4.0])
    assert math.isnan(y.data[0]) and x.grad.tolist() == [[2, 2], [4, 0]]


# Powers of 0.


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_the_slope_of_a_power_of_zero_by_its_exponent():
    assert gradient(lambda b: 0.0**b, [-1.0, 0.0, 2.0], [1, 1, 1]) == [-INF, 0, 0]


def test_a_slope_of_zero_stays_zero_for_an_infinite_gradient():
    assert gradient(lambda x: x**0, [3.0], [INF]) == [0]
    assert gradient(lambda b: 0.0**b, [2.0], [INF]) == [0]
