"""A damaged file is refused in one sentence, or it is the same model: never other weights.

A thousand mutated copies of a model and of a checkpoint, by a seed; `make proof` takes a sample.
"""

import json
import random
import time
import tracemalloc

import numpy as np
import pytest

import stage3_nn as nn
import stage4_optim as optim
from stage2_tensor import Tensor
from stage5_transformer import Config, Transformer, Vocabulary
from stage5_transformer.translator import Translator

LIMIT_SECONDS, LIMIT_BYTES = 2, 200_000_000


@pytest.fixture(scope="module")
def model_file(tmp_path_factory):
    source, target = Vocabulary.of(["abcd"]), Vocabulary.of(["abcde"])
    sizes = {"d_model": 8, "heads": 2, "d_ff": 16, "encoder_layers": 1, "decoder_layers": 2}
    config = Config(len(source), len(target), positions="learned", max_positions=9, **sizes)
    path = tmp_path_factory.mktemp("model") / "model.safetensors"
    Translator(Transformer(config, np.random.default_rng(0)), source, target, 6, "x").save(path)
    return path


# Every mutation takes the bytes of a file and a random generator, and gives other bytes, or edits
# the words and arrays of which a file with a true checksum is then made.


def flip_a_bit(content, rng):
    i = rng.randrange(len(content))
    return content[:i] + bytes([content[i] ^ 1 << rng.randrange(8)]) + content[i + 1 :]


def cut(content, rng):
    return content[: rng.randrange(len(content))]


def add_bytes(content, rng):
    return content + rng.randbytes(rng.randrange(1, 100))


def exchange_two_blocks(content, rng):
    n = rng.choice([4, 16, 64])
    i, j = sorted(rng.sample(range(0, len(content) - n, n), 2))
    return (
        content[:i]
        + content[j : j + n]
        + content[i + n : j]
        + content[i : i + n]
        + content[j + n :]
    )


def edit_the_header(content, rng):
    end = 8 + int.from_bytes(content[:8], "little")
    text = content[8:end].decode()
    old, new = rng.choice([("F16", "F32"), ("F16", "BF16"), ("F16", "I16"), ("[8,8]", "[4,16]"),
                           ("data_offsets", "offsets"), ("weight", "height")])  # fmt: skip
    text = text.replace(old, new, rng.randrange(1, 4)).encode()
    return len(text).to_bytes(8, "little") + text + content[end:]


BYTES = [flip_a_bit, cut, add_bytes, exchange_two_blocks, edit_the_header]


def a_size(state, words, rng):
    config = json.loads(words["config"])
    name = rng.choice([name for name, x in config.items() if type(x) is int])
    config[name] = rng.choice([-1, 0, 1, 3, 10**6, 10**7, 10**12, 1.5, "8", None])
    words["config"] = json.dumps(config)


def an_option(state, words, rng):
    config = json.loads(words["config"])
    name = rng.choice(["dropout", "activation", "positions", "tied", "unknown"])
    config[name] = rng.choice([2, -1.0, "tanh", "rotary", None, [], float("nan")])
    words["config"] = json.dumps(config)


def a_vocabulary(state, words, rng):
    symbols = json.loads(words["target"])
    twice, longer = [*symbols[:-1], symbols[0]], [*symbols, "z"]
    lists = [json.dumps(one) for one in (symbols[:-1], longer, twice, [1, 2], {})]
    words["target"] = rng.choice(lists)


def deep_json(state, words, rng):
    words[rng.choice(["config", "source", "target"])] = "[" * 100_000


def a_length(state, words, rng):
    words["max_len"] = rng.choice(["-1", "0", "1e3", "10000000000", "", "nan"])


def numbers(state, words, rng):
    name = rng.choice(sorted(state))
    state[name] = rng.choice([
        np.full_like(state[name], np.nan), np.full_like(state[name], np.inf),
        state[name].astype(np.int64), state[name][None], state[name][:1], state[name].astype(bool),
    ])  # fmt: skip


def a_missing_array(state, words, rng):
    state.pop(rng.choice(sorted(state)))


EDITS = [a_size, an_option, a_vocabulary, deep_json, a_length, numbers, a_missing_array]


