"""NumPy's own functions, called with a Tensor: the course's operation, or a TypeError."""

import numpy as np
import pytest

from stage2_tensor import Tensor
from tests.library.samples import leaf

A = np.array([[0.5, 1.5, 2.5], [1.0, 2.0, 3.0]])

OURS = {
    "add": lambda x: np.add(x, A),
    "add, array first": lambda x: np.add(A, x),
    "subtract": lambda x: np.subtract(A, x),
    "multiply": lambda x: np.multiply(2, x),
    "divide": lambda x: np.divide(1.0, x),
    "power": lambda x: np.power(x, 2),
    "power, array first": lambda x: A**x,
    "matmul": lambda x: np.matmul(A.T, x),
    "negative": lambda x: np.negative(x),
    "absolute": lambda x: np.abs(x),
    "exp": lambda x: np.exp(x),
    "log": lambda x: np.log(x),
    "sqrt": lambda x: np.sqrt(x),
    "sin": lambda x: np.sin(x),
    "cos": lambda x: np.cos(x),
    "tanh": lambda x: np.tanh(x),
    "clip": lambda x: np.clip(x, 0.7, 1.2),
    "maximum": lambda x: np.maximum(x, A),
    "minimum": lambda x: np.minimum(A, x),
    "where": lambda x: np.where(A > 1, x, 0.0),
    "sum": lambda x: np.sum(x),
    "sum over an axis": lambda x: np.sum(x, axis=1, keepdims=True),
    "mean": lambda x: np.mean(x, 0),
    "max": lambda x: np.max(x, axis=0),
    "amin": lambda x: np.amin(x, axis=0),
    "var": lambda x: np.var(x),
    "std": lambda x: np.std(x, axis=-1),
    "reshape": lambda x: np.reshape(x, (3, 2)),
    "ravel": lambda x: np.ravel(x),
    "transpose": lambda x: np.transpose(x),
    "transpose, axes": lambda x: np.transpose(x, (1, 0)),
    "swapaxes": lambda x: np.swapaxes(x, 0, 1),
    "expand_dims": lambda x: np.expand_dims(x, 1),
    "squeeze": lambda x: np.squeeze(np.expand_dims(x, 1)),
    "broadcast_to": lambda x: np.broadcast_to(x, (4, 2, 3)),
    "pad": lambda x: np.pad(x, [(1, 0), (0, 2)]),
    "flip": lambda x: np.flip(x, 1),
    "concatenate": lambda x: np.concatenate([x, A, x], axis=1),
    "stack": lambda x: np.stack([A, x]),
    "split": lambda x: np.split(x, [1], axis=1)[1],
    "einsum": lambda x: np.einsum("ij,ij->i", x, A),
}


@pytest.mark.parametrize("name", OURS)
def test_a_tensor_goes_in_and_a_tensor_with_a_graph_comes_out(name):
    x = Tensor(abs(leaf(2, 3).data) + 0.1, requires_grad=True)
    y = OURS[name](x)
    assert type(y) is Tensor and y.requires_grad
    np.testing.assert_allclose(y.data, OURS[name](x.data))


def test_what_leaves_the_graph_in_numpy_too():
    x = leaf(2, 3)
    assert np.shape(x) == (2, 3) and np.ndim(x) == 2 and np.size(x) == 6
    assert np.argmax(x) == x.data.argmax() and (np.argmin(x, 1) == x.data.argmin(1)).all()
    assert (np.greater(A, x) == (x.data < A)).all() and (x.data[:, ::-1] <= x).any()
    assert not np.zeros_like(x).requires_grad and np.ones_like(x).data.all()


X = leaf(2, 3)
ERRORS = {
    "np.array: expected numbers, got a Tensor of shape (2, 3); write x.numpy(), which leaves the "
    "graph": lambda: np.array(X),
    "np.array: expected numbers": lambda: np.asarray([X, X]),
    "np.array: expected numbers, got a Tensor of shape ()": lambda: np.mean([X.sum(), X.sum()]),
    "np.array: expected numbers, got a Tensor of shape (2,)": lambda: A[Tensor([1, 0])],
    "np.cumsum: expected arrays, got a Tensor; write x.numpy() in place of x": lambda: np.cumsum(X),
    "np.isnan: expected arrays, got a Tensor": lambda: np.isnan(X),
    "np.square: expected arrays, got a Tensor; write x**2": lambda: np.square(X),
    "np.norm: expected arrays, got a Tensor; write (x * x).sum()": lambda: np.linalg.norm(X),
    "np.take: expected arrays, got a Tensor; write x.take(ids)": lambda: np.take(X, [0]),
    "np.vstack: expected arrays, got a Tensor; write concatenate": lambda: np.vstack([X, X]),
    "np.add.reduce: expected arrays": lambda: np.add.reduce(X),
    "np.add: expected no options, got out": lambda: np.add(A, X, out=A),
    "np.multiply: expected no options": lambda: A.__imul__(X),
    "np.sum: expected the arguments x, axis, keepdims, got an unexpected keyword argument": (
        lambda: np.sum(X, dtype=float)
    ),
    "np.var: expected the arguments x, axis, keepdims, correction, got": lambda: np.var(X, ddof=1),
}


@pytest.mark.parametrize("message", ERRORS)
def test_what_the_course_has_not_is_refused_with_its_own_way(message):
    with pytest.raises(TypeError) as caught:
        ERRORS[message]()
    assert message in str(caught.value)


def test_no_array_of_objects_is_ever_made():
    for f in (np.array, np.asarray, np.atleast_1d, np.copy, list):
        try:
            found = f([X, X])
        except TypeError:
            continue
        assert f is list and all(type(x) is Tensor for x in found)
