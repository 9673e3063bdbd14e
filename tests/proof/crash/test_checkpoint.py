"""A checkpoint is the old one or the new one, whole, whatever happens while it is written."""

import random
import subprocess
import sys
import time

import numpy as np
import pytest

from stage3_nn import load, save

# Saves for ever, and says so once the first file is there. The numbers of a file are all equal.
SAVER = """
import sys
import numpy as np
from stage3_nn import save
state = {f"layer{i}": np.zeros((300, 300), np.float32) for i in range(6)}
for step in range(10**9):
    for array in state.values():
        array[:] = step
    save(sys.argv[1], state, {"step": str(step)})
    if step == 0:
        print("ready", flush=True)
"""

# Saves once, where no file may grow beyond 100 kB: the disk is full in the middle of writing.
FULL = """
import resource, signal, sys
import numpy as np
from stage3_nn import save
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    save(sys.argv[1], {"weight": np.ones(1_000_000)})
except OSError as error:
    print("OSError", error)
"""


def start(script, path):
    return subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True
    )


def test_kill_at_a_random_moment_leaves_a_whole_file(tmp_path):
    moments = random.Random(0)
    path = tmp_path / "model.safetensors"
    steps = set()
    for _ in range(20):
        child = start(SAVER, path)
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(moments.uniform(0, 0.1))
        child.kill()
        child.communicate()
        state, metadata = load(path)
        assert len(state) == 6
        assert {float(number) for array in state.values() for number in np.unique(array)} == {
            float(metadata["step"])
        }
        steps.add(metadata["step"])
    assert len(steps) > 3  # the kills came at different moments


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of a file")
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "model.safetensors"
    save(path, {"weight": np.zeros(3)})
    child = start(FULL, path)
    assert child.communicate()[0].startswith("OSError")
    np.testing.assert_array_equal(load(path)[0]["weight"], np.zeros(3))
    assert [p.name for p in tmp_path.iterdir()] == ["model.safetensors"]


def test_a_folder_in_the_place_of_the_file_is_not_harmed(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "mine.txt").write_text("mine")
    with pytest.raises(OSError):
        save(tmp_path / "model", {"weight": np.zeros(3)})
    assert (tmp_path / "model" / "mine.txt").read_text() == "mine"
    assert [p.name for p in tmp_path.iterdir()] == ["model"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").touch()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    save(tmp_path / "link", {"weight": np.zeros(3)})
    assert (tmp_path / "link").is_symlink()
    assert "weight" in load(tmp_path / "real")[0]


def header(text):
    return len(text).to_bytes(8, "little") + text.encode()


HOSTILE = {
    "nothing": b"",
    "a length and no more": (10**6).to_bytes(8, "little"),
    "a length beyond every memory": (2**63).to_bytes(8, "little") + b"{}",
    "no JSON": header("}{"),
    "a list": header("[]"),
    "offsets beyond the end": header('{"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}'),
    "a shape that does not fit": header('{"w":{"dtype":"F32","shape":[9],"data_offsets":[0,4]}}')
    + b"0000",
    "a negative shape": header('{"w":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}') + b"0000",
    "a shape beyond every memory": header(
        '{"w":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}}'
    )
    + b"0000",
    "an unknown dtype": header('{"w":{"dtype":"X9","shape":[1],"data_offsets":[0,4]}}') + b"0000",
    "a pickle": b"\x80\x04cposix\nsystem\n(Vtouch harmed\ntR.",
    "a zip, as PyTorch writes it": b"PK\x03\x04" + bytes(100),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_words(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bad.safetensors"
    path.write_bytes(HOSTILE[name])
    with pytest.raises(ValueError, match="load: expected a safetensors file, got") as info:
        load(path)
    assert str(path) in str(info.value)
    assert path.read_bytes() == HOSTILE[name]
    assert not (tmp_path / "harmed").exists()


def test_a_dtype_that_numpy_does_not_have_is_refused_in_words(tmp_path):
    path = tmp_path / "bfloat.safetensors"
    path.write_bytes(header('{"w":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}') + b"0000")
    with pytest.raises(ValueError, match="load: expected dtypes that NumPy has, got bfloat16 in"):
        load(path)
