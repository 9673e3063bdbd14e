"""How graded tests compare, and what they say."""

import numpy as np
import pytest

from course import grade
from course.grade import ComparisonError
from stage1_autodiff import Value, backward
from stage2_tensor import Tensor


def words_of(compare, *arguments, **more):
    """What a comparison says when it fails."""
    with pytest.raises(ComparisonError) as caught:
        compare(*arguments, **more)
    return str(caught.value)


# Values.

EQUAL = [
    (2.0, 2),
    (np.float32(2.0), 2.0),
    (2.0 + 1e-9, 2.0),
    (float("nan"), float("nan")),
    (float("inf"), float("inf")),
    ([1.0, 2.0], np.array([1, 2])),
    ((1.0, 2.0), [1.0, 2.0]),
    (Value(3.0), 3.0),
    ([Value(1.0), Value(2.0)], [1.0, 2.0]),
    (np.array([1.0, np.nan]), [1.0, np.nan]),
    (True, 1.0),
]


@pytest.mark.parametrize("got, expected", EQUAL)
def test_equal_values_pass(got, expected):
    grade.close(got, expected, "x")


UNEQUAL = [
    (2.1, 2.0),
    (float("nan"), 2.0),
    (2.0, float("nan")),
    (float("inf"), float("-inf")),
    ([1.0, 2.0], [1.0, 2.5]),
    ([1.0, 2.0], [1.0, 2.0, 3.0]),
    ([1.0], 1.0),
    (Value(3.0), 4.0),
    (None, 0.0),
    ("two", 2.0),
    (2j, 2.0),
    ([[1.0], [1.0, 2.0]], [1.0]),
    (object(), 1.0),
]


@pytest.mark.parametrize("got, expected", UNEQUAL)
def test_unequal_values_fail(got, expected):
    with pytest.raises(ComparisonError):
        grade.close(got, expected, "x")


@pytest.mark.parametrize("got, passes", [(1.001, True), (1.01, False)])
def test_the_tolerance_can_be_set(got, passes):
    if passes:
        grade.close(got, 1.0, "x", rtol=2e-3)
    else:
        words_of(grade.close, got, 1.0, "x", rtol=2e-3)


def test_a_wrong_number_is_told_in_three_lines():
    said = words_of(grade.close, 2.5, 2.0, "a.grad")
    assert said == "a.grad\n  expected  2\n  got       2.5"


def test_the_cause_comes_last():
    said = words_of(grade.close, -2.0, 2.0, "a.grad")
    assert said.split("\n")[-1] == "  cause     the sign is flipped: the size is right"


def test_a_cause_that_the_test_knows_is_certain():
    with pytest.raises(ComparisonError) as caught:
        grade.close(5.0, 2.0, "x", {5.0: "added instead of multiplied"})
    assert (caught.value.cause, caught.value.certain) == ("added instead of multiplied", True)


def test_a_general_cause_is_a_guess():
    with pytest.raises(ComparisonError) as caught:
        grade.close(-2.0, 2.0, "x", {5.0: "added instead of multiplied"})
    assert not caught.value.certain


def test_the_first_differing_number_is_shown_with_its_place():
    said = words_of(grade.close, [[1.0, 2.0], [3.5, 4.5]], [[1.0, 2.0], [3.0, 4.0]], "x")
    assert "differs   2 of 4 numbers, the first at [1, 0]: expected 3, got 3.5" in said


def test_another_shape_is_told_before_any_value():
    said = words_of(grade.close, [1.0, 2.0], [1.0, 2.0, 3.0], "x")
    assert "expected  shape (3,)" in said
    assert "got       shape (2,)" in said
    assert "differs" not in said


def test_none_asks_for_the_return():
    said = words_of(grade.close, None, 2.0, "x")
    assert said.endswith("cause     the function returns nothing: is the `return` missing?")


def test_none_among_numbers_asks_for_the_return():
    said = words_of(grade.close, [None, None], [1.0, 2.0], "x")
    assert said.endswith("cause     the function returns nothing: is the `return` missing?")


