"""A training that is killed at a random moment goes on to the same numbers."""

import csv
import os
import random
import signal
import subprocess
import sys
import time

import pytest

STEPS = 60
RUN = """
import sys, time
import numpy as np
from stage2_tensor import Tensor
import stage3_nn as nn
import stage4_optim as opt

rng = np.random.default_rng(0)
x = rng.standard_normal((96, 6)).astype(np.float32)
y = (x[:, 0] > 0).astype(int) + (x[:, 1] > 0)
model = nn.Sequential(
    nn.Linear(6, 16, rng=rng), nn.ReLU(), nn.Dropout(0.3, rng=rng), nn.Linear(16, 3, rng=rng)
)
data = nn.DataLoader(nn.ArrayDataset(x, y), 8, shuffle=True, rng=rng)


def loss(model, batch):
    time.sleep(float(sys.argv[3]))
    return nn.cross_entropy(model(Tensor(batch[0])), batch[1]), len(batch[1])


trainer = opt.Trainer(
    model,
    opt.AdamW(opt.decay_groups(model, 0.1), lr=0.02),
    loss,
    data,
    schedule=opt.schedules.in_turn((10, opt.schedules.linear_warmup(0.02, 10)),
                                   then=opt.schedules.cosine(0.02, 50)),
    max_norm=1.0,
    accumulate=2,
    evaluate=lambda m: {"loss": nn.cross_entropy(m(Tensor(x)), y).item()},
    evaluate_every=7,
    average=opt.ExponentialMovingAverage(model, 0.9),
    folder=sys.argv[1],
    save_every=5,
)
print("ready", flush=True)
print(trainer.fit(steps=int(sys.argv[2]), resume=True), flush=True)
"""


def start(folder, pause=0.0, steps=STEPS):
    command = [sys.executable, "-c", RUN, str(folder), str(steps), str(pause)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
    )


def finish(folder):
    out, _ = start(folder).communicate()
    assert out.split()[-1] == "steps", out


def numbers(folder):
    """Everything that must be equal: losses, learning rates, norms, evaluations."""
    found = []
    for name in ("log", "evaluations"):
        with (folder / f"{name}.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        found += [{key: row[key] for key in row if key != "seconds"} for row in rows]
    return found


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unbroken")
    finish(folder)
    return numbers(folder)


def test_twenty_kills_and_the_same_losses(tmp_path, unbroken):
    moments = random.Random(0)
    at_work = 0
    for i in range(5):
        folder = tmp_path / f"run{i}"
        for _ in range(4):
            child = start(folder, pause=0.003)
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            time.sleep(moments.uniform(0, 0.25))
            at_work += child.poll() is None
            child.kill()
            child.communicate()
        finish(folder)
        assert numbers(folder) == unbroken
    assert at_work > 10


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path, unbroken):
    folder = tmp_path / "run"
    child = start(folder, pause=0.02)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    while not (folder / "log.csv").exists():
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate()
    assert child.returncode == 0, out
    assert "resume the run to go on from here" in out
    assert out.split()[-1] == "Ctrl-C"
    assert len((folder / "log.csv").read_text().splitlines()) > 1
    finish(folder)
    assert numbers(folder) == unbroken


def test_a_second_process_is_refused(tmp_path, unbroken):
    folder = tmp_path / "run"
    first = start(folder, pause=0.02)
    assert first.stdout is not None
    assert first.stdout.readline() == "ready\n"
    while not (folder / "log.csv").exists():
        time.sleep(0.01)
    second, _ = start(folder).communicate()
    assert "RuntimeError: Trainer: expected a run folder of its own" in second
    first.kill()
    first.communicate()
    finish(folder)  # the lock went with its process
    assert numbers(folder) == unbroken


@pytest.mark.skipif(os.name == "nt", reason="kill needs POSIX signals")
def test_a_cut_off_log_is_mended(tmp_path, unbroken):
    folder = tmp_path / "run"
    start(folder, steps=12).communicate()
    with (folder / "log.csv").open("a") as file:
        file.write("13,0.5")  # the process died in the middle of a line
    finish(folder)
    assert numbers(folder) == unbroken


def test_a_damaged_checkpoint_is_refused_in_words(tmp_path):
    folder = tmp_path / "run"
    start(folder, steps=5).communicate()
    checkpoint = folder / "checkpoint.safetensors"
    whole = checkpoint.read_bytes()
    checkpoint.write_bytes(whole[:100])
    out, _ = start(folder).communicate()
    assert "ValueError: load: expected a safetensors file" in out
    assert checkpoint.read_bytes() == whole[:100]
