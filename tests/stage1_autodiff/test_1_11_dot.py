"""Exercise 1.11 (bonus): a weighted sum as one node."""

from course import grade
from course.grade import exercise
from stage1_autodiff import Value, dot

pytestmark = exercise("1.11")


def test_the_sum():
    w = [Value(2.0), Value(-3.0)]
    x = [Value(1.5), Value(4.0)]
    y = dot(w, x, Value(1.0))
    grade.close(y, -8.0, "dot([2, -3], [1.5, 4], 1)", {-9.0: "the bias is missing"})


def test_the_gradients_of_weights_inputs_and_bias():
    w = [Value(2.0), Value(-3.0)]
    x = [Value(1.5), Value(4.0)]
    b = Value(1.0)
    y = dot(w, x, b) * 10
    y.backward()
    exchanged = "the partials are exchanged: the one by a weight is its input"
    wrong = {(20.0, -30.0): exchanged}
    grade.close([wi.grad for wi in w], [15.0, 40.0], "the gradients of the weights", wrong)
    wrong = {(15.0, 40.0): exchanged, (0.0, 0.0): "inputs that are Values are parents too"}
    grade.close([xi.grad for xi in x], [20.0, -30.0], "the gradients of the inputs", wrong)
    grade.close(b.grad, 10.0, "the gradient of the bias", {0.0: "the bias is a parent too"})


def test_inputs_that_are_numbers():
    w = [Value(2.0), Value(-3.0)]
    y = dot(w, [1.5, 4.0], Value(1.0))
    y.backward()
    grade.close(y, -8.0, "dot([2, -3], [1.5, 4], 1)")
    grade.close([wi.grad for wi in w], [1.5, 4.0], "the gradients of the weights")


def test_numbers_and_values_mixed():
    w = [Value(2.0), Value(-3.0), Value(0.5)]
    x = [1.5, Value(4.0), 2.0]
    y = dot(w, x, Value(0.0))
    y.backward()
    grade.close([wi.grad for wi in w], [1.5, 4.0, 2.0], "the gradients of the weights")
    grade.close(x[1].grad, -3.0, "the gradient of the one input that is a Value")


def test_one_node_not_many():
    w = [Value(1.0) for _ in range(5)]
    b = Value(0.0)
    y = dot(w, [1.0] * 5, b)
    why = "add up plain floats and make a single Value at the end"
    own = {id(p) for p in [*w, b]}
    grade.true({id(p) for p in y.parents} == own, "the parents are w and b themselves", why)


def test_a_value_that_is_weight_and_input():
    a = Value(3.0)
    y = dot([a, a], [a, 2.0], a)
    y.backward()
    grade.close(a.grad, 9.0, "the gradient of a in a * a + 2 a + a")


def test_lengths_that_differ_are_refused():
    w = [Value(1.0), Value(2.0)]
    why = "zip stops at the shorter list without a word: compare the lengths first"
    grade.raises(lambda: dot(w, [1.0], Value(0.0)), "dot of 2 weights and 1 input", why)
