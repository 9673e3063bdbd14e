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


def test_the_mean_over_symbols():
    x = some()
    mean, count = loss(scripted(x)[0], (SOURCE, SAID, NEXT))
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
    mean, _ = loss(lambda source, said: held, (SOURCE, SAID, NEXT))
    mean.backward()
    grade.close(held.grad[1, 2], np.zeros(9), "the gradient at the padding")


def test_smoothing():
    x = some()
    mean, _ = loss(scripted(x)[0], (SOURCE, SAID, NEXT), smoothing=0.1)
    grade.close(
        mean,
        by_hand(x, 0.1)[0],
        "the loss with smoothing 0.1",
        {by_hand(x)[0]: "smoothing was not handed on"},
    )


def test_the_model_is_asked_for_what_it_reads():
    model, asked = scripted(some())
    loss(model, (SOURCE, SAID, NEXT))
    source, said = asked[0]
    grade.close(source, SOURCE, "the source that the model got")
    grade.close(
        said,
        SAID,
        "what the decoder read",
        {tuple(map(tuple, NEXT)): "that is the answer: it reads what is one place behind"},
    )


def test_a_model_that_knows_nothing():
    mean, _ = loss(scripted(np.zeros((2, 3, 9)))[0], (SOURCE, SAID, NEXT))
    grade.close(mean, math.log(9), "the loss of a model for which all 9 symbols are alike")
