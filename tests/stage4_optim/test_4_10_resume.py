"""Exercise 4.10: a run that was stopped goes on as if it had not been."""

import json

import numpy as np
import pytest

from course import grade
from course.grade import exercise
from stage2_tensor import Tensor
from stage3_nn import (
    ArrayDataset,
    DataLoader,
    Dropout,
    Linear,
    Parameter,
    Sequential,
    cross_entropy,
)
from stage4_optim import SGD, Adam, Trainer
from stage4_optim.snapshot import capture, find_generators, restore

pytestmark = exercise("4.10")


def gradients(steps, seed=0):
    return np.random.default_rng(seed).standard_normal((steps, 2, 3))


def two(start=1.0):
    return [Parameter(np.full(3, start)), Parameter(np.full(3, -start))]


def walk(optimizer, parameters, gs):
    for pair in gs:
        for p, g in zip(parameters, pair):
            p.grad = g.copy()
        optimizer.step()


MAKERS = {
    "SGD with momentum": lambda params: SGD(params, lr=0.1, momentum=0.9),
    "Adam": lambda params: Adam(params, lr=0.1),
    "Adam in two groups": lambda params: Adam(
        [{"params": params[:1]}, {"params": params[1:], "lr": 0.5}], lr=0.1
    ),
}
makers = pytest.mark.parametrize("name", MAKERS)


@makers
def test_an_optimizer_goes_on_where_it_stood(name):
    gs = gradients(5)
    whole = two()
    walk(MAKERS[name](whole), whole, gs)
    first = two()
    a = MAKERS[name](first)
    walk(a, first, gs[:2])
    second = [Parameter(p.data) for p in first]
    b = MAKERS[name](second)
    b.load_state_dict(a.state_dict())
    walk(b, second, gs[2:])
    why = "what is missing from state_dict: the moments, or the number of steps?"
    for p, q in zip(whole, second):
        grade.true(
            np.array_equal(p.data, q.data),
            f"{name}: weights after 2 + 3 steps equal those after 5, bit for bit",
            why,
        )


@makers
def test_the_state_is_a_copy(name):
    gs = gradients(3)
    parameters = two()
    a = MAKERS[name](parameters)
    walk(a, parameters, gs[:1])
    saved = a.state_dict()
    before = json.dumps(saved, default=np.ndarray.tolist)
    walk(a, parameters, gs[1:])
    after = json.dumps(saved, default=np.ndarray.tolist)
    why = "state_dict holds the optimizer's own arrays: copy them"
    grade.true(before == after, f"{name}: what was saved does not change with later steps", why)


@makers
def test_what_was_loaded_is_a_copy(name):
    gs = gradients(3)
    parameters, others = two(), two()
    a, b = MAKERS[name](parameters), MAKERS[name](others)
    walk(a, parameters, gs[:1])
    saved = a.state_dict()
    before = json.dumps(saved, default=np.ndarray.tolist)
    b.load_state_dict(saved)
    walk(b, others, gs[1:])
    after = json.dumps(saved, default=np.ndarray.tolist)
    why = "the optimizer works on the arrays that it was given: copy them on the way in"
    grade.true(before == after, f"{name}: what was loaded does not change with later steps", why)


def test_learning_rates_are_part_of_the_state():
    parameters = two()
    a = SGD([{"params": parameters[:1]}, {"params": parameters[1:], "lr": 0.5}], lr=0.1)
    a.param_groups[0]["lr"] = 0.025
    others = two()
    b = SGD([{"params": others[:1]}, {"params": others[1:]}], lr=9.0)
    b.load_state_dict(a.state_dict())
    found = [group["lr"] for group in b.param_groups]
    grade.close(
        found,
        [0.025, 0.5],
        "the learning rates after loading",
        {(9.0, 9.0): "the options of the groups belong to the state"},
    )
    for group, mine in zip(b.param_groups, others):
        own = len(group["params"]) == 1 and group["params"][0] is mine
        grade.true(own, "each group keeps its own parameters", "load the options, keep the params")
    numbers = [group["params"] for group in a.state_dict()["param_groups"]]
    first = {((0,), (0,)): "these are the numbers of the first group's parameters"}
    grade.close(numbers, [[0], [1]], "the numbers of the parameters of each group", first)


def test_what_does_not_fit_is_refused():
    a = Adam(two())
    walk(a, a.parameters(), gradients(1))
    saved = a.state_dict()
    why = "compare the groups, their sizes and the shapes before anything is loaded"
    one = Adam([Parameter(np.ones(3))])
    grade.raises(lambda: one.load_state_dict(saved), "a state of two parameters for one", why)
    saved["param_groups"][0]["lr"] = 9.0
    few = one.state_dict()
    grade.raises(lambda: Adam(two()).load_state_dict(few), "a state of one parameter for two", why)
    other = Adam([Parameter(np.ones(4)), Parameter(np.ones(3))])
    grade.raises(lambda: other.load_state_dict(saved), "moments of another shape", why)
    grade.close(
        [one.lr, other.lr], [1e-3, 1e-3], "the learning rates after the errors: nothing is loaded",
        {(1e-3, 9.0): why},
    )  # fmt: skip


