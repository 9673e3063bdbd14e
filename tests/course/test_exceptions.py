"""What a learner of stage 2 reads about an exception: their own line, the shapes, what mends it."""

import warnings

import numpy as np
import pytest

from course.authors.mutants import make_mutant, mutant
from course.grader import rendering, runner
from course.grader.exceptions import of_exception
from course.manifest import exercises, find_stage
from stage2_tensor import Tensor

PRODUCT = "(a, lambda g: g * y), (b, lambda g: g * x)"
STAGE = find_stage("stage2_tensor")


def feedback(folder, exercise, file, old, new):
    """What is printed when this is what the learner wrote."""
    make_mutant(STAGE, mutant("", exercise, file, old, new), folder)
    found = runner.grade([exercises()[exercise]], code=folder)
    return rendering.to_text(rendering.results, STAGE, found)


def test_an_edge_that_is_no_pair_is_shown_where_it_was_written(tmp_path):
    flat = "a, lambda g: g * y, b, lambda g: g * x"
    told = feedback(tmp_path, "2.4", "elementwise.py", PRODUCT, flat)
    assert f'in mul: return a.from_op(x * y, {flat}, op="*")' in told
    assert "An edge is (input" in told


def test_shapes_that_do_not_fit_are_listed(tmp_path):
    told = feedback(tmp_path, "2.8", "reductions.py", "centred = x.data - x.data.mean(axis=axes, "
                    "keepdims=True)", "centred = x.data - x.data.mean(axis=axes)")  # fmt: skip
    assert "shapes: x (2, 3, 4)" in told
    assert "Shapes are compared from the right" in told


def test_a_check_that_is_handed_out_points_at_the_line_that_called_it(tmp_path):
    told = feedback(tmp_path, "2.16", "gradcheck.py", "y.backward(weights)", "y.backward()")
    assert "in backward: " in told
    assert "in _seed: " not in told


def test_what_was_compared_is_told_in_words(tmp_path):
    told = feedback(tmp_path, "2.4", "elementwise.py", "(a, lambda g: g / y)", "(a, lambda: y)")
    assert "a / b for shapes () and (4,)" in told
    assert "A vjp is a function of one argument" in told


def test_a_walk_in_the_wrong_direction_is_told(tmp_path):
    told = feedback(tmp_path, "2.6", "tensor.py", "in reversed(topological_order(self))",
                    "in topological_order(self)")  # fmt: skip
    assert "Nothing has arrived for this node" in told


def test_an_operation_that_asks_itself_is_told(tmp_path):
    told = feedback(tmp_path, "2.9", "shaping.py", "x.from_op(x.data.reshape(new)",
                    "x.from_op(x.reshape(new)")  # fmt: skip
    assert "An operation that is written with itself never ends" in told
    assert "A function calls itself too often" not in told


def test_a_gradient_that_did_not_arrive_is_no_missing_return(tmp_path):
    told = feedback(tmp_path, "2.6", "tensor.py", "if not node.parents:", "if False:")
    assert "no gradient arrived" in told


def test_a_batch_of_another_size_is_told(tmp_path):
    stage = find_stage("stage5_transformer")
    wrong = mutant("", "5.9", "training.py", "*read, next_ids = batch", "a, b, next_ids = batch\n"
                   "    read = a, b")  # fmt: skip
    make_mutant(stage, wrong, tmp_path)
    (found,) = runner.grade([exercises()["5.9"]], code=tmp_path)
    assert "A batch has any number of arrays" in found.text


EXCEPTIONS = [
    (
        lambda: exec("raise TypeError(\"operand 'Tensor' does not support ufuncs\")"),
        "NumPy's functions take arrays",
    ),
    (lambda: np.float64(1).operand, "This is an array"),
    (lambda: (2).operand, "An operand may be a plain number: a.operand(b)"),
    (lambda: [1].shape, "An operand may be a plain number: a.operand(b)"),
    (lambda: np.zeros(2).data.sum(), "This is an array already"),
    (lambda: None.shape, "Something is None here"),
    (lambda: np.zeros(2)(1), "An edge is (input"),
    (lambda: (lambda: 1)(2), "A vjp is a function of one argument"),
    (lambda: np.multiply(2, 3, out=np.broadcast_to(1, 3)), "This array belongs to others too"),
    (lambda: np.zeros(2) + np.zeros(3), "Shapes are compared from the right"),
    (
        lambda: np.zeros((2, 3)) @ np.zeros((2, 3)),
        "In a @ b the last axis of a must be as long as the last but",
    ),
    (
        lambda: exec("with (i for i in []): pass"),
        "A function that @contextmanager makes usable in `with` has",
    ),
    (lambda: exec("for x in None: pass"), "Something is None here"),
    (lambda: exec("a, b = None"), "Something is None here"),
    (lambda: exec("a = None; a[0]"), "Something is None here"),
    (lambda: np.multiply(None, 1.0, out=np.zeros(())), "NumPy got something that is no number"),
    (lambda: bool(np.zeros(2)), "`if` wants one answer"),
    (lambda: bool(Tensor([1.0, 2.0])), "`if` wants one answer"),
    (lambda: exec("a, b = [1]"), "Two things are unpacked here"),
    (lambda: exec("a = 1.0; a(2)"), "What is called here is no function"),
    (lambda: Tensor([1.0]).sum().backward(), "The way back to the inputs is cut"),
    (lambda: next(iter([])), "The iterator is at its end"),
    (lambda: [1][np.array([0, 0])], "A list or a Dataset gives one item for one number"),
    (lambda: ([1] != 1).sum(), "A list is compared as a whole"),
    (lambda: np.stack([(np.zeros(2), 1)]), "Columns of different shapes are no array"),
    (lambda: np.concatenate([np.array(1)]), "np.concatenate joins along an axis that is there"),
    (
        lambda: exec("class A:\n def __iter__(self): return []\nlist(A())"),
        "__iter__ gives an iterator",
    ),
    (
        lambda: warnings.warn("x", UserWarning, stacklevel=1),
        "The tests count a warning as an error",
    ),
    (lambda: exec("raise ResourceWarning('unclosed file')"), "A file stays open"),
    (lambda: exec("from math import nothing"), "The course expects this name in that file"),
]


@pytest.mark.parametrize("fail, words", EXCEPTIONS, ids=range(len(EXCEPTIONS)))
def test_an_exception_has_its_own_advice(fail, words):
    with pytest.raises(Exception) as caught:
        fail()
    assert f"\n{words}" in of_exception(caught.value, "stage5_transformer")[0]


def test_an_exception_that_says_enough_has_none():
    told, where = of_exception(KeyError("a"), "stage5_transformer")
    assert (told, where) == ("KeyError: 'a'", "")
