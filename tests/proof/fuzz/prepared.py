"""Calls whose arguments have to fit: functions, models, data, and states of decoding.

Each draws a call that is right, as a function and its arguments; the fuzz spoils one of these, or
none, and then nothing may be raised.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import stage1_autodiff as s1
import stage2_tensor as s2
import stage3_nn as s3
import stage4_optim as s4
import stage5_transformer as s5
from stage1_autodiff import Value
from stage2_tensor import Tensor
from stage3_nn import DataLoader


class Scripted:
    """A state that prefers each symbol once in turn, for as many samples as there are rows."""

    def next(self, ids):
        return np.eye(5)[(np.asarray(ids) + 1) % 5]

    def select(self, rows):
        pass


def leaf(rng, *shape):
    return Tensor(rng.standard_normal(shape), requires_grad=True)


def model(rng):
    return s3.Sequential(s3.Linear(2, 3, rng=rng), s3.Tanh(), s3.Linear(3, 1, rng=rng))


def batches(rng):
    rows = [(rng.standard_normal(2), rng.standard_normal(1)) for _ in range(4)]
    return DataLoader(rows, batch_size=2, rng=rng)


def loss(model, batch):
    if not isinstance(batch, tuple):
        raise TypeError(f"loss: expected a pair, got {batch!r}")  # it is the caller's to say so
    x, y = batch
    return s3.mse_loss(model(Tensor(x)), y)


def optimizer(rng, parameters):
    return [s4.SGD, s4.Adam, s4.Adagrad][rng.integers(3)](parameters, lr=0.01)


def entered(context):
    with context as inside:
        return inside


def moons(rng):
    return s1.Neuron(2, rng=rng), [(0.5, -1.0), (1.0, 2.0)], [1, -1]


def train_moons(rng):
    model, points, labels = moons(rng)
    return s1.train, [model, lambda: s1.hinge_loss(model, points, labels), 2, 0.1]


def graph(rng):
    a, b = Value(float(rng.uniform(0.5, 2))), Value(2.0)
    return (a * b + a).tanh()


def find_lr(rng):
    m = model(rng)
    return s4.find_lr, [
        optimizer(rng, m.parameters()), lambda batch: loss(m, batch), batches(rng), 1e-4, 1e-1, 3
    ]  # fmt: skip


def fit(rng):
    m = model(rng)

    def run(model, optimizer, loss, data, schedule, max_norm, accumulate, steps):
        options = {"schedule": schedule, "max_norm": max_norm, "accumulate": accumulate}
        return s4.Trainer(model, optimizer, loss, data, show=False, **options).fit(steps=steps)

    schedule = s4.schedules.constant(0.01)
    return run, [m, optimizer(rng, m.parameters()), loss, batches(rng), schedule, 1.0, 1, 2]


def stepped(rng):
    """An optimizer that has made a step."""
    parameter = s3.Parameter(rng.standard_normal((2, 2)))
    made = s4.SGD([parameter], momentum=0.9)
    parameter.grad = np.ones((2, 2))
    made.step()
    return made


def average(rng, decay):
    found = s4.ExponentialMovingAverage(model(rng), decay)
    found.update()
    return entered(found.applied())


def written(write, *given):
    """The call of a function that writes, in a folder that is gone afterwards."""

    def call(name, *given):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name if isinstance(name, str) and name.isalnum() else name
            return write(path, *given)

    return call, ["file", *given]


def state(rng):
    return {"a": rng.standard_normal(2), "b": np.arange(3)}, {"word": "text"}


def decoded(decode, *options):
    """A case of a way to decode: the state, B, at most 3 symbols, and options."""
    return lambda rng: (decode, [Scripted(), int(rng.integers(3)), 3, *options])


def vocabulary():
    return s5.Vocabulary("abc")


def cached(k, v, rows):
    cache = s5.KeyValueCache()
    cache.extend(k, v)
    cache.extend(k, v)
    return cache.select(rows)


def configured(positions, ids):
    config = s5.Config(0, 6, 4, 2, 4, 1, 1, positions=positions)
    return s5.GPT(config)(ids)


# Exercises of one line whose docstrings promise no refusal: only right calls are judged.
UNSPOILT = {"stage1_autodiff.central_difference"}

CALLS = {
    "stage1_autodiff.gradcheck": lambda rng: (s1.gradcheck, [lambda x, y: x * y, 1.5, 2]),
    "stage1_autodiff.central_difference": lambda rng: (
        s1.central_difference, [lambda x: x * x, 1.5, 1e-4]
    ),
    "stage1_autodiff.derivative": lambda rng: (s1.derivative, [lambda x: x * x, 1.5]),
    "stage1_autodiff.second_derivative": lambda rng: (
        s1.second_derivative, [lambda x: x * x * x, 1.5]
    ),
    "stage1_autodiff.hinge_loss": lambda rng: (s1.hinge_loss, [*moons(rng), 1e-4]),
    "stage1_autodiff.accuracy": lambda rng: (s1.accuracy, [*moons(rng)]),
    "stage1_autodiff.train": train_moons,
    "stage1_autodiff.find_break": lambda rng: (s1.find_break, [graph(rng)]),
    "stage1_autodiff.film": lambda rng: (s1.film, [graph(rng)]),
    "stage2_tensor.gradcheck": lambda rng: (
        s2.gradcheck, [lambda x, y: x * y.exp(), leaf(rng, 2, 3), leaf(rng, 3)]
    ),
    "stage2_tensor.read_mask": lambda rng: (s2.read_mask, ["test", rng.random(3) < 0.5]),
    "stage2_tensor.trace": lambda rng: (lambda: entered(s2.trace()), []),
    "stage2_tensor.no_grad": lambda rng: (lambda: entered(s2.no_grad()), []),
    "stage3_nn.summary": lambda rng: (s3.summary, [model(rng), leaf(rng, 1, 2)]),
    "stage3_nn.evaluating": lambda rng: (lambda m: entered(s3.evaluating(m)), [model(rng)]),
    "stage3_nn.observing": lambda rng: (lambda f: entered(s3.observing(f)), [lambda *given: None]),
    "stage3_nn.save": lambda rng: written(s3.save, *state(rng)),
    "stage3_nn.save_checked": lambda rng: written(s3.save_checked, *state(rng)),
    "stage3_nn.write_atomically": lambda rng: written(s3.write_atomically, b"content"),
    "stage3_nn.load_state_dict": lambda rng: (
        model(rng).load_state_dict, [model(rng).state_dict()]
    ),
    "stage4_optim.find_lr": find_lr,
    "stage4_optim.Trainer": fit,
    "stage4_optim.load_state_dict": lambda rng: (
        lambda saved: stepped(rng).load_state_dict(saved), [s4.SGD(
            [s3.Parameter(np.ones((2, 2)))]).state_dict()]
    ),
    "stage4_optim.lr": lambda rng: (lambda lr: setattr(stepped(rng), "lr", lr), [0.1]),
    "stage4_optim.ExponentialMovingAverage": lambda rng: (
        lambda decay: average(rng, decay), [0.9]
    ),
    "stage5_transformer.greedy": decoded(s5.greedy),
    "stage5_transformer.sample": decoded(s5.sample, 0.7, 2, 0.9),
    "stage5_transformer.beam_search": decoded(s5.beam_search, 2, 0.6),
    "stage5_transformer.Vocabulary.of": lambda rng: (s5.Vocabulary.of, [["ab", "bc"]]),
    "stage5_transformer.Vocabulary.encode": lambda rng: (vocabulary().encode, ["abx"]),
    "stage5_transformer.Vocabulary.decode": lambda rng: (vocabulary().decode, [[4, 5, 2]]),
    "stage5_transformer.Vocabulary.save": lambda rng: written(vocabulary().save),
    "stage5_transformer.Vocabulary.from_json": lambda rng: (
        s5.Vocabulary.from_json, [vocabulary().to_json()]
    ),
    "stage5_transformer.KeyValueCache": lambda rng: (
        cached, [leaf(rng, 2, 2, 3, 4), leaf(rng, 2, 2, 3, 4), np.array([1, 0])]
    ),
    "stage5_transformer.GPT": lambda rng: (
        configured, ["rotary", rng.integers(0, 6, (2, 3))]
    ),
}  # fmt: skip
