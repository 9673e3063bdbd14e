"""Exercise 2.11: tensors joined, and tensors chosen from."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor, concatenate, maximum, minimum, stack, where

pytestmark = exercise("2.11")


def leaf(data):
    """A float64 Tensor that wants a gradient."""
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def some(shape, seed=0):
    """A leaf of numbers between 0.5 and 2."""
    return leaf(np.random.default_rng(seed).uniform(0.5, 2, shape))


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_concatenate(axis):
    a, b = some((2, 3)), some((2, 3), seed=1)
    y = concatenate([a, b], axis)
    grade.close(y, np.concatenate([a.data, b.data], axis), f"concatenate([a, b], {axis})")
    grade.vjps(lambda a, b: concatenate([a, b], axis), a, b, what=f"concatenate([a, b], {axis})")


def test_parts_of_unequal_size():
    a, b = leaf(np.ones((2, 1))), leaf(np.ones((2, 2)))
    y = concatenate([a, b], axis=-1)
    g = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    late = "every part got the slice of the last one: bind the slice when the lambda is made"
    wrong = {((3.0,), (6.0,)): late, ((2.0, 3.0), (5.0, 6.0)): late, ((5.0,), (11.0,)): late}
    rows = "rows were cut out of g: count a negative axis from the front, axis % ndim"
    wrong = [*wrong.items(), (g[:1], rows)]
    grade.close(grade.vjp(y, a, g), [[1], [4]], "dL/da for g = 1..6", wrong)
    grade.close(grade.vjp(y, b, g), [[2, 3], [5, 6]], "dL/db for g = 1..6")


def test_rows_of_unequal_number():
    a, b = leaf([[1.0, 2.0]]), leaf([[3.0, 4.0], [5.0, 6.0]])
    y = concatenate([a, b])
    grade.close(y, [[1, 2], [3, 4], [5, 6]], "concatenate of shapes (1, 2) and (2, 2)")
    g = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    grade.close(grade.vjp(y, b, g), [[3, 4], [5, 6]], "dL/db for g = 1..6")


def test_one_part_alone():
    a = leaf([1.0, 2.0])
    y = concatenate([a])
    grade.close(y, [1.0, 2.0], "concatenate([a])")
    grade.close(grade.vjp(y, a, np.array([3.0, 5.0])), [3.0, 5.0], "dL/da for g = [3, 5]")


def test_arrays_among_the_parts():
    x = Tensor(np.ones(2, np.float32), requires_grad=True)
    why = (
        "an array is a constant: as_tensors makes Tensors of them, with the dtype of the float one"
    )
    for name, y in [
        ("concatenate", concatenate([x, np.array([3.0, 4.0])])),
        ("stack", stack([np.array([3.0, 4.0]), x])),
    ]:
        grade.true(y.dtype == np.float32, f"{name} is float32; it is {y.dtype}", why)
        grade.close(y.data.sum(), 9.0, f"the sum of {name} of [1, 1] and [3, 4]")


def test_an_axis_that_does_not_exist_is_refused():
    a, b = leaf([1.0, 2.0]), leaf([3.0])
    why = "check_joinable knows: call it before you count the axis from 0"
    grade.raises(lambda: concatenate([a, b], 1), "concatenate of vectors along axis 1", why)


def test_three_parts_and_the_same_one_twice():
    a, b = leaf([1.0, 2.0]), leaf([3.0])
    y = concatenate([a, b, a])
    grade.close(y, [1, 2, 3, 1, 2], "concatenate([a, b, a])")
    g = np.array([1.0, 2.0, 3.0, 10.0, 20.0])
    once = "a is there twice: each place has an edge of its own, and a gets the sum"
    wrong = {(10.0, 20.0): once, (1.0, 2.0): once}
    grade.close(grade.vjp(y, a, g), [11.0, 22.0], "dL/da: it is there twice", wrong)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_stack(axis):
    a, b = some((2, 3)), some((2, 3), seed=1)
    y = stack([a, b], axis)
    grade.close(y, np.stack([a.data, b.data], axis), f"stack([a, b], {axis})")
    grade.vjps(lambda a, b: stack([a, b], axis), a, b, what=f"stack([a, b], {axis})")


def test_the_same_tensor_stacked_twice():
    x = leaf([1.0, 1.0])
    y = stack([x, x])
    found = grade.vjp(y, x, np.array([[1.0, 2.0], [10.0, 20.0]]))
    grade.close(found, [11.0, 22.0], "dL/dx of stack([x, x])", {(10.0, 20.0): "x is there twice"})


@pytest.mark.parametrize("shapes", [[], [(2, 3), (3, 2)], [(2, 3), (2,)]], ids=str)
def test_parts_that_do_not_fit_are_refused(shapes):
    parts = [some(shape) for shape in shapes]
    why = "check_joinable knows: call it first"
    grade.raises(lambda: concatenate(parts, 0), f"concatenate of shapes {shapes}", why)


def test_where():
    a, b = leaf([1.0, 2.0, 3.0]), leaf([10.0, 20.0, 30.0])
    c = np.array([True, False, True])
    y = where(c, a, b)
    grade.close(y, [1.0, 20.0, 3.0], "where([T, F, T], a, b)")
    wrong = {
        (0.0, 1.0, 0.0): "this is dL/db: the two are exchanged",
        (1.0, 1.0): "picked out of g: keep its shape, with 0 where a was not chosen",
        (1.0, 1.0, 1.0): "a got all of g: it gets 0 where it was not chosen",
    }
    grade.close(grade.vjp(y, a, np.ones(3)), [1.0, 0.0, 1.0], "dL/da", wrong)
    all_of_it = {(1.0, 1.0, 1.0): "b got all of g: it gets 0 where a was chosen"}
    grade.close(grade.vjp(y, b, np.ones(3)), [0.0, 1.0, 0.0], "dL/db", all_of_it)
    g = np.array([5.0, 7.0, 9.0])
    no_g = "g is missing: what was chosen gets its gradient, not 1"
    wrong = {(1.0, 0.0, 1.0): no_g}
    grade.close(grade.vjp(y, a, g), [5.0, 0.0, 9.0], "dL/da for g = [5, 7, 9]", wrong)
    wrong = {(0.0, 1.0, 0.0): no_g}
    grade.close(grade.vjp(y, b, g), [0.0, 7.0, 0.0], "dL/db for g = [5, 7, 9]", wrong)


def test_where_broadcasts():
    c = np.array([[True], [False]])
    a, b = leaf([1.0, 2.0, 3.0]), leaf(5.0)
    y = where(c, a, b)
    grade.close(y, [[1, 2, 3], [5, 5, 5]], "where of shapes (2, 1), (3,) and ()")
    grade.close(grade.vjp(y, a, np.ones((2, 3))), [1, 1, 1], "dL/da")
    grade.close(grade.vjp(y, b, np.ones((2, 3))), 3.0, "dL/db")


def test_where_with_numbers():
    x = leaf([-1.0, 2.0])
    y = where(x > 0, x, 0.0)
    grade.close(y, [0.0, 2.0], "where(x > 0, x, 0.0)")
    y = where(x > 0, 0.0, x)
    grade.close(y, [-1.0, 0.0], "where(x > 0, 0.0, x)")


def test_where_with_an_infinite_gradient():
    a = leaf([1.0, 2.0])
    y = where(np.array([True, False]), a, 0.0)
    found = grade.vjp(y, a, np.array([1.0, math.inf]))
    wrong = {(1.0, math.nan): "infinity times 0 is NaN: choose with np.where, do not multiply"}
    grade.close(found, [1.0, 0.0], "dL/da for g = [1, inf]", wrong)


@pytest.mark.parametrize(("name", "f"), [("maximum", maximum), ("minimum", minimum)])
def test_the_larger_and_the_smaller(name, f):
    a, b = leaf([1.0, 5.0, 3.0]), leaf([4.0, 2.0, 9.0])
    grade.close(f(a, b), getattr(np, name)(a.data, b.data), f"{name}(a, b)")
    grade.vjps(f, a, b, what=f"{name}(a, b)")
    grade.vjps(f, some((3, 1)), some((1, 4), seed=1), what=f"{name} for (3, 1) and (1, 4)")


@pytest.mark.parametrize(("name", "f"), [("maximum", maximum), ("minimum", minimum)])
def test_an_infinite_gradient_goes_to_the_chosen_one_alone(name, f):
    a, b = leaf([1.0, 2.0]), leaf([2.0, 1.0])
    y = f(a, b)
    why = "infinity times 0 is NaN: choose with np.where, do not multiply"
    with np.errstate(invalid="ignore"):
        found = grade.vjp(y, a, np.full(2, math.inf))
    want = [0.0, math.inf] if name == "maximum" else [math.inf, 0.0]
    wrong = {tuple(n or math.nan for n in want): why}
    grade.close(found, want, f"dL/da of {name}([1, 2], [2, 1]) for g = inf", wrong)
    a, b = leaf([1.0, 2.0]), leaf([2.0, 1.0])
    with np.errstate(invalid="ignore"):
        found = grade.vjp(f(a, b), b, np.full(2, math.inf))
    wrong = {tuple(n or math.nan for n in want[::-1]): why}
    grade.close(found, want[::-1], f"dL/db of {name}([1, 2], [2, 1]) for g = inf", wrong)


def test_equal_elements_share():
    x = leaf([1.0, 2.0])
    y = maximum(x, x)
    both = "both places got too much of the gradient: where they are equal each gets half"
    wrong = {(2.0, 2.0): both, (1.5, 1.5): both}
    grade.close(grade.vjp(y, x, np.ones(2)), [1.0, 1.0], "dL/dx of maximum(x, x)", wrong)
    a, b = leaf([3.0]), leaf([3.0])
    for name, y in [("maximum", maximum(a, b)), ("minimum", minimum(a, b))]:
        wrong = {
            (8.0,): "a got all of it: where they are equal each gets half",
            (0.0,): "b got all of it: where they are equal each gets half",
        }
        found = grade.vjp(y, a, np.array([8.0]))
        grade.close(found, [4.0], f"dL/da of {name}([3], [3]) for g = 8", wrong)
        found = grade.vjp(y, b, np.array([8.0]))
        grade.close(found, [4.0], f"dL/db of {name}([3], [3]) for g = 8")


def test_the_larger_of_integers():
    a, b = Tensor(np.array([1, 5])), Tensor(np.array([4, 2]))
    grade.close(maximum(a, b), [4, 5], "maximum([1, 5], [4, 2]) of integers")


def test_float32_stays_float32():
    x = Tensor(np.ones(2, np.float32), requires_grad=True)
    results = {
        "concatenate": concatenate([x, x]),
        "stack": stack([x, x]),
        "where": where(np.array([True, False]), x, 0.0),
        "maximum": maximum(x, 0.5),
    }
    for name, y in results.items():
        grade.true(y.dtype == np.float32, f"{name} is float32; it is {y.dtype}", "keep the dtype")