def mutated(path, number):
    """Damage a copy of a model; the mutation that did it."""
    rng = random.Random(number)
    change = rng.choice(BYTES + EDITS)
    if change in BYTES:
        path.write_bytes(change(path.read_bytes(), rng))
    else:
        state, words = nn.load_checked(path)
        change(state, words, rng)
        nn.save_checked(path, state, words)
    return change


def measured(call):
    """What a call gives or the error that it raises; it ends soon and takes little memory."""
    tracemalloc.start()
    began = time.perf_counter()
    try:
        found = call()
    except (ValueError, TypeError) as error:
        found = error
    seconds, (_, peak) = time.perf_counter() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seconds < LIMIT_SECONDS
    assert peak < LIMIT_BYTES
    return found


def is_one_sentence(error, path):
    text = str(error)
    return (
        text.startswith("load: expected ")
        and " got " in text
        and path.name in text
        and "\n" not in text
    )


@pytest.mark.sampled(120)
@pytest.mark.parametrize("number", range(600))
def test_a_model(model_file, tmp_path, number):
    path = tmp_path / "copy.safetensors"
    path.write_bytes(model_file.read_bytes())
    change = mutated(path, number)
    found = measured(lambda: Translator.load(path))
    if isinstance(found, Exception):
        assert is_one_sentence(found, path), f"{change.__name__}: {type(found).__name__}: {found}"
    elif change in BYTES:
        same(found.model.state_dict(), Translator.load(model_file).model.state_dict())
    else:
        found.answer([("a", "b")])  # what was signed may be another model, and works


def same(found, wanted):
    assert found.keys() == wanted.keys()
    for name, array in wanted.items():
        np.testing.assert_array_equal(found[name], array)


# Checkpoints of runs.


def trainer(folder):
    model = nn.Sequential(
        nn.Linear(2, 3, rng=np.random.default_rng(0)), nn.Dropout(0.1, np.random.default_rng(1))
    )
    data = nn.DataLoader(nn.ArrayDataset(np.ones((8, 2), np.float32)), 4, shuffle=True,
                         rng=np.random.default_rng(2))  # fmt: skip

    def loss(model, batch):
        return model(Tensor(batch[0])).mean()

    return optim.Trainer(
        model, optim.Adam(model.parameters()), loss, data, folder=folder, show=False
    )


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    trainer(folder).fit(steps=3)
    return folder


def a_part_of_the_run(state, words, rng):
    run = json.loads(words["run"])
    part = rng.choice([*run, "position.step", "optimizer.0"])
    owner, _, key = part.partition(".")
    if key:
        run[owner].pop(key)
    else:
        run[owner] = rng.choice([None, {}, [], 3, "x"])
    words["run"] = json.dumps(run)


@pytest.mark.sampled(80)
@pytest.mark.parametrize("number", range(400))
def test_a_checkpoint(run_folder, tmp_path, number):
    rng = random.Random(number)
    folder = tmp_path / "run"
    folder.mkdir()
    for name in ("checkpoint.safetensors", "log.csv"):
        (folder / name).write_bytes((run_folder / name).read_bytes())
    path = folder / "checkpoint.safetensors"
    change = rng.choice([*BYTES, a_part_of_the_run, deep_run, numbers, a_missing_array])
    if change in BYTES:
        path.write_bytes(change(path.read_bytes(), rng))
    else:
        state, words = nn.load_checked(path)
        change(state, words, rng)
        nn.save_checked(path, state, words)
    resumed = trainer(folder)
    before = {name: array.copy() for name, array in resumed.model.state_dict().items()}
    found = measured(lambda: resumed.fit(steps=3, resume=True))
    if isinstance(found, Exception):
        text = str(found)
        assert text.startswith(("load: expected ", "resume: expected ")), (
            f"{change.__name__}: {found!r}"
        )
        assert path.name in text and "\n" not in text
        same(resumed.model.state_dict(), before)
    elif change in BYTES:
        original = trainer(run_folder)
        original.fit(steps=3, resume=True)
        same(resumed.model.state_dict(), original.model.state_dict())


def deep_run(state, words, rng):
    words["run"] = "[" * 100_000
