"""Exercise 3.9: cross-entropy, with rows to ignore and smoothed labels."""

import math

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage3_nn import cross_entropy

pytestmark = exercise("3.9")


def leaf(data):
    return Tensor(np.array(data, dtype=float), requires_grad=True)


def log_softmax(x):
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def some(*shape):
    return np.random.default_rng(0).standard_normal(shape)


def gradient(x, *arguments, **options):
    """dL/dx of a cross_entropy."""
    x = leaf(x)
    cross_entropy(x, *arguments, **options).backward()
    return x.grad


def test_value():
    loss = cross_entropy(leaf([[2.0, 0.0], [0.0, 2.0]]), [0, 1])
    grade.close(
        loss,
        0.126928,
        "cross_entropy([[2, 0], [0, 2]], [0, 1])",
        {
            0.383165: "softmax was applied before the loss applies it again",
            1.126928: "logits[:, targets] picks every pair of row and target: pick one per row",
            0.253856: "that is the sum: divide by the number of rows",
        },
        rtol=1e-4,
    )


def test_gradient_is_softmax_minus_one_hot_over_n():
    found = gradient(np.zeros((2, 2)), [0, 1])
    want = np.array([[-0.25, 0.25], [0.25, -0.25]])
    grade.close(
        found,
        want,
        "dL/dlogits of cross_entropy(zeros(2, 2), [0, 1])",
        {tuple(map(tuple, 2 * want)): "the gradient is not divided by the number of rows"},
    )


def test_vjps_for_all_options():
    targets = np.array([1, -100, 0, 3])
    weight = np.array([1.0, 2.0, 0.5, 3.0])

    def f(x):
        return cross_entropy(x, targets, weight=weight, label_smoothing=0.2)

    grade.vjps(f, leaf(some(4, 4)), what="cross_entropy with weights, smoothing and an ignored row")


def test_several_leading_axes():
    x = np.arange(6.0).reshape(1, 2, 3)
    loss = cross_entropy(leaf(x), [[2, 0]])
    want = -(log_softmax(x)[0, 0, 2] + log_softmax(x)[0, 1, 0]) / 2
    turned = log_softmax(x.swapaxes(1, 2).reshape(2, 3))
    axes = "the classes are the last axis already: reshape to (-1, K), and exchange no axes"
    wrong = {-(turned[0, 2] + turned[1, 0]) / 2: axes}
    grade.close(loss, want, "cross_entropy of logits (1, 2, 3) and targets (1, 2)", wrong)


def test_reductions():
    x, targets = some(3, 4), [0, 3, 1]
    each = -log_softmax(x)[[0, 1, 2], targets]
    grade.close(cross_entropy(leaf(x), targets, reduction="none"), each, 'reduction="none"')
    grade.close(cross_entropy(leaf(x), targets, reduction="sum"), each.sum(), 'reduction="sum"')


def test_the_leading_axes_stay_without_a_reduction():
    x, targets = some(2, 3, 4), np.array([[1, 2, 3], [0, -100, 1]])
    each = -np.take_along_axis(log_softmax(x), np.maximum(targets, 0)[..., None], -1)[..., 0]
    want = np.where(targets == -100, 0, each)
    found = cross_entropy(leaf(x), targets, reduction="none")
    flat = {tuple(want.ravel()): "the leading axes were lost: reshape back to those of targets"}
    grade.close(found, want, "a loss for each of 2 x 3 targets", flat)


@pytest.mark.parametrize("smoothing", [0.0, 0.3])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_all_options_together(smoothing, reduction):
    x, targets = some(2, 3, 4), np.array([[1, 2, 3], [0, -100, 1]])
    weight = np.array([1.0, 2.0, 0.5, 3.0])
    each = -log_softmax(x) * weight
    ids, counts = np.maximum(targets, 0), targets != -100
    picked = np.take_along_axis(each, ids[..., None], -1)[..., 0]
    of_all = (1 - smoothing) * picked + smoothing * each.mean(-1)
    losses = counts * of_all
    total = (counts * weight[ids]).sum()
    want = {"mean": losses.sum() / total, "sum": losses.sum(), "none": losses}[reduction]
    wrong = {
        losses.sum() / weight[ids].sum(): "the weight of the ignored row is in the mean",
        of_all.sum() / total: "the ignored row has a loss: with label smoothing too it counts as 0",
    }
    options = {"weight": weight, "label_smoothing": smoothing, "reduction": reduction}
    found = cross_entropy(leaf(x), targets, **options)
    what = f"logits (2, 3, 4), weights, an ignored row, smoothing {smoothing}, {reduction}"
    grade.close(found, want, what, wrong)


