"""The tensor engine beyond the exercises: memory, switches, factories, errors, the microscope."""

import gc
import math
import tracemalloc

import numpy as np
import pytest

import stage2_tensor
from stage1_autodiff import explain, find_break
from stage2_tensor import (
    Tensor,
    arange,
    concatenate,
    einsum,
    equal,
    eye,
    full,
    gradcheck,
    maximum,
    no_grad,
    ones,
    ones_like,
    rand,
    randn,
    split,
    stack,
    uniform,
    zeros,
    zeros_like,
)
from stage2_tensor.broadcasting import align_shapes
from tests.library.samples import leaf


def living_tensors():
    return {id(x) for x in gc.get_objects() if type(x) is Tensor}


def test_a_graph_is_freed_by_reference_counting_alone():
    x, w = leaf(4, 3), leaf(3, 2, seed=1)
    gc.collect()
    gc.disable()
    try:
        before = living_tensors()
        y = stage2_tensor.softmax((x @ w).tanh()).sum()
        y.backward()
        assert living_tensors() - before
        del y
        assert not living_tensors() - before
    finally:
        gc.enable()


def test_memory_does_not_grow_over_training_steps():
    x, w = leaf(50, 20), leaf(20, 10, seed=1)

    def step():
        w.zero_grad()
        loss = ((x @ w).relu() ** 2).mean()
        loss.backward()
        w.data -= 0.01 * w.grad

    step()
    tracemalloc.start()
    step()
    after_one = tracemalloc.get_traced_memory()[0]
    for _ in range(50):
        step()
    after_many = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after_many - after_one < 20_000


def test_tensors_are_keys_by_identity():
    a, b = Tensor([1.0]), Tensor([1.0])
    assert len({a, b}) == 2 and {a: 1, b: 2}[b] == 2
    assert a == a and a != b and a not in [b] and [b, a].index(a) == 1
    assert a != None and a != "a"  # noqa: E711


def test_comparisons_give_boolean_arrays():
    x = Tensor([1.0, 2.0, 3.0])
    assert (x > 2).tolist() == [False, False, True]
    assert (x >= 2).tolist() == [False, True, True]
    assert (x < x).tolist() == [False] * 3
    assert (x <= np.array([0, 2, 4])).tolist() == [False, True, True]


def test_equal_compares_numbers():
    x = Tensor([1.0, 2.0, 0.1])
    assert equal(x, [1, 3, 0.1]).tolist() == equal([1, 3, 0.1], x).tolist() == [True, False, True]
    assert equal(x, 2).tolist() == [False, True, False]
    assert equal(x, x).all() and equal(np.ones(3), x).tolist() == [True, False, False]


def test_the_number_in_a_tensor_of_one_element():
    x = Tensor([[2.71828]], requires_grad=True)
    assert f"{x:.3f}" == "2.718" and f"{x:8.1e}" == " 2.7e+00"
    assert float(x) == x.item() and int(x) == 2 and round(x, 2) == round(x.item(), 2)
    assert round(x) == 3 and math.sqrt(x) == math.sqrt(x.item())
    assert f"{x}" == str(x) == format(x) and f"{ones(2)}" == str(ones(2))


def test_factories():
    rng = np.random.default_rng(0)
    assert zeros(2, 3).shape == (2, 3) and not zeros(2).data.any()
    assert ones(2).data.tolist() == [1.0, 1.0]
    assert full((2,), 7).data.tolist() == [7.0, 7.0]
    assert arange(2, 5).data.tolist() == [2.0, 3.0, 4.0]
    assert eye(2).data.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert randn(2, 3, rng=rng).shape == rand(2, 3, rng=rng).shape == (2, 3)
    many = uniform(-1, 3, (1000,), rng=rng).data
    assert -1 <= many.min() < -0.9 and 2.9 < many.max() <= 3
    assert zeros_like(ones(2)).data.tolist() == [0.0, 0.0]
    assert ones_like(zeros(2)).data.tolist() == [1.0, 1.0]
    for make in (zeros, ones, randn, rand):
        assert make(2).dtype == np.float32 and make(2, requires_grad=True).requires_grad


def test_a_shape_may_be_a_tuple():
    assert zeros((2, 3)).shape == randn((2, 3)).shape == zeros(6).reshape([2, 3]).shape == (2, 3)
    assert zeros(6).reshape(np.int64(6)).shape == full(6, 1.0).shape == (6,)


def test_arrays_and_numbers_are_constants_everywhere():
    x = leaf(2, 3)
    assert einsum("ij,j->i", x, np.ones(3)).shape == (2,)
    assert gradcheck(lambda x: x * 2, np.ones(3)).ok
    assert zeros_like(x.data).shape == (2, 3)