def test_a_gradient_that_is_none_did_not_arrive():
    assert "no gradient arrived" in words_of(grade.close, None, 2.0, "dL/dweight")


def test_a_function_in_place_of_a_number_was_not_called():
    assert "call it" in words_of(grade.close, [].append, 2.0, "x")


def test_a_tensor_inside_a_tensor_is_told():
    class Node:
        parents = ()

        def __init__(self, data):
            self.data = data

    assert "its .data is a Tensor" in words_of(grade.close, Node(Node(1.0)), 2.0, "x")


def test_something_that_is_no_number_is_shown_with_its_type():
    assert "got       'two', a str" in words_of(grade.close, "two", 2.0, "x")


def test_an_object_whose_repr_fails_is_shown_by_its_type():
    class Broken:
        def __repr__(self):
            raise NotImplementedError("exercise 1.3: Operators")

    assert "got       <Broken>, a Broken" in words_of(grade.close, Broken(), 2.0, "x")


def test_a_huge_array_is_cut_short():
    said = words_of(grade.close, np.ones((500, 500)), np.zeros((500, 500)), "x")
    assert len(said.split("\n")) < 25


# Errors.


def fail(error):
    raise error


def test_an_error_that_is_asked_for_passes():
    grade.raises(lambda: fail(ValueError("negative")), "log(-1)", "log needs a positive number")


def test_no_error_is_a_mistake_that_shows_the_result():
    said = words_of(grade.raises, lambda: Value(2.0), "log(-1)", "check it first")
    assert said == (
        "log(-1)\n  expected  an error\n  got       no error, but Value(data=2, grad=0)\n"
        "  cause     check it first"
    )


def test_an_error_that_leaks_from_deeper_down_is_a_mistake():
    said = words_of(
        grade.raises,
        lambda: fail(OverflowError("math range error")),
        "exp(1000)",
        "it overflowed",
        leaks=(OverflowError,),
    )
    assert "got       OverflowError: math range error" in said


def test_a_stub_is_not_taken_for_the_error():
    with pytest.raises(NotImplementedError, match=r"exercise 1\.7"):
        grade.raises(lambda: fail(NotImplementedError("exercise 1.7: exp")), "log(-1)", "why")


def test_a_stub_passes_through_the_comparison_of_gradients(monkeypatch):
    monkeypatch.setattr(Value, "backward", lambda self: fail(NotImplementedError("exercise 1.6")))
    with pytest.raises(NotImplementedError, match=r"exercise 1\.6"):
        grade.gradients(lambda x: x * x, Value(1.0), what="f")


def test_a_stub_passes_through_a_slope():
    class Unfinished:
        partials = None

        def backward(self):
            raise NotImplementedError("exercise 1.6")

    with pytest.raises(NotImplementedError, match=r"exercise 1\.6"):
        grade.slope(Unfinished(), Value(1.0))


def test_true_passes_what_is_true():
    grade.true([1], "the list", "it is empty")


def test_true_gives_the_reason_for_what_is_not():
    said = words_of(grade.true, [], "the list", "it is empty")
    assert said == "not so: the list\n  cause     it is empty"


# Gradients.


class Partless:
    """A node of a design that stores no partials, only a way back."""

    def __init__(self, root):
        self.root = root
        self.parents = ()

    def backward(self):
        self.root.backward()


def test_right_gradients_pass():
    grade.gradients(lambda x, y: x * y + x.exp(), Value(0.5), Value(-2.0), what="f")


def test_a_wrong_gradient_names_its_input_and_the_point():
    def wrong(x, y):
        return Value(x.data * y.data, (x, y), (y.data, 2 * x.data), "*")

    said = words_of(grade.gradients, wrong, Value(0.5), Value(-2.0), what="x * y")
    assert said.startswith("d/dinput1 of x * y, at 0.5, -2\n  expected  0.5\n  got       1\n")
    assert "twice the right value" in said