@pytest.mark.parametrize("smoothing", [-0.1, 1.5, 10])
def test_a_smoothing_that_is_no_share_is_refused(smoothing):
    why = "the target would keep 1 - s, which is below 0 or above 1"
    what = f"cross_entropy(..., label_smoothing={smoothing})"
    x = leaf(np.zeros((1, 4)))
    grade.raises(lambda: cross_entropy(x, [0], label_smoothing=smoothing), what, why)


def test_ignored_rows_do_not_count_in_the_mean():
    loss = cross_entropy(leaf(np.zeros((3, 4))), [1, -100, 2])
    grade.close(
        loss,
        math.log(4),
        "cross_entropy(zeros(3, 4), [1, -100, 2])",
        {2 * math.log(4) / 3: "the ignored row is counted in the mean"},
    )
    found = gradient(np.zeros((3, 4)), [1, -100, 2])
    grade.close(found[1], np.zeros(4), "the gradient of the ignored row")
    grade.close(found[0], np.array([0.25, -0.75, 0.25, 0.25]) / 2, "the gradient of a row of two")


def test_an_ignored_row_is_zero_without_a_reduction():
    loss = cross_entropy(leaf(np.zeros((2, 4))), [1, -100], reduction="none")
    grade.close(loss, [math.log(4), 0], 'reduction="none" with an ignored row')


def test_an_ignore_index_of_your_own():
    x = np.zeros((2, 4))
    x[1, -1] = 10.0
    loss = cross_entropy(leaf(x), [0, -1], ignore_index=-1)
    last = -log_softmax(x)[1, -1]
    grade.close(
        loss,
        math.log(4),
        "cross_entropy(..., [0, -1], ignore_index=-1)",
        {(math.log(4) + last) / 2: "-1 picked the last class: replace ignored targets first"},
    )
    loss = cross_entropy(leaf(np.zeros((2, 4))), [0, 2], ignore_index=0)
    grade.close(loss, math.log(4), "cross_entropy(zeros(2, 4), [0, 2], ignore_index=0)")


def test_nothing_left():
    x = leaf(np.zeros((2, 4)))
    loss = cross_entropy(x, [-100, -100])
    grade.close(
        loss,
        0.0,
        "the loss when every row is ignored",
        {math.nan: "0 / 0: the number of rows that count may be 0"},
    )
    loss.backward()
    grade.close(x.grad, np.zeros((2, 4)), "its gradient")


def test_an_ignored_row_beside_a_single_class():
    loss = cross_entropy(leaf([[3.0], [5.0]]), [0, -100])
    grade.close(loss, 0.0, "cross_entropy([[3], [5]], [0, -100]): there is class 0 only")


def test_a_bad_ignored_row_does_not_poison_the_others():
    x = leaf([[0.0, 0.0], [1e4, -1e4]])
    loss = cross_entropy(x, [0, -100])
    grade.close(loss, math.log(2), "the loss beside an ignored row of large logits")


def test_label_smoothing_spreads_over_all_classes():
    loss = cross_entropy(leaf([[2.0, 1.0, 0.0]]), [0], label_smoothing=0.1)
    grade.close(
        loss,
        0.507606,
        "cross_entropy([[2, 1, 0]], [0], label_smoothing=0.1)",
        {
            0.557606: "the share was spread over the K - 1 other classes: it goes to all K",
            0.407606: "there is no smoothing in it",
            0.366845: "the target keeps 1 - s, but nothing went to the classes",
        },
        rtol=1e-5,
    )


def test_smoothing_leaves_ignored_rows_out():
    x = some(3, 4)
    whole = cross_entropy(leaf(x), [1, -100, 2], label_smoothing=0.1)
    alone = cross_entropy(leaf(x[[0, 2]]), [1, 2], label_smoothing=0.1)
    grade.close(whole, alone.data, "a smoothed loss with and without the ignored row")
    found = gradient(x, [1, -100, 2], label_smoothing=0.1)
    grade.close(found[1], np.zeros(4), "the gradient of the ignored row with smoothing")


