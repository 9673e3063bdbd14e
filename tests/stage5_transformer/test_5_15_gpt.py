"""Exercise 5.15, bonus: a decoder alone, and dice."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage5_transformer import GPT, Config, sample
from stage5_transformer.decoding import probabilities

pytestmark = exercise("5.15")

IDS = np.array([[4, 5, 6, 7], [8, 4, 4, 9]])


def model():
    config = Config(0, 11, d_model=16, heads=2, d_ff=32, decoder_layers=2, dropout=0.5)
    return GPT(config, np.random.default_rng(0)).eval()


def test_the_shape():
    found = np.shape(model()(IDS).data)
    grade.true(found == (2, 4, 11), f"the logits are (2, 4, 11); got {found}", "(B, T, V)")


def test_nobody_looks_ahead():
    m = model()
    before = m(IDS).data
    changed = IDS.copy()
    changed[0, 3] = 10
    after = m(changed).data
    grade.close(after[0, :3], before[0, :3], "the logits before a symbol that changed")
    grade.true(not np.allclose(after[0, 3], before[0, 3]), "those at it change", "it is read")


def test_positions_are_told():
    y = model()(np.array([[4, 4, 4]])).data[0]
    grade.true(
        not np.allclose(y[0], y[2]), "the same symbol differs at two places", "add positions"
    )


def test_the_last_layer_is_the_embedding():
    m = model()
    y = m(IDS)
    y.backward(np.random.default_rng(0).standard_normal(y.shape).astype(np.float32))
    grade.true(
        m.embedding.weight.grad[10].any(), "a symbol that was not read gets a gradient", "tied"
    )
    missing = [name for name, p in m.named_parameters() if p.grad is None]
    grade.true(
        not missing, f"every Parameter gets a gradient; not {missing}", "is a layer left out?"
    )


def test_step_by_step_as_all_at_once():
    m = model()
    whole = m(IDS).data
    state = m.start(IDS[:, :2])
    for t in (1, 2, 3):
        found = state.next(IDS[:, t])
        grade.close(found, whole[:, t], f"the logits after symbol {t}", rtol=1e-4, atol=1e-5)


LOGITS = np.log(np.array([[0.5, 0.3, 0.15, 0.05]]))


def test_without_limits():
    grade.close(probabilities(LOGITS), [[0.5, 0.3, 0.15, 0.05]], "all four symbols")


def test_top_k():
    grade.close(
        probabilities(LOGITS, top_k=2),
        [[0.625, 0.375, 0, 0]],
        "the two most probable",
        {((0.5, 0.3, 0, 0),): "what is left must add up to 1"},
    )
    grade.close(
        probabilities(LOGITS, top_k=9), [[0.5, 0.3, 0.15, 0.05]], "top_k beyond the vocabulary"
    )


def test_top_p():
    grade.close(
        probabilities(LOGITS, top_p=0.7),
        [[0.625, 0.375, 0, 0]],
        "top_p=0.7",
        {((1, 0, 0, 0),): "the symbol that crosses the line belongs to the chosen"},
    )
    grade.close(probabilities(LOGITS, top_p=0.01), [[1, 0, 0, 0]], "top_p=0.01: one is always left")
    grade.close(probabilities(LOGITS, top_p=1.0), [[0.5, 0.3, 0.15, 0.05]], "top_p=1 hides nothing")


def test_the_order_of_the_vocabulary_stays():
    x = np.log(np.array([[0.05, 0.5, 0.15, 0.3], [0.3, 0.05, 0.5, 0.15]]))
    want = [[0, 0.625, 0, 0.375], [0.375, 0, 0.625, 0]]
    grade.close(probabilities(x, top_k=2), want, "top_k=2 of symbols in another order")


def test_both_limits():
    grade.close(probabilities(LOGITS, top_k=3, top_p=0.5), [[1, 0, 0, 0]], "top_k=3 and top_p=0.5")


def test_large_logits():
    grade.close(probabilities(np.array([[1000.0, 0.0]])), [[1, 0]], "logits of 1000 and 0")


class Coin:
    """Says symbol 4 or 5, three to one, and never ends."""

    def next(self, ids):
        logits = np.full((len(ids), 6), -1e9)
        logits[:, 4], logits[:, 5] = np.log(0.75), np.log(0.25)
        return logits

    def select(self, rows):
        pass


@pytest.mark.parametrize(("temperature", "share"), [(1.0, 0.75), (0.5, 0.9), (0.0, 1.0)])
def test_the_dice(temperature, share):
    rows = sample(Coin(), 2000, 2, temperature, rng=np.random.default_rng(0))
    found = np.mean([symbol == 4 for row in rows for symbol in row])
    grade.close(
        found, share, f"the share of symbol 4 at temperature {temperature}", rtol=0, atol=0.035
    )