def test_gradients_leaves_its_inputs_alone():
    x = Value(0.5)
    grade.gradients(lambda x: x * x, x, what="f")
    assert x.grad == 0.0


def test_a_slope_is_the_product_of_the_partials_along_a_path():
    x = Value(3.0)
    assert grade.slope((x * 2) * 5, x) == 10.0


def test_a_slope_adds_up_over_all_paths():
    x = Value(3.0)
    assert grade.slope(x * x + x, x) == 7.0


def test_the_slope_of_something_that_does_not_depend_on_it_is_0():
    assert grade.slope(Value(1.0) * 2, Value(3.0)) == 0.0


def test_the_slope_of_a_value_by_itself_is_1():
    x = Value(3.0)
    assert grade.slope(x, x) == 1.0


def test_a_slope_needs_no_backward(monkeypatch):
    monkeypatch.setattr(Value, "backward", lambda self: fail(NotImplementedError("1.6")))
    x = Value(3.0)
    assert grade.slope(x * 2, x) == 2.0


def test_without_partials_a_slope_comes_from_backward():
    x = Value(3.0)
    assert grade.slope(Partless(x * 2), x) == 2.0


def test_without_partials_a_slope_does_not_count_what_was_there_before():
    x = Value(3.0)
    backward(x * 7)
    assert grade.slope(Partless(x * 2), x) == 2.0


# The vjps of stage 2.


def leaves():
    return [Tensor([2.0, 3.0], requires_grad=True), Tensor([5.0, 7.0], requires_grad=True)]


def product(vjp_a, vjp_b):
    """a * b with these vjps; each is asked for g, and the numbers of a and b."""

    def f(a, b):
        x, y = a.data, b.data
        edges = (a, lambda g: vjp_a(g, x, y)), (b, lambda g: vjp_b(g, x, y))
        return Tensor.from_op(x * y, *edges)

    return f


VJPS = [
    (lambda g, x, y: g * x, lambda g, x, y: g * y, "this is dL/dinput1: the two are exchanged"),
    (lambda g, x, y: y, lambda g, x, y: g * x, "g is missing: a vjp multiplies with it"),
    (lambda g, x, y: -g * y, lambda g, x, y: g * x, "the sign is flipped"),
    (lambda g, x, y: None, lambda g, x, y: g * x, "is the `return` missing?"),
    (lambda g, x, y: Tensor(g), lambda g, x, y: g, "vjps compute with arrays"),
]


@pytest.mark.parametrize("vjp_a, vjp_b, words", VJPS)
def test_a_wrong_vjp_names_its_cause(vjp_a, vjp_b, words):
    told = words_of(grade.vjps, product(vjp_a, vjp_b), *leaves(), what="a * b")
    assert words in told.split("cause")[1]


def test_right_vjps_pass():
    grade.vjps(lambda a, b: a * b, *leaves(), what="a * b")


def test_an_edge_needs_a_function():
    (x, _) = leaves()
    y = Tensor.from_op(x.data, (x, np.ones(2)))
    assert "a vjp is called later" in words_of(grade.vjp, y, x, np.ones(2))


def test_an_operation_that_returns_an_array_is_told():
    (x, _) = leaves()
    assert "from_op makes a node" in words_of(grade.vjp, x.data * 2, x, np.ones(2))


def test_a_vjp_cannot_write_into_g():
    (x, _) = leaves()
    y = Tensor.from_op(x.data, (x, lambda g: np.multiply(g, 2, out=g)))
    with pytest.raises(ValueError, match="read-only"):
        grade.vjp(y, x, np.ones(2))


def test_tensors_inside_an_array_are_told():
    (x, _) = leaves()
    array = np.empty(2, dtype=object)  # as a Tensor of one's own makes it
    array[0] = array[1] = x
    assert "NumPy was given Tensors" in words_of(grade.close, array, [1.0], "y")


def test_a_missing_error_is_not_more_certain_than_a_wrong_number():
    with pytest.raises(ComparisonError) as caught:
        grade.raises(lambda: 1, "f()", "check first")
    assert not caught.value.certain