def test_what_is_not_in_the_state_is_forgotten():
    parameters = two()
    a = SGD(parameters, lr=0.1, momentum=0.9)
    fresh = a.state_dict()
    walk(a, parameters, gradients(1))
    a.load_state_dict(fresh)
    start = parameters[0].data.copy()
    walk(a, parameters, np.ones((1, 2, 3)))
    kept = "the velocity of before is still there: a loaded state takes the place of the old one"
    moved = parameters[0].data - start
    grade.true(
        np.allclose(moved, -0.1),
        "after loading the state of a fresh SGD, the first step has no momentum",
        kept,
    )


def model_and_data(seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((40, 4)).astype(np.float32)
    y = (x[:, 0] > 0).astype(int)
    model = Sequential(Linear(4, 8, rng=rng), Dropout(0.5, rng=rng), Linear(8, 2, rng=rng))
    data = DataLoader(ArrayDataset(x, y), batch_size=8, shuffle=True, rng=rng)
    return model, data


def loss(model, batch):
    return cross_entropy(model(Tensor(batch[0])), batch[1])


def test_capture_and_restore():
    model, data = model_and_data()
    optimizer = Adam(model.parameters())
    generators = find_generators(model, data=data)
    loss(model, next(iter(data))).backward()
    optimizer.step()
    arrays, rest = capture(model, optimizer, generators)
    text = json.dumps(rest, default=np.ndarray.tolist)
    drawn = [rng.random() for rng in generators.values()]

    other, other_data = model_and_data(seed=1)
    other_optimizer = Adam(other.parameters())
    others = find_generators(other, data=other_data)
    restore(arrays, json.loads(text), other, other_optimizer, others)
    for name, array in model.state_dict().items():
        grade.close(other.state_dict()[name], array, f"{name} after restore")
    again = [rng.random() for rng in others.values()]
    grade.close(again, drawn, "numbers drawn after restore: the generators are part of the state")
    same = json.dumps(optimizer.state_dict(), default=np.ndarray.tolist) == json.dumps(
        other_optimizer.state_dict(), default=np.ndarray.tolist
    )
    grade.true(same, "the optimizer's state is the same after restore", "moments and steps")


def test_captured_arrays_do_not_move():
    model, data = model_and_data()
    optimizer = Adam(model.parameters(), lr=1.0)
    loss(model, next(iter(data))).backward()
    optimizer.step()
    arrays, _ = capture(model, optimizer, {})
    before = {name: array.copy() for name, array in arrays.items()}
    optimizer.step()
    same = all(np.array_equal(before[name], arrays[name]) for name in before)
    grade.true(same, "what was captured does not change with a later step", "copy the arrays")


def epoch(loop, batches, n):
    return [next(batches)[1].tolist() for _ in range(n)]


def test_batches_count_where_they_are():
    model, data = model_and_data()
    t = Trainer(model, SGD(model.parameters(), lr=0.1), loss, data, show=False)
    batches = t.batches()
    found = []
    for _ in range(6):
        next(batches)
        found.append((t.at.epoch, t.at.batch))
    want = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 0), (1, 1)]
    stuck = {(*want[:4], (0, 0), (0, 1)): "an epoch ends with the data: add 1 to self.at.epoch"}
    grade.close(found, want, "epoch and batch after each of six batches, five to an epoch", stuck)


def test_every_epoch_brings_every_example():
    model, data = model_and_data()
    t = Trainer(model, SGD(model.parameters(), lr=0.1), loss, data, show=False)
    batches = t.batches()
    for _ in range(2):
        rows = np.concatenate([next(batches)[0] for _ in range(5)])
        count = len(np.unique(rows, axis=0))
        grade.close(count, 40, "different examples in the five batches of an epoch")


def run(folder, stops):
    """The losses of a run that is stopped after these steps, each time with new objects."""
    for stop in stops:
        model, data = model_and_data()
        optimizer = Adam(model.parameters(), lr=0.05)
        t = Trainer(
            model,
            optimizer,
            loss,
            data,
            schedule=lambda step: 0.05 / (1 + step),
            max_norm=1.0,
            folder=folder,
            save_every=3,
            show=False,
        )
        t.fit(steps=stop, resume=True)
    rows = (folder / "log.csv").read_text().split()[1:]
    return [row.split(",")[1] for row in rows]


@pytest.mark.parametrize("stops", [[5, 12], [1, 2, 3, 12], [7, 12]], ids=str)
def test_a_resumed_run_has_the_same_losses(tmp_path, stops):
    whole, parts = run(tmp_path / "whole", [12]), run(tmp_path / "parts", stops)
    first = next((i for i, (a, b) in enumerate(zip(whole, parts)) if a != b), None)
    where = "everywhere" if first is None else f"up to step {first}"
    grade.true(
        whole == parts,
        f"the losses of a run stopped after {stops[:-1]} are those of an unbroken one; "
        f"they are so {where}",
        "an epoch must go on in the middle, with the order and the generators of its beginning",
    )
