"""Exercise 1.6: the chain rule along the order, with gradients that add up."""

from course import grade
from course.grade import exercise
from stage1_autodiff import Value, backward

pytestmark = exercise("1.6")

OVERWRITTEN = "a later use overwrote the gradient of an earlier one: add to it, with +="


def test_one_operation():
    a, b = Value(2.0), Value(-5.0)
    y = a * b
    y.backward()
    wrong = {
        0.0: "nothing arrived: does the root start with 1.0, and does the loop reach it?",
        1.0: "the gradient was passed on without the partial",
    }
    added = {-4.0: "multiply the gradient of the result by the partial: along a path they multiply"}
    grade.close(a.grad, -5.0, "a.grad", wrong | added)
    first = {0.0: "only the first parent received: go through all parents and their partials"}
    grade.close(b.grad, 2.0, "b.grad", wrong | first)


def test_a_chain_of_two():
    x = Value(5.0)
    y = (x * 2) * 3
    y.backward()
    wrong = {
        0.0: "parents were visited before their children: walk the order in reverse",
        2.0: "the partial was not multiplied with the gradient from above",
        3.0: "only the last partial arrived",
        5.0: "partials along a path are multiplied, not added",
    }
    grade.close(x.grad, 6.0, "x.grad", wrong)


def test_a_value_used_twice_in_one_sum():
    a = Value(4.0)
    y = a + a
    y.backward()
    grade.close(a.grad, 2.0, "a.grad", {1.0: OVERWRITTEN})


def test_values_used_by_two_operations():
    a, b = Value(2.0), Value(-5.0)
    f = (a * b) * (a + b)
    f.backward()
    grade.close(a.grad, 5.0, "a.grad", {15.0: OVERWRITTEN, -10.0: OVERWRITTEN})
    grade.close(b.grad, -16.0, "b.grad", {-6.0: OVERWRITTEN, -10.0: OVERWRITTEN})


def test_a_shared_node_passes_on_its_whole_gradient_once():
    x = Value(3.0)
    y = x * 2
    z = y * 4 + y * 7
    z.backward()
    early = "y passed its gradient on before both of its uses had added to it, and then again"
    dropped = "y passed on the gradient of one of its two uses only"
    wrong = {30.0: early, 36.0: early, 8.0: dropped, 14.0: dropped}
    grade.close(x.grad, 22.0, "x.grad", wrong)


def test_a_node_that_is_both_operands():
    a = Value(3.0)
    b = a * a
    c = b * b
    c.backward()
    wrong = {
        216.0: "b passed its gradient on twice: a node belongs into the order once",
        54.0: OVERWRITTEN,
        27.0: OVERWRITTEN,
    }
    grade.close(a.grad, 108.0, "a.grad", wrong)


def test_a_short_and_a_long_path():
    x = Value(2.0)
    y = x * x * x + x
    y.backward()
    grade.close(x.grad, 13.0, "x.grad", {1.0: OVERWRITTEN, 12.0: OVERWRITTEN})


def test_leaves_accumulate_and_the_nodes_between_start_again():
    a, b = Value(2.0), Value(5.0)
    e = (a + b) * 3
    e.backward()
    e.backward()
    stale = "a node that is no leaf still held the gradient of the first call"
    wrong = {
        9.0: stale,
        12.0: stale,
        3.0: "the leaves were reset: they accumulate until zero_grad",
    }
    grade.close(a.grad, 6.0, "a.grad after two calls", wrong)
    grade.close(b.grad, 6.0, "b.grad after two calls", wrong)


def test_the_nodes_between_keep_their_gradients():
    a = Value(2.0)
    d = a * 3
    L = d * 4
    L.backward()
    gone = "set the gradients of the nodes between to 0 before the walk, not after it"
    grade.close(d.grad, 4.0, "d.grad for L = d * 4", {0.0: gone})
    grade.close(L.grad, 1.0, "L.grad of the root itself", {0.0: gone})


def test_two_roots_that_share_a_node():
    x = Value(3.0)
    y = x * 2
    (y * 5).backward()
    (y * 7).backward()
    wrong = {
        34.0: "y still held the gradient that the first root had left",
        14.0: "x was reset, but leaves accumulate",
    }
    grade.close(x.grad, 24.0, "x.grad after two roots", wrong)


def test_gradients_set_to_zero_start_again():
    x = Value(3.0)
    (x * 2).backward()
    x.grad = 0.0
    (x * 5).backward()
    grade.close(x.grad, 5.0, "x.grad")


def test_a_value_that_was_not_used_has_gradient_0():
    x, unused = Value(3.0), Value(1.0)
    (x * 2).backward()
    grade.close(unused.grad, 0.0, "unused.grad")


def test_a_leaf_is_its_own_root():
    x = Value(3.0)
    x.backward()
    grade.close(x.grad, 1.0, "x.grad")
    x.backward()
    wrong = {1.0: "a leaf accumulates also where it is the root: add 1.0 to its gradient"}
    grade.close(x.grad, 2.0, "x.grad after two calls", wrong)


def test_the_data_stays_as_it_was():
    a, b = Value(2.0), Value(5.0)
    y = a * b
    y.backward()
    grade.close([a.data, b.data, y.data], [2.0, 5.0, 10.0], "the data after backward")


def test_backward_is_a_function_too():
    x = Value(3.0)
    backward(x * 4)
    grade.close(x.grad, 4.0, "x.grad")


def test_quotients_and_powers_accumulate_too():
    x = Value(2.0)
    y = x**3 + 2 * x**3 + 1 / x
    y.backward()
    one_use = "the gradient of one of the two powers is missing"
    grade.close(
        x.grad,
        35.75,
        "x.grad",
        {
            11.75: one_use,
            23.75: one_use,
            12.0: one_use,
            24.0: one_use,
        },
    )


def test_a_chain_of_10000_operations():
    x = Value(1.0)
    y = x
    for _ in range(10_000):
        y = y + 1
    y.backward()
    grade.close(x.grad, 1.0, "x.grad")


def test_a_larger_expression_against_measured_slopes():
    def f(a, b, c):
        d = a * b + c
        return (d - a) * d / (b * b + 1) + d**2

    grade.gradients(f, Value(2.0), Value(-3.0), Value(0.5), what="the expression f(a, b, c)")