def test_the_mean_is_per_token_not_per_sequence():
    x = some(2, 3, 4)
    targets = np.array([[1, 2, 3], [0, -100, -100]])
    each = -log_softmax(x)
    tokens = [each[0, 0, 1], each[0, 1, 2], each[0, 2, 3], each[1, 0, 0]]
    by_sequence = (np.mean(tokens[:3]) + tokens[3]) / 2
    grade.close(
        cross_entropy(leaf(x), targets),
        np.mean(tokens),
        "the mean over four tokens",
        {by_sequence: "the mean of the sequences' means: every token counts the same"},
    )


def test_class_weights():
    x, targets = some(3, 2), np.array([0, 1, 1])
    weight = np.array([1.0, 3.0])
    each = -log_softmax(x)[[0, 1, 2], targets] * weight[targets]
    loss = cross_entropy(leaf(x), targets, weight=weight)
    grade.close(
        loss,
        each.sum() / 7,
        "cross_entropy with class weights 1 and 3",
        {each.mean(): "the mean is divided by the sum of the weights of the targets"},
    )


def test_class_weights_below_one():
    loss = cross_entropy(leaf(np.zeros((2, 2))), [0, 1], weight=np.array([0.1, 0.3]))
    grade.close(
        loss,
        math.log(2),
        "cross_entropy(zeros(2, 2), [0, 1]) with class weights 0.1 and 0.3",
        {0.4 * math.log(2): "the sum of the weights may be below 1, and is what to divide by"},
    )


def test_class_weights_and_smoothing():
    x, weight = some(2, 3), np.array([1.0, 2.0, 5.0])
    share = np.full((2, 3), 0.1)
    share[[0, 1], [0, 2]] += 0.7  # 0.7 one_hot + 0.3 / 3
    each = -log_softmax(x)
    picked = weight[[0, 2]] * each[[0, 1], [0, 2]]
    grade.close(
        cross_entropy(leaf(x), [0, 2], weight=weight, label_smoothing=0.3),
        (share * weight * each).sum() / 6,
        "cross_entropy with class weights 1, 2, 5 and label_smoothing 0.3",
        {
            (0.7 * picked.sum() + 0.3 * each.mean(-1).sum()) / 6: (
                "in the smooth part every class has its weight too"
            )
        },
    )


def test_targets_may_come_as_a_tensor_and_stay_as_they_were():
    targets = np.array([1, -100, 0])
    loss = cross_entropy(leaf(np.zeros((3, 2))), Tensor(targets))
    grade.close(loss, math.log(2), "targets [1, -100, 0] in a Tensor")
    cross_entropy(leaf(np.zeros((3, 2))), targets)
    written = {(1, 0, 0): "the targets were changed: np.where makes a new array"}
    grade.close(targets, [1, -100, 0], "the targets afterwards", written)


def test_far_out():
    x = leaf([[1000.0, -1000.0], [-1000.0, 1000.0]])
    loss = cross_entropy(x, [1, 1])
    grade.close(loss, 1000.0, "a loss of 2000 and one of 0", {math.nan: "exp overflowed"})
    loss.backward()
    grade.close(x.grad, [[0.5, -0.5], [0, 0]], "its gradient")


def test_targets_that_are_no_class_are_refused():
    x = np.zeros((1, 4))
    for bad in ([4], [-1]):
        grade.raises(
            lambda bad=bad: cross_entropy(leaf(x), bad),
            f"a target of {bad[0]} among 4",
            "it is neither a class nor the ignore_index",
        )
    grade.raises(lambda: cross_entropy(leaf(x), [0, 1]), "one row and two targets", "one per row")
    grade.raises(lambda: cross_entropy(leaf(x), [1.5]), "a target of 1.5", "ids are integers")


def test_an_unknown_reduction_is_refused():
    grade.raises(
        lambda: cross_entropy(leaf(np.zeros((1, 4))), [0], reduction="avg"),
        'cross_entropy(..., reduction="avg")',
        'it is "mean", "sum" or "none": check_reduction',
    )


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_float32_stays_float32(smoothing):
    x = Tensor(some(3, 4).astype(np.float32), requires_grad=True)
    loss = cross_entropy(x, [0, 1, -100], label_smoothing=smoothing)
    grade.true(loss.dtype == np.float32, f"the loss is float32; it is {loss.dtype}", "keep it")


@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf])
def test_a_weight_that_is_no_weight_is_refused(weight):
    x = leaf(np.zeros((2, 2)))
    what = f"cross_entropy with the class weights [{weight}, 0.5]"
    why = "a weight says how much a class counts: finite, and not below 0"
    weights = np.array([weight, 0.5])
    grade.raises(lambda: cross_entropy(x, [0, 1], weight=weights), what, why)
