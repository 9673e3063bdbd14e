"""Exercise 2.6: the loop of stage 1, with functions in place of numbers."""

import numpy as np

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor

pytestmark = exercise("2.6")

OVERWRITTEN = "a later use overwrote the gradient of an earlier one: add them up"
NOT_SUMMED = "what was copied by broadcasting must be summed: use unbroadcast"


def leaf(data, dtype=float):
    """A Tensor that wants a gradient."""
    return Tensor(np.array(data, dtype=dtype), requires_grad=True)


def test_one_operation():
    x = leaf([1.0, 2.0, 3.0])
    y = x * 2
    y.backward(np.array([1.0, 10.0, 100.0]))
    wrong = {(2.0, 2.0, 2.0): "the gradient that was handed over was not used"}
    grade.close(x.grad, [2.0, 20.0, 200.0], "x.grad", wrong)


def test_a_single_number_needs_no_gradient_handed_over():
    x = leaf(3.0)
    y = x * x
    y.backward()
    grade.close(x.grad, 6.0, "x.grad", {3.0: OVERWRITTEN})


def test_several_numbers_need_one():
    x = leaf([1.0, 2.0, 3.0])
    y = x * 2
    grade.raises(y.backward, "y.backward() for y of shape (3,)", "which of the three is the loss?")
    why = "a gradient has the shape of its tensor"
    grade.raises(lambda: y.backward(np.ones(2)), "y.backward(ones(2)) for y of shape (3,)", why)


def test_without_requires_grad_there_is_nothing_to_do():
    x = Tensor(np.ones(1))
    y = x * 2
    grade.raises(y.backward, "backward where nothing wants a gradient", "say so with an error")


def test_a_tensor_used_twice():
    x = leaf([3.0, 5.0])
    y = x + x * 10
    y.backward(np.ones(2))
    grade.close(
        x.grad, [11.0, 11.0], "x.grad", {(10.0, 10.0): OVERWRITTEN, (1.0, 1.0): OVERWRITTEN}
    )


def test_a_shared_node_passes_on_its_whole_gradient_once():
    x = leaf([3.0])
    y = x * 2
    z = y * 4 + y * 7
    z.backward()
    early = "y passed its gradient on before both of its uses had added to it"
    grade.close(
        x.grad, [22.0], "x.grad", {(30.0,): early, (8.0,): OVERWRITTEN, (14.0,): OVERWRITTEN}
    )


def test_a_stretched_axis_is_summed():
    x, y = leaf(np.ones((3, 1))), leaf(np.ones((1, 4)))
    (x + y).backward(np.ones((3, 4)))
    grade.close(
        x.grad, np.full((3, 1), 4.0), "x.grad", {tuple(map(tuple, np.ones((3, 4)))): NOT_SUMMED}
    )
    grade.close(y.grad, np.full((1, 4), 3.0), "y.grad")


def test_an_axis_put_in_front_is_summed():
    x, y = leaf(np.ones(4)), leaf(np.ones((2, 3, 4)))
    (x * y).backward(np.ones((2, 3, 4)))
    grade.close(x.grad, np.full(4, 6.0), "x.grad")


def test_a_single_number_beside_a_matrix():
    s = leaf(1.0)
    (s + np.ones((2, 3))).backward(np.ones((2, 3)))
    grade.close(s.grad, 6.0, "s.grad")


def test_leaves_accumulate_over_calls():
    x = leaf([2.0])
    e = (x + 1) * 3
    e.backward()
    e.backward()
    stale = "a node between still held the gradient of the first call"
    wrong = {(9.0,): stale, (3.0,): "the leaf was reset: it accumulates until zero_grad"}
    grade.close(x.grad, [6.0], "x.grad after two calls", wrong)


def test_zero_grad_forgets():
    x = leaf([2.0])
    (x * 3).backward()
    x.zero_grad()
    (x * 5).backward()
    grade.close(x.grad, [5.0], "x.grad")


def test_two_calls_with_a_gradient_that_cannot_be_written():
    x = leaf([1.0, 1.0, 1.0])
    seed = np.broadcast_to(1.0, 3)  # a view, read-only; the way back of a sum makes such views
    y = x + 1
    y.backward(seed)
    y.backward(seed)
    why = "the first gradient is a view of the seed: keep a copy, and add with +"
    grade.close(x.grad, [2.0, 2.0, 2.0], "x.grad", {(1.0, 1.0, 1.0): why})


