"""Laws that hold for every operation and every shape."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays, mutually_broadcastable_shapes

from stage2_tensor import Tensor, broadcast_shapes, unbroadcast

UNARY = ["exp", "tanh", "sigmoid", "relu", "sin", "cos", "abs", "sum", "mean", "var", "flatten"]
NUMBERS = st.floats(-3, 3, width=32)
quietly = settings(deadline=None, derandomize=True, max_examples=25)


def small(shape=None):
    shape = array_shapes(max_dims=3, max_side=3) if shape is None else shape
    return arrays(np.float64, shape, elements=NUMBERS)


def vjp(f, x, g):
    leaf = Tensor(x, requires_grad=True)
    f(leaf).backward(g)
    return leaf.grad


@quietly
@given(mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=3))
def test_broadcast_shapes_agrees_with_numpy(shapes):
    assert broadcast_shapes(*shapes.input_shapes) == shapes.result_shape


@quietly
@given(mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3), st.data())
def test_unbroadcast_is_the_adjoint_of_broadcasting(shapes, data):
    x = data.draw(small(shapes.input_shapes[0]))
    g = data.draw(small(shapes.result_shape))
    copied = np.broadcast_to(x, shapes.result_shape)
    assert np.isclose((copied * g).sum(), (x * unbroadcast(g, x.shape)).sum())


@pytest.mark.parametrize("name", UNARY)
@quietly
@given(st.data())
def test_vjps_are_linear_in_g(name, data):
    x = data.draw(small())

    def f(t):
        return getattr(t, name)()

    shape = f(Tensor(x)).shape
    g, h = data.draw(small(shape)), data.draw(small(shape))
    both = vjp(f, x, 2 * g + h)
    np.testing.assert_allclose(both, 2 * vjp(f, x, g) + vjp(f, x, h), atol=1e-9)


@pytest.mark.parametrize("name", UNARY)
@quietly
@given(st.data())
def test_f_plus_f_doubles_the_gradient(name, data):
    x = data.draw(small())
    once = vjp(lambda t: getattr(t, name)(), x, np.ones(getattr(Tensor(x), name)().shape))
    twice = vjp(
        lambda t: getattr(t, name)() + getattr(t, name)(),
        x,
        np.ones(getattr(Tensor(x), name)().shape),
    )
    np.testing.assert_allclose(twice, 2 * once, atol=1e-9)


@quietly
@given(small(), st.randoms(use_true_random=False))
def test_a_permutation_and_its_opposite_change_nothing(x, random):
    order = list(range(x.ndim))
    random.shuffle(order)
    back = [int(i) for i in np.argsort(order)]
    leaf = Tensor(x, requires_grad=True)
    y = leaf.transpose(order).transpose(back)
    y.backward(x)
    np.testing.assert_array_equal(y.data, x)
    np.testing.assert_array_equal(leaf.grad, x)
