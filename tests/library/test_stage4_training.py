"""What stage 4 promises beside its exercises: no allocations, limits that hold, clear errors."""

import gc
import json
import math
import re
import signal
import tracemalloc

import matplotlib.pyplot as plt
import numpy as np
import pytest

import stage3_nn as nn
import stage4_optim as opt
from stage2_tensor import Tensor
from stage4_optim import more, schedules
from stage4_optim.progress import Display
from stage4_optim.run_folder import read_rows
from tests.library.samples import rng


def parameter(*shape):
    return nn.Parameter(rng().standard_normal(shape).astype(np.float32))


OPTIMIZERS = {
    "SGD": lambda p: opt.SGD(p, lr=0.1),
    "SGD, all options": lambda p: opt.SGD(p, 0.1, momentum=0.9, weight_decay=0.1, nesterov=True),
    "Adagrad": lambda p: opt.Adagrad(p, weight_decay=0.1),
    "RMSprop": lambda p: opt.RMSprop(p, weight_decay=0.1, momentum=0.9, centered=True),
    "Adam": lambda p: opt.Adam(p, weight_decay=0.1),
    "AdamW": lambda p: opt.AdamW(p),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_nothing_is_allocated_after_the_first_step(name):
    parameters = [parameter(200, 100), parameter(300)]
    for p in parameters:
        p.grad = np.ones_like(p.data)
    optimizer = OPTIMIZERS[name](parameters)
    optimizer.step()
    arrays = [p.data for p in parameters]
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        optimizer.step()
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert peak < 4000  # one temporary of the large parameter would be 80,000 bytes
    assert all(p.data is array for p, array in zip(parameters, arrays))


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_it_goes_downhill_on_rosenbrock(name):
    xy = nn.Parameter(np.array([-0.5, 0.5]))
    optimizer = OPTIMIZERS[name]([xy])
    optimizer.lr = {"S": 1e-3, "A": 0.1, "R": 1e-3}[name[0]]
    for group in optimizer.param_groups:
        group["weight_decay"] = 0.0

    def valley():
        x, y = xy[0], xy[1]
        return (1 - x) ** 2 + 20 * (y - x * x) ** 2

    start = valley().item()
    for _ in range(1500):
        optimizer.zero_grad()
        valley().backward()
        optimizer.step()
    assert valley().item() < start / 10


def model():
    r = rng()
    return nn.Sequential(nn.Linear(4, 8, rng=r), nn.ReLU(), nn.Linear(8, 2, rng=r))


def data(n=40, size=8):
    r = rng()
    x = r.standard_normal((n, 4)).astype(np.float32)
    dataset = nn.ArrayDataset(x, (x[:, 0] > 0).astype(int))
    return nn.DataLoader(dataset, size, shuffle=True, rng=r)


def loss(model, batch):
    return nn.cross_entropy(model(Tensor(batch[0])), batch[1])


def trainer(**options):
    m = model()
    options = {"show": False, "data": data()} | options
    return opt.Trainer(m, opt.Adam(m.parameters(), lr=0.05), loss, options.pop("data"), **options)


def test_limits():
    assert trainer().fit(steps=3) == "steps"
    t = trainer()
    assert t.fit(epochs=2) == "epochs"
    assert (t.at.step, t.at.epoch) == (10, 2)
    t = trainer()
    assert t.fit(minutes=0.002) == "minutes"
    assert t.at.step > 0
    assert len(t.history) == t.at.step


def test_a_trainer_goes_on_when_fit_is_called_again():
    t = trainer()
    t.fit(steps=3)
    t.fit(steps=7)
    assert [row["step"] for row in t.history] == [1, 2, 3, 4, 5, 6, 7]


def test_patience_stops_where_nothing_gets_better():
    figures = iter([3.0, 2.0, 2.5, 2.4, 1.0])
    t = trainer(evaluate=lambda model: {"error": next(figures)}, patience=2)
    assert t.fit(epochs=100) == "patience"
    assert t.at.epoch == 4
    assert t.at.best == 2.0


def test_an_evaluation_after_every_epoch_even_across_steps():
    seen = []
    t = trainer(evaluate=lambda m: {"x": seen.append(t.at.epoch) or 0.0}, accumulate=2)
    t.fit(epochs=3)
    assert seen == [1, 2, 3]


def test_the_model_is_evaluated_in_evaluation_mode_and_trained_in_training_mode():
    modes = []

    def watched(model, batch):
        modes.append(model.training)
        return loss(model, batch)

    m = model().eval()
    t = opt.Trainer(m, opt.SGD(m.parameters(), 0.1), watched, data(), show=False,
                    evaluate=lambda m: {"x": float(modes.append(m.training) or 0)})  # fmt: skip
    t.fit(epochs=1)
    assert modes == [True] * 5 + [False]


def test_the_best_model_is_kept(tmp_path):
    figures = iter([1.0, 5.0])
    t = trainer(folder=tmp_path / "run", evaluate=lambda m: {"error": next(figures)})
    t.fit(epochs=1)
    best = t.model.state_dict()
    t2 = trainer(folder=tmp_path / "run", evaluate=lambda m: {"error": next(figures)})
    t2.fit(epochs=2, resume=True)
    state, words = nn.load_checked(tmp_path / "run" / "best.safetensors")
    assert words == {"step": "5"}
    np.testing.assert_array_equal(state["0.weight"], best["0.weight"])


def test_of_equally_good_models_the_last_is_kept(tmp_path):
    t = trainer(folder=tmp_path / "run", evaluate=lambda m: {"error": 0.0})
    t.fit(epochs=2)
    assert nn.load_checked(tmp_path / "run" / "best.safetensors")[1] == {"step": "10"}
    assert t.at.worse == 1  # for patience, equal is not better
    assert [row["step"] for row in t.history if "error" in row] == [5, 10]


def test_what_a_killed_run_had_half_written_is_removed(tmp_path):
    folder = tmp_path / "run"
    trainer(folder=folder).fit(steps=1)
    for name in (".checkpoint.safetensors.123", ".log.csv.45", ".checkpoint.safetensors.mine"):
        (folder / name).write_text("half")
    trainer(folder=folder).fit(steps=2, resume=True)
    assert [path.name for path in folder.glob(".*")] == [".checkpoint.safetensors.mine"]


def test_one_graph_at_a_time():
    alive = []

    def counted(model, batch):
        nodes = (o for o in gc.get_objects() if isinstance(o, Tensor) and o.parents)
        alive.append(sum(1 for _ in nodes))
        return loss(model, batch)

    t = trainer(accumulate=2)
    t.loss = counted
    t.fit(steps=2)
    assert len(alive) == 4
    assert len(set(alive)) == 1  # those of other tests, if any


def counted_loss(model, batch):
    mean, n = loss(model, batch), len(batch[0])
    return mean, n


@pytest.mark.parametrize("parts", [2, 3, 20])
def test_a_batch_in_parts_has_the_same_gradient(parts):
    whole, cut = trainer(), trainer(parts=parts)
    whole.loss = cut.loss = counted_loss
    whole.fit(epochs=2)
    cut.fit(epochs=2)
    assert [row["step"] for row in cut.history] == [row["step"] for row in whole.history]
    for a, b in zip(whole.history, cut.history):
        assert b == pytest.approx(a | {"seconds": b["seconds"]}, rel=1e-5)
    for p, q in zip(whole.model.parameters(), cut.model.parameters()):
        np.testing.assert_allclose(q.data, p.data, rtol=1e-4, atol=1e-6)


def test_a_run_in_parts_resumes(tmp_path):
    whole = trainer(folder=tmp_path / "a", parts=2)
    whole.fit(steps=9)
    trainer(folder=tmp_path / "b", parts=2).fit(steps=4)
    rest = trainer(folder=tmp_path / "b", parts=2)
    rest.fit(steps=9, resume=True)
    assert [row["loss"] for row in whole.history][4:] == [row["loss"] for row in rest.history]


def test_a_bad_loss_keeps_the_last_checkpoint(tmp_path):
    folder = tmp_path / "run"
    t = trainer(folder=folder, save_every=2)
    t.fit(steps=4)
    before = (folder / "checkpoint.safetensors").read_bytes()
    t = trainer(folder=folder, save_every=1)
    t.loss = lambda model, batch: (loss(model, batch) * np.float32(math.inf)).sum()
    with pytest.raises(FloatingPointError, match="expected a finite loss, got inf in step 5"):
        t.fit(steps=8, resume=True)
    assert (folder / "checkpoint.safetensors").read_bytes() == before


def test_a_shared_generator_resumes_too(tmp_path):
    def build(folder):
        r = rng()
        m = nn.Sequential(nn.Linear(4, 8, rng=r), nn.Dropout(0.5, rng=r), nn.Linear(8, 2, rng=r))
        x = r.standard_normal((40, 4)).astype(np.float32)
        loader = nn.DataLoader(nn.ArrayDataset(x, (x[:, 0] > 0).astype(int)), 8, True, rng=r)
        return opt.Trainer(m, opt.SGD(m.parameters(), 0.1), loss, loader, folder=folder, show=False)

    whole = build(tmp_path / "a")
    whole.fit(steps=13)
    build(tmp_path / "b").fit(steps=3)
    rest = build(tmp_path / "b")
    rest.fit(steps=13, resume=True)
    assert [row["loss"] for row in whole.history][3:] == [row["loss"] for row in rest.history]


def test_lines_in_a_pipe_and_nothing_without_show(capsys, monkeypatch):
    monkeypatch.setattr("stage4_optim.progress.SECONDS", 0)
    trainer(show=True, evaluate=lambda m: {"error": 0.5}).fit(epochs=1)
    out = capsys.readouterr().out
    assert "step 5/5  loss" in out
    assert "step 5  error 0.5  (best)" in out
    assert "/s" not in out
    trainer(show=True, unit="rows").fit(epochs=1)
    assert re.search(r"step 5/5  loss .*  rows/s [\d,]+$", capsys.readouterr().out, re.MULTILINE)
    trainer().fit(epochs=1)
    assert capsys.readouterr().out == ""


def test_a_bar_in_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    with Display(0, 3) as display:
        display.step(3, loss=0.5)
        display.say("done  error[red] 0.5 [/]")
    out = capsys.readouterr().out
    assert "3/3" in out
    assert "error[red] 0.5 [/]" in out


def test_a_bar_without_a_number_of_steps(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    trainer(show=True).fit(minutes=0.001)
    out = capsys.readouterr().out
    assert "/?" in out
    assert "/0" not in out


def test_find_lr_leaves_everything_as_it_was():
    m = model()
    optimizer = opt.Adam(m.parameters(), lr=0.123)
    before = m.state_dict()
    found = opt.find_lr(optimizer, lambda batch: loss(m, batch), data(), high=10.0)
    assert 1e-4 < found.suggestion < 1
    assert optimizer.lr == 0.123
    assert all(not state for state in optimizer.state.values())
    for name, array in m.state_dict().items():
        np.testing.assert_array_equal(array, before[name])
    assert all(p.grad is None for p in m.parameters())
    assert found.plot().get_xscale() == "log"
    plt.close("all")


def test_one_cycle_ends_where_it_should():
    schedule = schedules.one_cycle(1.0, 10)
    rates = [schedule(step) for step in range(12)]
    assert max(rates) == pytest.approx(1.0)
    assert rates[0] == pytest.approx(1 / 25)
    assert rates[9:] == pytest.approx([1 / 25 / 1e4] * 3)


ERRORS = {
    "no parameters": (lambda: opt.SGD([]), ValueError, "expected at least one parameter, got none"),
    "no Tensors": (lambda: opt.SGD([np.ones(3)]), TypeError, "expected Tensors, got array"),
    "one twice": (lambda: opt.SGD([P, P]), ValueError, "expected every parameter once"),
    "unknown option": (
        lambda: opt.SGD([{"params": [P], "beta": 1}]),
        TypeError,
        "expected the options lr, momentum, dampening, weight_decay, nesterov, got beta",
    ),
    "one Tensor": (lambda: opt.SGD(P), TypeError, "expected a list of Tensors, got one Parameter"),
    "a model": (lambda: opt.SGD(nn.Linear(2, 3)), TypeError, "got one Linear; pass model.param"),
    "lr None": (lambda: opt.SGD([P], lr=None), TypeError, "expected lr as a number, got None"),
    "a schedule as lr": (
        lambda: opt.SGD([P], schedules.constant(0.1)), TypeError, "a schedule goes to the Trainer"
    ),
    "NaN from a schedule": (
        lambda: trainer(schedule=lambda step: math.nan).fit(steps=1),
        ValueError,
        "expected lr of at least 0, got nan",
    ),
    "lr that no float can hold": (
        lambda: opt.SGD([P], lr=10**400), ValueError, "optimizer: expected a finite lr, got 1000"
    ),
    "momentum that no float can hold": (
        lambda: opt.SGD([P], momentum=-(10**400)), ValueError, "momentum below 1.8e308, got -1000"
    ),
    "a schedule that no float can hold": (
        lambda: schedules.cosine(10**400, 10), ValueError, "cosine: expected peak below 1.8e308"
    ),
    "in turn, no pair": (
        lambda: schedules.in_turn(3, then=schedules.constant(1.0)),
        TypeError,
        "in_turn: expected pairs (steps, schedule) and then=schedule, got 3",
    ),
    "in turn, half a step": (
        lambda: schedules.in_turn((0.5, min), then=min), TypeError, "steps to be a whole number"
    ),
    "in turn, no schedule": (
        lambda: schedules.in_turn(then=1e-3), TypeError, "and then=schedule, got (0, 0.001)"
    ),
    "lr as a tuple": (lambda: opt.SGD([P], lr=(0.1,)), TypeError, "lr as a number, got (0.1,)"),
    "no loss to find a rate by": (
        lambda: opt.find_lr(opt.SGD([P]), 3, [1]), TypeError, "that returns the loss, got 3"
    ),
    "a loss that is lost": (
        lambda: opt.find_lr(opt.SGD([P]), lambda b: None, [1]), TypeError, "is a return missing?"
    ),
    "rates of no optimizer": (
        lambda: more.GroupRates([P]), TypeError, "write class MySGD(GroupRates, SGD)"
    ),
    "batches that are a number": (
        lambda: opt.find_lr(opt.SGD([P]), min, 3), TypeError, "find_lr: expected a list, got 3"
    ),
    "no model to train": (
        lambda: opt.Trainer(3, opt.SGD([P]), min, [1]), TypeError, "Trainer: expected a Module"
    ),
    "no optimizer to train with": (
        lambda: opt.Trainer(nn.Linear(1, 1), 3, min, [1]), TypeError, "expected an optimizer, got 3"
    ),
    "no loss to train by": (
        lambda: opt.Trainer(nn.Linear(1, 1), opt.SGD([P]), 3, [1]), TypeError, "the loss, got 3"
    ),
    "one beta": (lambda: opt.Adam([P], betas=0.9), TypeError, "betas as two numbers, got 0.9"),
    "negative lr_decay": (
        lambda: opt.Adagrad([P], lr_decay=-1), ValueError, "lr_decay of at least 0, got -1"
    ),
    "state of another optimizer": (
        lambda: opt.Adam([P]).load_state_dict(opt.SGD([P]).state_dict()),
        ValueError,
        "expected the options lr, betas, eps, weight_decay, params, got lr, momentum",
    ),
    "a float as loss": (
        lambda: fit_with(lambda model, batch: loss(model, batch).item()),
        TypeError,
        "Trainer: expected a Tensor from loss(model, batch)",
    ),
    "no loss": (lambda: fit_with(lambda model, batch: None), TypeError, "is a return missing"),
    "data without a length": (
        lambda: trainer(data=iter([1])), TypeError, "expected data with a length, got a list_iter"
    ),
    "accumulate": (lambda: trainer(accumulate=0), ValueError, "accumulate of at least 1, got 0"),
    "parts": (lambda: trainer(parts=0), ValueError, "expected parts of at least 1, got 0"),
    "parts of text": (
        lambda: trainer(data=["a", "b"], parts=2).fit(steps=1),
        TypeError,
        "expected batches of arrays to cut into parts, got a str; leave parts out",
    ),
    "parts of unequal arrays": (
        lambda: trainer(data=[(np.ones((4, 4)), np.ones(3, int))], parts=2).fit(steps=1),
        ValueError,
        "expected a batch of arrays of one length, got (4, 4), (3,)",
    ),
    "save_every": (lambda: trainer(save_every=0), ValueError, "save_every of at least 1, got 0"),
    "another model": (
        lambda: opt.Trainer(model(), opt.SGD([P]), loss, data()),
        ValueError,
        "expected an optimizer of this model's parameters, got one of others",
    ),
    "figures": (
        lambda: trainer(evaluate=lambda m: 0.5).fit(epochs=1), TypeError, "dict of figures"
    ),
    "negative lr": (lambda: opt.Adam([P], lr=-1), ValueError, "expected lr of at least 0, got -1"),
    "betas": (
        lambda: opt.Adam([P], betas=(0.9, 1.0)),
        ValueError,
        "expected betas from 0 to below 1, got (0.9, 1.0)",
    ),
    "nesterov": (lambda: opt.SGD([P], nesterov=True), ValueError, "expected momentum"),
    "clip": (lambda: opt.clip_grad_norm([P], -1), ValueError, "max_norm of at least 0, got -1"),
    "clip value": (lambda: opt.clip_grad_value([P], -1), ValueError, "at least 0, got -1"),
    "no update": (
        lambda: bare().step(), TypeError, "Optimizer: expected a method update, got none"
    ),
    "average": (lambda: opt.ExponentialMovingAverage(model(), 1.0), ValueError, "got 1.0"),
    "no decay": (lambda: schedules.step_decay(1.0, 0), ValueError, "every of at least 1, got 0"),
    "a model to clip": (
        lambda: opt.clip_grad_norm(nn.Linear(2, 1), 1.0),
        TypeError,
        "clip_grad_norm: expected Tensors, got Linear(2, 1), 3 parameters; pass model.parameters()",
    ),
    "numbers to clip": (lambda: opt.clip_grad_value([1.0], 1), TypeError, "Tensors, got 1.0; pass"),
    "norm NaN": (
        lambda: opt.clip_grad_norm([P], 1, math.nan),
        ValueError,
        "clip_grad_norm: expected a norm_type above 0, got nan",
    ),
    "norm -1": (lambda: opt.clip_grad_norm([P], 1, -1), ValueError, "norm_type above 0, got -1"),
    "norm as text": (lambda: opt.clip_grad_norm([P], 1, "2"), TypeError, "to be a number, got '2'"),
    "half a group": (
        lambda: opt.Adam([{"lr": 1}]),
        TypeError,
        """optimizer: expected groups as {"params": [...], "lr": 0.1}, got {'lr': 1}""",
    ),
    "infinite lr": (
        lambda: opt.SGD([P], lr=math.inf),
        ValueError,
        "optimizer: expected a finite lr, got inf",
    ),
    "no state": (
        lambda: opt.SGD([P], 0.1).load_state_dict({"state": 1}),
        TypeError,
        "load_state_dict: expected what state_dict gives",
    ),
    "infinite peak": (
        lambda: opt.schedules.cosine(math.inf, 10),
        ValueError,
        "cosine: expected a finite peak, got inf",
    ),
    "schedule as text": (
        lambda: opt.schedules.linear_warmup("1", 10),
        TypeError,
        "linear_warmup: expected peak to be a number, got '1'",
    ),
    "average of nothing": (
        lambda: opt.ExponentialMovingAverage(None),
        TypeError,
        "ExponentialMovingAverage: expected a Module, got None",
    ),
    "schedule that is a number": (
        lambda: trainer(schedule=0.1),
        TypeError,
        "Trainer: expected schedule to be a function, got 0.1",
    ),
    "settings as text": (
        lambda: trainer(settings="small"),
        TypeError,
        """Trainer: expected settings as {"preset": "small"}, got 'small'""",
    ),
    "a decay for an average": (
        lambda: trainer(average=0.9),
        TypeError,
        "Trainer: expected an ExponentialMovingAverage, got 0.9",
    ),
    "steps NaN": (
        lambda: trainer().fit(steps=math.nan),
        TypeError,
        "fit: expected steps to be a whole number, got nan",
    ),
    "half an epoch": (lambda: trainer().fit(epochs=0.5), TypeError, "epochs to be a whole number"),
    "minutes NaN": (
        lambda: trainer().fit(minutes=math.nan),
        ValueError,
        "fit: expected a finite minutes, got nan",
    ),
    "minutes without end": (lambda: trainer().fit(minutes=math.inf), ValueError, "finite minutes"),
    "no optimizer": (
        lambda: opt.find_lr(None, lambda batch: P.sum(), [1]),
        TypeError,
        "find_lr: expected an optimizer, got None",
    ),
    "no limit": (lambda: trainer().fit(), ValueError, "expected a limit, got none"),
    "no data": (lambda: trainer(data=[]), ValueError, "expected at least one batch"),
    "no folder": (lambda: trainer().fit(steps=1, resume=True), ValueError, "pass folder="),
    "a misspelt option": (
        lambda: trainer(schedul=None), TypeError, "Trainer.__init__() got an unexpected keyword"
    ),
    "patience": (lambda: trainer(patience=1), ValueError, "expected evaluate for patience"),
    "find_lr": (lambda: opt.find_lr(opt.SGD([P]), lambda b: P, []), ValueError, "one batch"),
}  # fmt: skip
P = parameter(2)


def fit_with(own_loss):
    t = trainer()
    t.loss = own_loss
    t.fit(steps=1)


def test_a_single_tensor_is_clipped():
    p = parameter(2)
    p.grad = np.array([3.0, 4.0], np.float32)
    assert opt.clip_grad_norm(p, 1.0) == 5.0
    np.testing.assert_allclose(p.grad, [0.6, 0.8], rtol=1e-6)


def bare():
    optimizer = opt.Optimizer([P], lr=0.1)
    P.grad = np.ones(2, np.float32)
    return optimizer


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    call, kind, words = ERRORS[name]
    with pytest.raises(kind) as info:
        call()
    assert words in str(info.value)


def test_a_run_is_not_overwritten(tmp_path):
    trainer(folder=tmp_path / "run").fit(steps=2)
    before = (tmp_path / "run" / "log.csv").read_text()
    with pytest.raises(ValueError, match="go on with resume=True, or choose another folder"):
        trainer(folder=tmp_path / "run").fit(steps=4)
    assert (tmp_path / "run" / "log.csv").read_text() == before


def test_a_resume_that_fails_changes_nothing(tmp_path):
    folder = tmp_path / "run"
    trainer(folder=folder).fit(steps=2)
    written = (folder / "checkpoint.safetensors").read_bytes()
    m = model()
    for p in m.parameters():
        p.data += 1
    before = m.state_dict()
    other = opt.Trainer(m, opt.SGD(m.parameters()), loss, data(), folder=folder, show=False)
    with pytest.raises(ValueError, match="expected the options lr"):
        other.fit(steps=4, resume=True)
    average = opt.ExponentialMovingAverage(m)
    averaged = opt.Trainer(
        m, opt.Adam(m.parameters()), loss, data(), folder=folder, average=average
    )
    with pytest.raises(ValueError, match="expected a checkpoint with an average"):
        averaged.fit(steps=4, resume=True)
    for name, array in m.state_dict().items():
        np.testing.assert_array_equal(array, before[name])
    assert (folder / "checkpoint.safetensors").read_bytes() == written


def test_ctrl_c_without_a_folder_promises_no_resume(capsys):
    t = trainer(show=True)
    inner = t.loss

    def interrupted(model, batch):
        signal.raise_signal(signal.SIGINT)
        return inner(model, batch)

    t.loss = interrupted
    assert t.fit(steps=9) == "Ctrl-C"
    assert "stopped after step 1; fit again to go on from here" in capsys.readouterr().out


def test_a_checkpoint_of_weights_alone_is_no_run(tmp_path):
    (tmp_path / "run").mkdir()
    nn.save_checked(tmp_path / "run" / "checkpoint.safetensors", model().state_dict(), {})
    with pytest.raises(ValueError, match="which holds weights only"):
        trainer(folder=tmp_path / "run").fit(steps=1, resume=True)


def test_a_non_finite_gradient_names_the_parameter():
    a, b = parameter(2), parameter(3)
    a.grad, b.grad = np.ones(2, np.float32), np.array([1, math.nan, 1], np.float32)
    with pytest.raises(FloatingPointError, match=r"number 1, of shape \(3,\), first"):
        opt.clip_grad_norm([a, b], 1.0)


# Logs and checkpoints that somebody or something else has written.


@pytest.fixture
def begun(tmp_path):
    """A run of three steps: its folder."""
    folder = tmp_path / "run"
    trainer(folder=folder).fit(steps=3)
    return folder


def resumed(folder):
    trainer(folder=folder).fit(steps=5, resume=True)
    return [row["step"] for row in read_rows(folder / "log.csv")]


@pytest.mark.parametrize("cut", [1, 20, -4])
def test_a_log_that_was_cut_off_is_repaired(begun, cut):
    log = begun / "log.csv"
    log.write_bytes(log.read_bytes()[:cut])
    steps = resumed(begun)
    assert steps[-2:] == ["4", "5"]
    assert log.read_text().startswith("step,loss,lr,")
    assert log.read_text().count("step,loss") == 1


def test_a_foreign_log_is_refused_and_stays(begun):
    (begun / "log.csv").write_text("name,price\nbread,3\n")
    with pytest.raises(
        ValueError, match=r"^resume: expected the log of a run, got .*log\.csv, which"
    ):
        resumed(begun)
    assert (begun / "log.csv").read_text() == "name,price\nbread,3\n"


def test_a_checkpoint_without_a_part_is_refused_in_a_sentence(begun):
    arrays, words = nn.load_checked(begun / "checkpoint.safetensors")
    run = json.loads(words["run"])
    del run["position"]
    nn.save_checked(begun / "checkpoint.safetensors", arrays, {"run": json.dumps(run)})
    with pytest.raises(
        ValueError, match=r"got a checkpoint without position; it is of another ver"
    ):
        resumed(begun)


def test_a_checkpoint_of_an_older_version_resumes_with_a_warning(begun):
    nn.save(begun / "checkpoint.safetensors", *nn.load_checked(begun / "checkpoint.safetensors"))
    with pytest.warns(UserWarning, match=r"checkpoint\.safetensors carries no checksum"):
        assert resumed(begun) == ["1", "2", "3", "4", "5"]


def test_a_checkpoint_with_one_flipped_bit_is_refused(begun):
    path = begun / "checkpoint.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(
        ValueError, match=r"^load: expected the numbers that were saved, got others"
    ):
        resumed(begun)
