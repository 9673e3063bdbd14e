"""Exercise 5.15, bonus: a decoder alone, and dice."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import concatenate
from stage5_transformer import GPT, Config, KeyValueCache, causal_mask, sample
from stage5_transformer.decoding import probabilities

pytestmark = exercise("5.15")

IDS = np.array([[4, 5, 6, 7], [8, 4, 4, 9]])


def model(dropout=0.5, n=2):
    config = Config(0, 11, d_model=16, heads=2, d_ff=32, decoder_layers=n, dropout=dropout)
    return GPT(config, np.random.default_rng(0)).eval()


def by_hand(m, ids, mask=None):
    x = m.positions(m.embedding(ids) * m.scale)
    for layer in m.layers:
        x = layer(x, mask)
    return m.norm(x).data @ m.embedding.weight.data.T


def test_the_shape():
    found = np.shape(model()(IDS).data)
    grade.true(found == (2, 4, 11), f"the logits are (2, 4, 11); got {found}", "(B, T, V)")


def test_nobody_looks_ahead():
    m = model()
    before = m(IDS).data
    changed = IDS.copy()
    changed[0, 3] = 10
    after = m(changed).data
    seen = [
        (by_hand(m, changed)[0, :3], "the future is seen: layers get causal_mask(T, start + T)")
    ]
    grade.close(after[0, :3], before[0, :3], "the logits before a symbol that changed", seen)
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


def test_embeddings_are_scaled():
    m, seen = model(), []
    m.positions.forward = lambda x, start=0: seen.append(x.data.copy()) or x
    m(IDS)
    grade.true(seen, "self.positions is called", "x = self.positions(x, start)")
    table = m.embedding.weight.data
    grade.close(
        seen[0][0, 1],
        table[5] * 4,
        "an embedding before positions are added",
        {tuple(table[5].tolist()): "multiply by self.scale, sqrt(d_model)"},
    )


def test_the_whole_model():
    m = model()
    y = m(IDS).data
    sums = np.exp(y).sum(-1)
    why = "no softmax at the end: the loss and the dice make their own"
    grade.true(not np.allclose(sums, 1), "logits are no logarithms of probabilities", why)
    want = by_hand(m, IDS, causal_mask(4))
    what = "embedding, scale, positions, every layer, norm, times the table"
    grade.close(y, want, what, rtol=1e-4, atol=1e-5)


def test_embeddings_are_dropped_out():
    m = model(dropout=1.0)  # everything is dropped
    m.train()
    same = np.allclose(m(IDS).data, m(np.full((2, 4), 6)).data)
    why = "self.dropout comes before the first layer"
    grade.true(same, "the model knows nothing of its ids if it drops everything", why)


@pytest.mark.parametrize("prompt", [1, 2, 4])
def test_step_by_step_as_all_at_once(prompt):
    m, ids = model(), np.array([[4, 5, 6, 7, 5, 8], [8, 4, 4, 9, 10, 4]])
    whole = by_hand(m, ids, causal_mask(6))
    open_ = by_hand(m, ids, causal_mask(6) | (np.arange(6) < prompt - 1))
    add = type(m.positions).forward
    m.positions.forward = lambda x, start=0: concatenate(
        [add(m.positions, x[:, t : t + 1], 0) for t in range(6)], axis=1
    )
    still = by_hand(m, ids, causal_mask(6))
    del m.positions.forward
    state = m.start(ids[:, :prompt])
    for t in range(prompt - 1, 6):
        found = state.next(ids[:, t])
        what = f"the logits after symbol {t}, after a prompt of {prompt}"
        wrong = [
            (still[:, t], "positions go on: the new symbol stands at len(caches[0])"),
            (
                open_[:, t],
                "the symbols of the prompt see each other: with caches too, a causal mask",
            ),
        ]
        grade.close(found, whole[:, t], what, wrong, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("n", [1, 2])
def test_several_new_symbols_at_once(n):
    m, caches = model(n=n), [KeyValueCache() for _ in range(n)]
    whole = m(IDS).data
    m(IDS[:, :1], caches)
    found = m(IDS[:, 1:], caches)
    what = "the logits of the last three symbols, where the caches hold the first"
    grade.close(found, whole[:, 1:], what, rtol=1e-4, atol=1e-5)


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
    still = {((0.625, 0.375, 0, 0),) * 2: "they are sorted still: put each back into its column"}
    grade.close(probabilities(x, top_k=2), want, "top_k=2 of symbols in another order", still)


def test_every_row_has_its_own_limit():
    x = np.log(np.array([[0.5, 0.3, 0.15, 0.05], [0.8, 0.1, 0.06, 0.04], [0.4, 0.3, 0.2, 0.1]]))
    want = [[0.625, 0.375, 0, 0], [1, 0, 0, 0], [0.4 / 0.7, 0.3 / 0.7, 0, 0]]
    two = [[0.625, 0.375, 0, 0], [8 / 9, 1 / 9, 0, 0], [4 / 7, 3 / 7, 0, 0]]
    first = [(two, "every row has a limit of its own: that of the first row was used for all")]
    grade.close(probabilities(x, top_p=0.69), want, "top_p=0.69 of three rows", first)
    want = [[0.625, 0.375, 0, 0], [1, 0, 0, 0], [0.4 / 0.9, 0.3 / 0.9, 0.2 / 0.9, 0]]
    grade.close(probabilities(x, top_p=0.75), want, "top_p=0.75 of three rows")


def test_ties_do_not_make_more_than_k():
    p = probabilities(np.log(np.array([[0.3, 0.3, 0.3, 0.1]])), top_k=2)
    why = "only k symbols have a chance, even if others are as probable"
    grade.true((p > 0).sum() == 2, f"of three equal symbols top_k=2 keeps two; it gives {p}", why)


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
