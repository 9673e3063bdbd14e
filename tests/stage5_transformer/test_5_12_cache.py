"""Exercise 5.12: nothing is computed twice."""

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor, concatenate
from stage5_transformer import (
    BOS,
    PAD,
    Config,
    KeyValueCache,
    MultiHeadAttention,
    Transformer,
    padding_mask,
)

pytestmark = exercise("5.12")


def some(*shape, seed=0):
    return Tensor(np.random.default_rng(seed).standard_normal(shape))


def test_new_keys_come_last():
    cache = KeyValueCache()
    k, v = some(2, 3, 4, 5), some(2, 3, 4, 5, seed=1)
    first, _ = cache.extend(k, v)
    grade.close(
        first,
        k.data,
        "the keys after the first four symbols",
        {tuple(): "the first symbols are kept as well"},
    )
    new_k, new_v = some(2, 3, 1, 5, seed=2), some(2, 3, 1, 5, seed=3)
    all_k, all_v = cache.extend(new_k, new_v)
    wrong = [
        (k.data, "the keys of the new symbol are left out: return what is kept now"),
        (new_k.data, "the keys of before are forgotten: join old and new"),
        (np.concatenate([new_k.data, k.data], 2), "new keys come last"),
    ]
    want = np.concatenate([k.data, new_k.data], 2)
    grade.close(all_k, want, "the keys after one symbol more", wrong)
    grade.close(all_v, np.concatenate([v.data, new_v.data], 2), "the values after one symbol more")
    grade.close(
        len(cache), 5, "how many symbols were read", {1: "keep all of them", 4: "keep the new"}
    )


def test_select():
    cache = KeyValueCache()
    k = some(3, 1, 2, 4)
    cache.extend(k, k)
    cache.select(np.array([2, 2, 0]))
    got, _ = cache.extend(some(3, 1, 1, 4), some(3, 1, 1, 4))
    kept = [(k.data, "select keeps the samples that it is given, self.k[rows], and no others")]
    grade.close(got.data[:, :, :2], k.data[[2, 2, 0]], "the keys of samples 2, 2, 0", kept)


def test_select_of_an_empty_cache():
    cache = KeyValueCache()
    cache.select(np.array([0, 0]))
    grade.close(len(cache), 0, "an empty cache after select")


def test_attention_step_by_step():
    m = MultiHeadAttention(6, 2, rng=np.random.default_rng(0))
    x = Tensor(np.random.default_rng(1).standard_normal((2, 20, 6)).astype(np.float32))
    whole = m(x, mask=np.tril(np.ones((20, 20), bool))).data
    cache = KeyValueCache()
    for t in range(20):
        y = m(x[:, t : t + 1], cache=cache)
        found = len(cache)
        why = "keys_and_values of 5.5 hands new keys and values to cache.extend, which keeps all"
        grade.true(found == t + 1, f"{t + 1} symbols are in the cache; there are {found}", why)
        what = f"symbol {t} with a cache: keys_and_values of 5.5 returns all that extend returns"
        grade.close(y.data[:, 0], whole[:, t], what, rtol=1e-4, atol=1e-5)


def test_the_memory_is_projected_once():
    m = MultiHeadAttention(6, 2, rng=np.random.default_rng(0))
    x, memory = some(1, 1, 6), some(1, 3, 6, seed=1)
    cache = KeyValueCache()
    first = m(x, memory, cache=cache).data
    grade.close(m(x, memory, cache=cache), first, "cross-attention, asked twice")
    grade.close(
        len(cache),
        3,
        "the keys in the cache of a memory of 3",
        {
            6: "keys of a memory do not change: keys_and_values of 5.5 takes them from the cache "
            "the second time",
            0: "keys_and_values of 5.5 hands keys and values to cache.extend",
        },
    )


def model(**options):
    sizes = {"d_model": 16, "heads": 2, "d_ff": 32, "dropout": 0.5} | options
    return Transformer(Config(9, 11, **sizes), np.random.default_rng(0))


SOURCE = np.array([[4, 5, 6, 7], [8, 4, PAD, PAD], [5, 5, 5, PAD]])
TARGET = np.array([[BOS, 5, 6, 7, 8], [BOS, 7, 9, 4, 4], [BOS, 4, 4, 10, 5]])


def at_positions(m, place):
    """All logits, if the symbol t of the target stood at the position place(t)."""
    positions = m.decoder.positions
    add = type(positions).forward
    positions.forward = lambda x, start=0: concatenate(
        [add(positions, x[:, t : t + 1], place(t)) for t in range(x.shape[1])], axis=1
    )
    found = m(SOURCE, TARGET).data
    del positions.forward
    return found