def test_nan_is_chosen_without_a_warning():
    y = maximum(Tensor([np.nan, 1.0], requires_grad=True), 0.0)
    assert np.isnan(y.data[0]) and y.data[1] == 1
    y.sum().backward()


def test_the_same_seed_gives_the_same_numbers():
    a, b = (randn(5, rng=np.random.default_rng(3)).data for _ in range(2))
    assert (a == b).all()


def test_split_and_join_are_opposites():
    x = leaf(6, 4)
    parts = split(x, 3, axis=0)
    assert [p.shape for p in parts] == [(2, 4)] * 3
    assert (concatenate(parts).data == x.data).all()
    assert [p.shape for p in split(x, [1, 3], axis=1)] == [(6, 1), (6, 2), (6, 1)]
    assert (stack(list(x)).data == x.data).all()


def test_shape_methods_without_an_exercise():
    x = leaf(2, 1, 3)
    assert x.squeeze(1).shape == (2, 3) and x.squeeze().shape == (2, 3)
    assert x.flatten().shape == (6,)
    assert x.pad([(0, 1), (0, 0), (2, 0)]).shape == (3, 1, 5)
    assert (x.flip(2).data == x.data[:, :, ::-1]).all()
    assert x.argmax() == x.data.argmax() and x.argmin(2).tolist() == x.data.argmin(2).tolist()


def test_repr_tells_shape_and_dtype():
    told = repr(Tensor([[1.0, 2.0]], requires_grad=True))
    assert told == "Tensor([[1. 2.]], shape=(1, 2), dtype=float32, requires_grad=True)"


def test_a_broadcast_error_marks_the_axis_that_clashes():
    with pytest.raises(ValueError) as caught:
        zeros(2, 3, 4) + zeros(2, 4)
    assert str(caught.value).split("\n")[1:] == [
        "  a       2 3 4",
        "  b         2 4",
        "            ^    clashes",
    ]


def test_shapes_are_explained_as_text_and_as_a_picture():
    table = align_shapes((2, 1, 4), (3, 1))
    assert str(table).split("\n")[-1] == "  result  2 3 4"
    assert "<b>3</b>" in table._repr_html_()


def test_the_backward_pass_of_tensors_is_explained():
    x = leaf(2, 3)
    report = explain((x * 2).sum())
    assert [row.name for row in report.rows[:2]] == ["sum", "*"]
    assert "(2x3) 2 to 2, norm 4.899" in str(report)
    assert find_break((x * 2).sum()) is None


def test_no_grad_costs_nothing_of_the_graph():
    x = leaf(2)
    with no_grad():
        y = (x * 2).sum()
    assert y.parents == () and y.vjps == ()


ROUTES = {
    "add": lambda a, b: a + b,
    "add, and on": lambda a, b: (a + b) * 2,
    "sub": lambda a, b: b - a,
    "the transpose": lambda a, b: a.T + b,
    "views of one gradient": lambda a, b: a.reshape(9) + b.flatten(),
    "sums": lambda a, b: a.sum() + b.sum(),
    "joined": lambda a, b: concatenate([a, b, a]),
    "a piece": lambda a, b: a[:2] + b[1:],
    "stretched": lambda a, b: a.unsqueeze(0) + b.broadcast_to(4, 3, 3),
    "einsum": lambda a, b: stage2_tensor.einsum("ij,kl->ijkl", a, b),
    "used twice": lambda a, b: a + a + b,
}


@pytest.mark.parametrize("name", ROUTES)
def test_a_gradient_belongs_to_its_leaf_alone(name):
    a, b = leaf(3, 3), leaf(3, 3, seed=1)
    y = ROUTES[name](a, b)
    seed = np.ones(y.shape)
    for _ in range(2):  # the first gradient of a leaf, and one that is added to it
        y.backward(seed)
        assert a.grad.flags.writeable and b.grad.flags.writeable
        assert not np.shares_memory(a.grad, b.grad)
        assert not any(np.shares_memory(x.grad, seed) for x in (a, b))


def test_a_leaf_that_is_its_own_root_copies_the_gradient_handed_over():
    x, seed = leaf(3), np.ones(3)
    x.backward(seed)
    assert not np.shares_memory(x.grad, seed)


def test_the_gradient_of_a_single_number_is_an_array():
    x = Tensor(3.0, requires_grad=True)
    for _ in range(2):
        (x * x).backward()
        assert type(x.grad) is np.ndarray and x.grad.shape == ()
