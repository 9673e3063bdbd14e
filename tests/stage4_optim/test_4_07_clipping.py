"""Exercise 4.7: one limit for all gradients together."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage3_nn import Parameter
from stage4_optim import clip_grad_norm, clip_grad_value

pytestmark = exercise("4.7")


def parameters(*gradients, dtype=float):
    """Parameters with these gradients."""
    made = []
    for g in gradients:
        p = Parameter(np.zeros(np.shape(g) if g is not None else 1, dtype))
        p.grad = None if g is None else np.array(g, dtype)
        made.append(p)
    return made


def numbers(params):
    return [x for p in params for x in np.ravel(p.grad).tolist()]


def test_one_factor_for_all():
    params = parameters([3.0], [4.0])
    norm = clip_grad_norm(params, 1.0)
    grade.close(
        norm,
        5.0,
        "the norm of the gradients [3] and [4] before clipping",
        {
            1.0: "return the norm before, it tells how wild the batch was",
            25.0: "take the root of the sum of squares",
            7.0: "the root of the sum of squares, not the sum",
        },
    )
    grade.close(
        numbers(params),
        [0.6, 0.8],
        "[3] and [4] clipped to a norm of 1",
        {
            (1.0, 1.0): "each was clipped by itself: one factor for all keeps the direction",
            (3.0, 4.0): "nothing was clipped: change the arrays",
            (0.12, 0.16): "divided by the norm twice",
        },
        rtol=1e-5,
    )


def test_small_gradients_are_left_alone():
    params = parameters([0.3], [0.4])
    grade.close(clip_grad_norm(params, 1.0), 0.5, "the norm of [0.3] and [0.4]")
    grade.close(
        numbers(params),
        [0.3, 0.4],
        "[0.3] and [0.4] with a limit of 1",
        {(0.6, 0.8): "small gradients were scaled up: clip only above the limit"},
    )


def test_all_zero():
    params = parameters([0.0, 0.0])
    grade.close(clip_grad_norm(params, 1.0), 0.0, "the norm of zeros")
    grade.close(numbers(params), [0, 0], "zeros after clipping", {(math.nan, math.nan): "0 / 0"})
    clip_grad_norm(params, 0.0)  # a limit of 0 / a norm of 0
    grade.close(numbers(params), [0, 0], "zeros clipped to 0", {(math.nan, math.nan): "0 / 0"})


def test_nothing_to_clip():
    grade.close(clip_grad_norm(parameters(None), 1.0), 0.0, "the norm without any gradient")
    grade.close(clip_grad_norm([], 1.0), 0.0, "the norm of no parameters")


def test_matrices_and_missing_gradients():
    params = parameters([[1.0, 2.0], [2.0, 4.0]], None, [0.0, 0.0])
    grade.close(clip_grad_norm(params, 2.5), 5.0, "the norm of a matrix and of zeros")
    grade.close(params[0].grad, [[0.5, 1.0], [1.0, 2.0]], "the matrix, halved", rtol=1e-5)


def test_the_largest_absolute_value():
    params = parameters([2.0], [-4.0, 3.0, 0.5])
    norm = clip_grad_norm(params, 1.0, norm_type=math.inf)
    wrong = {
        3.0: "take absolute values first",
        1.0: "x ** (1 / inf) is 1: use max for this norm",
        0.5: "that is the smallest",
        2.0: "the largest of each, then the smallest of those",
        6.0: "the largest of each, then the sum of those",
        29.25**0.5: "norm_type is ignored",
    }
    grade.close(norm, 4.0, "the infinity norm of [2] and [-4, 3, 0.5]", wrong)
    grade.close(numbers(params), [0.5, -1.0, 0.75, 0.125], "the same, clipped by it", rtol=1e-5)


def test_the_sum_of_absolute_values():
    params = parameters([3.0], [-4.0])
    norm = clip_grad_norm(params, 3.5, norm_type=1)
    wrong = {5.0: "norm_type is ignored", -1.0: "take absolute values first"}
    grade.close(norm, 7.0, "the 1-norm of [3] and [-4]", wrong)
    grade.close(numbers(params), [1.5, -2.0], "[3] and [-4] clipped to a 1-norm of 3.5", rtol=1e-5)


def test_a_norm_of_cubes():
    norm = clip_grad_norm(parameters([3.0], [-4.0, 5.0]), 100, norm_type=3)
    want = 6.0  # 27 + 64 + 125 = 216
    wrong = {216.0: "the cube root is missing", 50**0.5: "norm_type is ignored", 12.0: "that is 1"}
    wrong[88 ** (1 / 3)] = "take absolute values first"
    grade.close(norm, want, "the 3-norm of [3] and [-4, 5]", wrong)


def test_the_direction_of_many_gradients_stays():
    params = parameters([[3.0, 0.0], [0.0, 4.0]], [12.0])
    norm = clip_grad_norm(params, 6.5)
    grade.close(norm, 13.0, "the norm of [[3, 0], [0, 4]] and [12]")
    grade.close(numbers(params), [1.5, 0, 0, 2, 6], "the same, clipped to 6.5", rtol=1e-5)


def test_a_norm_that_is_the_limit_is_left_alone():
    params = parameters([3.0], [4.0])
    clip_grad_norm(params, 5.0)
    grade.close(numbers(params), [3, 4], "[3] and [4] with a limit of 5")


def test_parameters_may_come_as_a_generator():
    params = parameters([3.0], [4.0])
    clip_grad_norm((p for p in params), 1.0)
    grade.close(
        numbers(params),
        [0.6, 0.8],
        "parameters from a generator",
        {(3.0, 4.0): "a generator is empty after one walk: make a list first"},
        rtol=1e-5,
    )


def test_a_single_parameter():
    (p,) = parameters([3.0, 4.0])
    rows = "a Tensor alone is a list of one: its numbers are no parameters"
    grade.close(clip_grad_norm(p, 1.0), 5.0, "the norm of a single Parameter", {0.0: rows})
    grade.close(p.grad, [0.6, 0.8], "its gradient, clipped to 1", {(3.0, 4.0): rows}, rtol=1e-5)
    clip_grad_value(p, 0.7)
    grade.close(p.grad, [0.6, 0.7], "its gradient, clipped to 0.7", {(0.6, 0.8): rows}, rtol=1e-5)


def test_what_makes_no_limit_is_refused():
    why = "check the limit before anything is scaled"
    grade.raises(lambda: clip_grad_norm(parameters([1.0]), -1.0), "max_norm = -1", why)
    grade.raises(lambda: clip_grad_norm(parameters([1.0]), 1.0, norm_type=0), "norm_type = 0", why)
    below = parameters([2.0])
    grade.raises(lambda: clip_grad_norm(below, 1.0, norm_type=-1), "norm_type = -1", why)
    grade.raises(lambda: clip_grad_value(parameters([1.0]), -1.0), "clip_value = -1", why)


def test_a_tied_parameter_counts_once():
    (a, b) = parameters([3.0], [4.0])
    norm = clip_grad_norm([a, b, a], 1.0)
    grade.close(
        norm,
        5.0,
        "the norm if the Parameter with [3] is listed twice",
        {math.sqrt(34): "it was counted twice"},
    )
    grade.close(
        numbers([a, b]),
        [0.6, 0.8],
        "the gradients afterwards",
        {(0.12, 0.8): "it was scaled twice"},
        rtol=1e-5,
    )


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_is_not_finite_is_an_error(bad):
    params = parameters([1.0], [bad], [2.0])
    try:
        clip_grad_norm(params, 1.0)
    except FloatingPointError:
        scaled = {tuple(numbers(params)): "look before you scale: nothing may be changed"}
        grade.close(numbers(params), [1.0, bad, 2.0], "the gradients after the error", scaled)
    except ValueError as error:
        grade.true(False, f"it is a FloatingPointError; it is {error!r}", "raise that type")
    else:
        why = "scaling by NaN or 0 would spoil every weight in silence"
        grade.true(False, f"a gradient of {bad} is a FloatingPointError", why)


def test_large_float32_numbers():
    params = parameters([3e20, 4e20], dtype=np.float32)
    try:
        clip_grad_norm(params, 1.0)
    except FloatingPointError:
        pass  # refused is right too
    else:
        if np.isfinite(params[0].grad).all() and params[0].grad.any():
            found = params[0].grad
            right = np.allclose(found, [0.6, 0.8], rtol=1e-4)
            why = "large gradients are scaled like others: sum the squares in float64"
            grade.true(right, f"[3e20, 4e20] in float32 become [0.6, 0.8]; they are {found}", why)


def test_values():
    params = parameters([-3.0, 0.2], [5.0], None)
    clip_grad_value(params, 0.5)
    grade.close(
        numbers(params[:2]),
        [-0.5, 0.2, 0.5],
        "gradients between -0.5 and 0.5",
        {
            (-3.0, 0.2, 5.0): "nothing was clipped: put what np.clip returns into p.grad",
            (0.2, 0.2, 0.5): "the lower bound is -clip_value",
            (-3.0, 0.2, 0.5): "the lower bound is missing",
        },
    )


def test_float32_stays_float32():
    params = parameters([3.0, 4.0], dtype=np.float32)
    clip_grad_norm(params, np.float64(1.0))
    found = params[0].grad.dtype
    grade.true(found == np.float32, f"the gradient is float32; it is {found}", "scale it in place")