def test_no_two_leaves_share_a_gradient():
    a, b = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    (a + b).backward(np.ones(2))
    a.grad += 100
    grade.close(
        b.grad,
        [1.0, 1.0],
        "b.grad after a.grad was changed",
        {(101.0, 101.0): "a.grad and b.grad are the same array: a leaf keeps a copy"},
    )


def test_the_gradient_handed_over_stays_as_it_was():
    x = leaf([1.0, 2.0])
    seed = np.ones(2)
    y = x * 2 + x * 3
    y.backward(seed)
    x.grad += 1
    why = "never write into an array that you did not make"
    grade.close(seed, [1.0, 1.0], "the seed afterwards", {(2.0, 2.0): why})


def test_a_gradient_that_two_parents_share_is_not_written_into():
    in_place = "received[parent] += share writes into an array that another parent holds: add anew"
    x, z = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    g = np.array([1.0, 10.0])
    ((x + z) + x).backward(g)
    grade.close(z.grad, [1.0, 10.0], "z.grad of (x + z) + x", {(2.0, 20.0): in_place})
    grade.close(x.grad, [2.0, 20.0], "x.grad of (x + z) + x")
    grade.close(g, [1.0, 10.0], "the gradient handed over, afterwards", {(2.0, 20.0): in_place})
    a, b = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    ((3 * b + 2 * a) + (a + b)).backward(np.ones(2))
    grade.close(a.grad, [3.0, 3.0], "a.grad of (3 b + 2 a) + (a + b)")
    grade.close(b.grad, [4.0, 4.0], "b.grad of (3 b + 2 a) + (a + b)", {(6.0, 6.0): in_place})


def test_a_ladder_has_more_paths_than_nodes():
    x = leaf([1.0])
    y = x
    for _ in range(40):  # 2 ** 40 paths: to walk them all takes days
        y = y + y
    y.backward()
    grade.close(x.grad, [2.0**40], "x.grad after 40 doublings")


def test_gradients_have_the_dtype_of_their_tensor():
    x = leaf([1.0, 2.0], np.float32)
    y = x * 2.0
    y.backward(np.ones(2))
    why = "the seed, or a constant in a vjp, is float64: bring it back with astype"
    grade.true(x.grad.dtype == np.float32, f"x.grad is float32; it is {x.grad.dtype}", why)
    w = leaf([1.0, 2.0], np.float64)
    x = leaf([1.0, 2.0], np.float32)
    (x * w).backward(np.ones(2))
    grade.true(x.grad.dtype == np.float32, f"x.grad is float32; it is {x.grad.dtype}", why)


def test_constants_are_left_alone():
    x, c = leaf([1.0, 2.0]), Tensor(np.array([3.0, 4.0]))
    (x * c).backward(np.ones(2))
    grade.close(x.grad, [3.0, 4.0], "x.grad")
    grade.true(c.grad is None, "c.grad is None", "c does not require a gradient")


def test_the_gradient_is_none_before_the_first_call():
    x, unused = leaf([1.0]), leaf([1.0])
    (x * 2).backward()
    grade.true(unused.grad is None, "unused.grad is None", "nothing reached it")


def test_a_leaf_is_its_own_root():
    x = leaf(3.0)
    x.backward()
    grade.close(x.grad, 1.0, "x.grad")


def test_a_chain_of_3000_operations():
    x = leaf([1.0])
    y = x
    for _ in range(3000):
        y = y + 1
    y.backward()
    grade.close(x.grad, [1.0], "x.grad")


def test_a_larger_expression_against_measured_slopes():
    rng = np.random.default_rng(0)
    a, b = rng.uniform(0.5, 2, (2, 3)), rng.uniform(0.5, 2, 3)

    def f(a, b):
        c = a * b + 1
        return c / b - c * a

    x, y = leaf(a), leaf(b)
    f(x, y).backward(np.ones((2, 3)))
    h = 1e-6
    for name, tensor, numbers in [("a", x, a), ("b", y, b)]:
        measured = np.zeros_like(numbers)
        for place in np.ndindex(*numbers.shape):
            before = numbers[place]
            numbers[place] = before + h
            high = f(a, b).sum()
            numbers[place] = before - h
            low = f(a, b).sum()
            numbers[place] = before
            measured[place] = (high - low) / (2 * h)
        grade.close(tensor.grad, measured, f"{name}.grad", rtol=1e-5, atol=1e-6)
