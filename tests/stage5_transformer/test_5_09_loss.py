"""Exercise 5.9: a loss that leaves padding out."""

import math

import numpy as np

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage5_transformer import BOS, EOS, PAD
from stage5_transformer.training import loss

pytestmark = exercise("5.9")

SAID = np.array([[BOS, 5, 6], [BOS, 7, PAD]])
NEXT = np.array([[5, 6, EOS], [7, EOS, PAD]])
SOURCE = np.array([[4, 5], [6, 7]])


def batch():
    return SOURCE.copy(), SAID.copy(), NEXT.copy()


def scripted(numbers):
    """A model whose logits are these numbers; it notes what it was asked."""
    asked = []

    def model(source, said):
        asked.append((source, said))
        return Tensor(numbers, requires_grad=True)

    return model, asked


def some():
    return np.random.default_rng(0).standard_normal((2, 3, 9))


def by_hand(x, smoothing=0.0):
    x = x - x.max(-1, keepdims=True)
    logp = x - np.log(np.exp(x).sum(-1, keepdims=True))
    each = -np.take_along_axis(logp, NEXT[..., None], -1)[..., 0]
    each = (1 - smoothing) * each - smoothing * logp.mean(-1)
    return each[NEXT != PAD].mean(), each.mean()


def test_it_returns_two_things():
    found = loss(scripted(some())[0], batch())
    pair = isinstance(found, tuple | list) and len(found) == 2
    why = "return mean, how many: the trainer weighs batches with it"
    grade.true(pair, f"loss returns a mean and how many symbols it is over; got {found}", why)
    mean, _ = found
    why = "the mean comes first, and stays a Tensor: backward begins there"
    grade.true(isinstance(mean, Tensor), f"the mean is a Tensor; it is a {type(mean)}", why)


def test_the_mean_over_symbols():
    x = some()
    mean, count = loss(scripted(x)[0], batch())
    right, with_padding = by_hand(x)
    grade.close(
        mean,
        right,
        "the loss of 5 symbols and one padding",
        {with_padding: "the padding is counted: ignore_index=PAD"},
    )
    grade.close(
        count,
        5,
        "how many symbols it is over",
        {6: "padding is no symbol", 2: "symbols, not samples"},
    )


def test_padding_gets_no_gradient():
    x = some()
    held = Tensor(x, requires_grad=True)
    mean, _ = loss(lambda source, said: held, batch())
    mean.backward()
    grade.close(held.grad[1, 2], np.zeros(9), "the gradient at the padding")


def test_smoothing():
    x = some()
    mean, _ = loss(scripted(x)[0], batch(), 0.3)
    grade.close(
        mean,
        by_hand(x, 0.3)[0],
        "the loss with smoothing 0.3",
        {
            by_hand(x)[0]: "label_smoothing was not handed on",
            by_hand(x, 0.1)[0]: "label_smoothing is an argument, not always 0.1",
        },
    )


def test_the_model_is_asked_for_what_it_reads():
    model, asked = scripted(some())
    loss(model, batch())
    source, said = asked[0]
    grade.close(source, SOURCE, "the source that the model got")
    grade.close(
        said,
        SAID,
        "what the decoder read",
        {tuple(map(tuple, NEXT)): "that is the answer: it reads what is one place behind"},
    )


def test_a_model_without_a_source():
    x, asked = some(), []

    def gpt(said):
        asked.append(said)
        return Tensor(x)

    mean, _ = loss(gpt, (SAID.copy(), NEXT.copy()))
    grade.close(asked[0], SAID, "what a GPT reads: all arrays of the batch but the last")
    grade.close(mean, by_hand(x)[0], "the loss of a batch of two arrays")


def test_the_batch_is_not_changed():
    given = batch()
    loss(scripted(some())[0], given)
    grade.close(given[2], NEXT, "what has to be said, afterwards: ignore_index takes any id")


def test_a_model_that_knows_nothing():
    mean, _ = loss(scripted(np.zeros((2, 3, 9)))[0], batch())
    grade.close(mean, math.log(9), "the loss of a model for which all 9 symbols are alike")