@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
def test_step_by_step_as_all_at_once(positions):
    m = model(positions=positions)
    m.eval()
    whole = m(SOURCE, TARGET).data
    still, double = at_positions(m, lambda t: 0), at_positions(m, lambda t: 2 * t)
    state = m.start(SOURCE)
    for t in range(5):
        found = state.next(TARGET[:, t])
        kind = type(found)
        grade.true(kind is np.ndarray, f"next returns an array; it is a {kind}", "found.data")
        wrong = [
            (still[:, t], "positions go on: the new symbol stands at len(cache), not at 0"),
            (double[:, t], "the place of the new symbol was added twice"),
            (whole[:, 0], "these are the logits of the first symbol: found.data[:, -1]"),
        ]
        what = f"the logits after symbol {t}"
        grade.close(found, whole[:, t], what, wrong, rtol=1e-4, atol=1e-5)


def test_samples_can_be_selected_before_the_first_symbol():
    m = model()
    m.eval()
    rows = np.array([2, 0, 0])
    whole = m(SOURCE[rows], TARGET[rows]).data
    state = m.start(SOURCE)
    state.select(rows)
    found = state.next(TARGET[rows, 0])
    mask = padding_mask(SOURCE)
    memory = m.encoder(SOURCE, mask)
    first = TARGET[rows, :1]
    wrong = [
        (m.decoder(first, memory, mask).data[:, 0], "select picks memory and mask too"),
        (m.decoder(first, memory, mask[rows]).data[:, 0], "select picks the memory too"),
        (m.decoder(first, memory[rows], mask).data[:, 0], "select picks the mask too"),
    ]
    what = "the first logits of samples 2, 0, 0"
    grade.close(found, whole[:, 0], what, wrong, rtol=1e-4, atol=1e-5)


def test_samples_can_be_selected_on_the_way():
    m = model()
    m.eval()
    whole = m(SOURCE, TARGET).data
    state = m.start(SOURCE)
    state.next(TARGET[:, 0])
    rows = np.array([2, 0, 0])
    before = state.caches[-1][0].k.data.copy()
    state.select(rows)
    kept = state.caches[-1][0].k
    unselected = [(before, "both caches of every layer select their rows: own, and cross")]
    grade.close(kept, before[rows], "the keys that self-attention keeps of 2, 0, 0", unselected)
    found = state.next(TARGET[rows, 1])
    mask = padding_mask(SOURCE)
    unmoved = m.decoder(TARGET[rows, :2], m.encoder(SOURCE, mask), mask[rows]).data[:, 1]
    wrong = [(unmoved, "both caches of every layer select their rows too")]
    grade.close(found, whole[rows, 1], "the logits of samples 2, 0, 0", wrong, 1e-4, 1e-5)
    state.select(np.array([1]))
    found = state.next(TARGET[:1, 2])
    grade.close(found, whole[:1, 2], "the logits of the middle one alone", rtol=1e-4, atol=1e-5)


def test_two_decodings_do_not_share_a_cache():
    m = model()
    m.eval()
    first = m.start(SOURCE).next(TARGET[:, 0])
    again = m.start(SOURCE).next(TARGET[:, 0])
    grade.close(again, first, "the first logits of a second decoding")


def test_decoding_is_an_evaluation_and_the_mode_comes_back():
    m = model()
    grade.true(m.training, "the model is in training mode", "as it was made")
    state = m.start(SOURCE)
    a = state.next(TARGET[:, 0])
    b = m.start(SOURCE).next(TARGET[:, 0])
    same = np.allclose(a, b)
    why = "`with evaluating(model)` turns dropout off while decoding"
    grade.true(same, "two decodings of a model with dropout are equal: nothing is random", why)
    back = m.training and m.decoder.dropout.training
    grade.true(back, "the model is in training mode again", "use `with evaluating(model)`")


def test_a_model_in_evaluation_stays_there():
    m = model()
    m.eval()
    m.start(SOURCE).next(TARGET[:, 0])
    why = "afterwards the mode is what it was before: `with evaluating(model)`"
    grade.true(not m.training, "the model is in evaluation mode still", why)


def test_no_graph_is_made():
    m = model()
    state = m.start(SOURCE)
    state.next(TARGET[:, 0])
    kept = state.caches[0][0].k
    grade.true(
        not kept.requires_grad, "the keys in the cache need no gradient", "no graph in decoding"
    )
