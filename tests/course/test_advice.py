"""What a learner of stage 2 reads about an exception: their own line, the shapes, what mends it."""

import warnings

import numpy as np
import pytest

from course import advice, render, runner
from course.manifest import exercises, find_stage
from course.variants import make_mutant, mutant
from stage2_tensor import Tensor

PRODUCT = "(a, lambda g: g * y), (b, lambda g: g * x)"
STAGE = find_stage("stage2_tensor")


def feedback(folder, exercise, file, old, new):
    """What is printed when this is what the learner wrote."""
    make_mutant(STAGE, mutant("", exercise, file, old, new), folder)
    found = runner.grade([exercises()[exercise]], code=folder)
    return render.to_text(render.results, STAGE, found)


def test_an_edge_that_is_no_pair_is_shown_where_it_was_written(tmp_path):
    flat = "a, lambda g: g * y, b, lambda g: g * x"
    told = feedback(tmp_path, "2.4", "elementwise.py", PRODUCT, flat)
    assert f'in mul: return a.from_op(x * y, {flat}, op="*")' in told
    assert advice.ON_EDGE in told


def test_shapes_that_do_not_fit_are_listed(tmp_path):
    told = feedback(tmp_path, "2.8", "reductions.py", "centred = x.data - x.data.mean(axis=axes, "
                    "keepdims=True)", "centred = x.data - x.data.mean(axis=axes)")  # fmt: skip
    assert "shapes: x (2, 3, 4)" in told
    assert advice.ON_SHAPES in told


def test_a_check_that_is_handed_out_points_at_the_line_that_called_it(tmp_path):
    told = feedback(tmp_path, "2.16", "gradcheck.py", "y.backward(weights)", "y.backward()")
    assert "in backward: " in told
    assert "in _seed: " not in told


def test_what_was_compared_is_told_in_words(tmp_path):
    told = feedback(tmp_path, "2.4", "elementwise.py", "(a, lambda g: g / y)", "(a, lambda: y)")
    assert "a / b for shapes () and (4,)" in told
    assert advice.ON_VJP in told


def test_a_walk_in_the_wrong_direction_is_told(tmp_path):
    told = feedback(tmp_path, "2.6", "tensor.py", "in reversed(topological_order(self))",
                    "in topological_order(self)")  # fmt: skip
    assert advice.ON_ARRIVAL in told


def test_an_operation_that_asks_itself_is_told(tmp_path):
    told = feedback(tmp_path, "2.9", "shaping.py", "x.from_op(x.data.reshape(new)",
                    "x.from_op(x.reshape(new)")  # fmt: skip
    assert advice.ON_OPERATION in told
    assert advice.ON_RECURSION not in told


def test_a_gradient_that_did_not_arrive_is_no_missing_return(tmp_path):
    told = feedback(tmp_path, "2.6", "tensor.py", "if not node.parents:", "if False:")
    assert "no gradient arrived" in told


def test_a_batch_of_another_size_is_told(tmp_path):
    stage = find_stage("stage5_transformer")
    wrong = mutant("", "5.9", "training.py", "*read, next_ids = batch", "a, b, next_ids = batch\n"
                   "    read = a, b")  # fmt: skip
    make_mutant(stage, wrong, tmp_path)
    (found,) = runner.grade([exercises()["5.9"]], code=tmp_path)
    assert advice.ON_BATCH in found.text


EXCEPTIONS = [
    (lambda: np.sum(Tensor([1.0])), advice.ON_UFUNC),
    (lambda: np.exp(Tensor([1.0])), advice.ON_UFUNC),
    (lambda: np.float64(1).operand, advice.ON_ARRAY),
    (lambda: (2).operand, advice.ON_NUMBER),
    (lambda: [1].shape, advice.ON_NUMBER),
    (lambda: np.zeros(2).data.sum(), advice.ON_MEMORY),
    (lambda: None.shape, advice.ON_NONE),
    (lambda: np.zeros(2)(1), advice.ON_EDGE),
    (lambda: (lambda: 1)(2), advice.ON_VJP),
    (lambda: np.multiply(2, 3, out=np.broadcast_to(1, 3)), advice.ON_WRITING),
    (lambda: np.zeros(2) + np.zeros(3), advice.ON_SHAPES),
    (lambda: np.zeros((2, 3)) @ np.zeros((2, 3)), advice.ON_PRODUCT),
    (lambda: exec("with (i for i in []): pass"), advice.ON_CONTEXT),
    (lambda: exec("for x in None: pass"), advice.ON_NONE),
    (lambda: exec("a, b = None"), advice.ON_NONE),
    (lambda: exec("a = None; a[0]"), advice.ON_NONE),
    (lambda: np.multiply(None, 1.0, out=np.zeros(())), advice.ON_OBJECT),
    (lambda: bool(np.zeros(2)), advice.ON_TRUTH),
    (lambda: bool(Tensor([1.0, 2.0])), advice.ON_TRUTH),
    (lambda: exec("a, b = [1]"), advice.ON_PAIRS),
    (lambda: exec("a = 1.0; a(2)"), advice.ON_CALL),
    (lambda: Tensor([1.0]).sum().backward(), advice.ON_CUT),
    (lambda: next(iter([])), advice.ON_END),
    (lambda: [1][np.array([0, 0])], advice.ON_INDEX),
    (lambda: ([1] != 1).sum(), advice.ON_BOOL),
    (lambda: np.stack([(np.zeros(2), 1)]), advice.ON_UNEVEN),
    (lambda: np.concatenate([np.array(1)]), advice.ON_STACK),
    (lambda: exec("class A:\n def __iter__(self): return []\nlist(A())"), advice.ON_ITERATOR),
    (lambda: warnings.warn("x", UserWarning, stacklevel=1), advice.ON_NOTICE),
    (lambda: exec("raise ResourceWarning('unclosed file')"), advice.ON_OPEN),
    (lambda: exec("from math import nothing"), advice.ON_IMPORT),
]


@pytest.mark.parametrize("fail, words", EXCEPTIONS, ids=range(len(EXCEPTIONS)))
def test_an_exception_has_its_own_advice(fail, words):
    with pytest.raises(Exception) as caught:
        fail()
    assert advice.of_exception(caught.value, "no package")[0].endswith(f"\n{words}")


def test_an_exception_that_says_enough_has_none():
    told, where = advice.of_exception(KeyError("a"), "no package")
    assert (told, where) == ("KeyError: 'a'", "")
