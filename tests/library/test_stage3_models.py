"""What a model shows of itself, and what every part of stage 3 says of a wrong input."""

import math

import matplotlib.pyplot as plt
import numpy as np
import pytest

import stage3_nn as nn
from stage2_tensor import Tensor
from tests.library.samples import rng


def model():
    r = rng()
    return nn.Sequential(nn.Linear(4, 8, rng=r), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 3, rng=r))


def zeros(*shape):
    return Tensor(np.zeros(shape, np.float32))


def test_a_model_prints_as_a_tree():
    class Twins(nn.Module):
        def __init__(self):
            self.blocks = [model(), {"norm": nn.LayerNorm(3)}]

    assert repr(Twins()) == (
        "Twins(), 73 parameters\n"
        "  blocks.0: Sequential(), 67 parameters\n"
        "    0: Linear(4, 8), 40 parameters\n"
        "    1: ReLU()\n"
        "    2: Dropout(p=0.5)\n"
        "    3: Linear(8, 3), 27 parameters\n"
        "  blocks.1.norm: LayerNorm(3), 6 parameters"
    )


def test_summary_shows_shapes_and_leaves_the_model_alone():
    m = model()
    m[2].eval()
    state = m[2].rng.bit_generator.state
    text = nn.summary(m, zeros(5, 4))
    assert text.split("\n")[0].split() == ["name", "layer", "output", "parameters"]
    assert "(5, 8)" in text
    assert "(5, 3)" in text
    assert [module.training for module in m.modules()] == [True, True, True, False, True]
    assert m[2].rng.bit_generator.state == state
    assert nn.Module.observers == []


def test_summary_of_an_input_that_does_not_fit_restores_the_modes():
    m = model()
    with pytest.raises(ValueError, match=r"Linear\(4, 8\)"):
        nn.summary(m, zeros(5, 3))
    assert all(module.training for module in m.modules())
    assert nn.Module.observers == []


def test_observing_sees_every_forward():
    seen = []
    m = model()
    with nn.observing(lambda module, inputs, output: seen.append((module, output.shape))):
        m(zeros(2, 4))
    m(zeros(2, 4))
    assert [module for module, _ in seen] == [m[0], m[1], m[2], m[3], m]


def test_gradient_report_finds_a_dead_and_an_untouched_layer():
    m = model()
    m[0].bias.data[:] = -100  # every relu is off
    m.unused = nn.Linear(2, 2)
    nn.cross_entropy(m(Tensor(rng().random((6, 4), np.float32))), np.zeros(6, int)).backward()
    report = nn.gradient_report(m)
    verdicts = {row.name: report.verdict(row) for row in report}
    assert verdicts == {"0": "dead", "3": "", "unused": "no gradient"}
    assert report[0].dead == 1
    assert report[2].gradient is None
    assert "dead" in str(report)


def test_gradient_report_finds_what_is_not_finite_vanishing_or_exploding():
    m = nn.Sequential(*[nn.Linear(2, 2, rng=rng()) for _ in range(4)])
    for layer, size in zip(m, (1.0, 1e-9, 1e9, math.nan)):
        layer.weight.grad = np.full((2, 2), size, np.float32)
    report = nn.gradient_report(m)
    assert [report.verdict(row) for row in report] == [
        "vanishing", "vanishing", "exploding", "not finite"
    ]  # fmt: skip
    m[3].weight.grad = np.zeros((2, 2), np.float32)
    m[3].weight.data[:] = math.inf
    assert report.verdict(nn.gradient_report(m)[3]) == "not finite"


def test_gradient_report_plots():
    m = model()
    nn.cross_entropy(m(zeros(6, 4)), np.zeros(6, int)).backward()
    axes = nn.gradient_report(m).plot()
    assert axes.get_xscale() == "log"
    plt.close("all")


def test_gradient_report_of_a_model_without_parameters():
    assert nn.gradient_report(nn.ReLU()) == []
    assert str(nn.gradient_report(nn.ReLU())).startswith("layer")


def test_losses_as_modules():
    x, target = Tensor(rng().random((3, 2))), rng().random((3, 2))
    for kind, function in (
        (nn.MSELoss, nn.mse_loss),
        (nn.L1Loss, nn.l1_loss),
        (nn.HuberLoss, nn.huber_loss),
        (nn.BCEWithLogitsLoss, nn.binary_cross_entropy_with_logits),
    ):
        assert kind(reduction="sum")(x, target).item() == function(x, target, "sum").item()
    loss = nn.CrossEntropyLoss(label_smoothing=0.1, ignore_index=1)
    want = nn.cross_entropy(x, [0, 1, 0], label_smoothing=0.1, ignore_index=1)
    assert loss(x, [0, 1, 0]).item() == want.item()
    assert repr(loss) == "CrossEntropyLoss(label_smoothing=0.1, ignore_index=1)"
    with pytest.raises(TypeError, match="smoothing"):
        nn.CrossEntropyLoss(smoothing=0.1)


def test_a_parameter_owns_its_numbers():
    array = np.zeros(3)
    parameter, buffer = nn.Parameter(array), nn.Buffer(array)
    parameter.data += 1
    buffer.data += 2
    assert array.tolist() == [0, 0, 0]
    assert parameter.requires_grad
    assert not buffer.requires_grad


def test_class_weights_may_be_a_tensor():
    x, targets, weight = zeros(2, 2), [0, 1], np.array([1.0, 3.0], np.float32)
    one, other = (nn.cross_entropy(x, targets, weight=w) for w in (weight, Tensor(weight)))
    assert one.item() == other.item() and one.dtype == np.float32


def test_layers_without_inputs_give_their_bias():
    layer = nn.Linear(0, 2)
    y = layer(zeros(4, 0))
    y.sum().backward()
    assert (y.data == layer.bias.data).all() and layer.bias.grad.tolist() == [4, 4]


def test_the_padding_row_gets_no_gradient_of_infinity():
    table = nn.Embedding(3, 2, padding_idx=0)
    table([0, 1]).backward([[math.inf] * 2, [1.0] * 2])
    assert table.weight.grad.tolist() == [[0, 0], [1, 1], [0, 0]]


def test_tensors_are_loaded_and_saved_as_arrays_are(tmp_path):
    model = nn.Linear(1, 2)
    state = {"weight": Tensor([[1.0, 2.0]]), "bias": nn.Parameter([3.0, 4.0])}
    model.load_state_dict(state)
    assert model.bias.data.tolist() == [3, 4] and model.bias.data is not state["bias"].data
    nn.save(tmp_path / "model", state)
    assert nn.load(tmp_path / "model")[0]["weight"].tolist() == [[1, 2]]


@pytest.mark.parametrize(
    "value", [Tensor([1.0, 2.0]), None, 1j, "12", [None, 1.0], [Tensor(1.0), Tensor(2.0)]], ids=str
)
def test_nothing_is_loaded_if_something_cannot_be(value):
    model = nn.Linear(1, 3)
    before = model.weight.data.copy()
    with pytest.raises((TypeError, ValueError), match="load_state_dict: expected"):
        model.load_state_dict({"weight": before + 1, "bias": value})
    assert (model.weight.data == before).all()


def test_batch_norm_answers_alike_for_every_neighbour():
    norm = nn.BatchNorm1d(3)
    x = rng().standard_normal((6, 3)).astype(np.float32)
    norm(Tensor(x))
    norm.eval()
    np.testing.assert_array_equal(norm(Tensor(x)).data[:1], norm(Tensor(x[:1])).data)


def test_train_test_split_keeps_rows_together():
    x, y = np.arange(20).reshape(10, 2), np.arange(10)
    x_train, x_test, y_train, y_test = nn.train_test_split(x, y, test_size=0.3, rng=rng())
    assert sorted([*y_train, *y_test]) == list(range(10))
    assert len(y_test) == 3
    np.testing.assert_array_equal(x_train[:, 0] // 2, y_train)
    np.testing.assert_array_equal(x_test[:, 0] // 2, y_test)


ERRORS = {
    "no forward": (
        lambda: nn.Module()(1),
        "Module: expected a method forward, got none; define forward(self, x)",
    ),
    "Linear": (
        lambda: nn.Linear(4, 3)(zeros(3, 5)),
        "Linear(4, 3): expected x of shape (..., 4), got (3, 5)",
    ),
    "LayerNorm": (
        lambda: nn.LayerNorm(1)(zeros(3, 5)),
        "LayerNorm(1): expected x of shape (..., 1), got (3, 5)",
    ),
    "BatchNorm1d": (
        lambda: nn.BatchNorm1d(3)(zeros(1, 3)),
        "BatchNorm1d(3): expected x of shape (N, 3), with N at least 2 in training, got (1, 3); "
        "for a single answer call .eval() first",
    ),
    "Embedding": (
        lambda: nn.Embedding(4, 2, padding_idx=4),
        "Embedding: expected padding_idx from -4 to 3, got 4",
    ),
    "Dropout": (
        lambda: nn.Dropout(1.5),
        "Dropout: expected p from 0 to 1, got 1.5",
    ),
    "Sequential": (
        lambda: nn.Sequential(3),
        "Sequential: expected Modules, got 3",
    ),
    "Conv2d": (
        lambda: nn.Conv2d(1, 2, 3)(zeros(8, 8, 1)),
        "Conv2d: expected x of shape (N, 1, H, W) with H and W at least 3, got (8, 8, 1); "
        "x.unsqueeze(1) adds the axis of channels",
    ),
    "MaxPool2d": (
        lambda: nn.MaxPool2d(3)(zeros(1, 1, 2, 2)),
        "MaxPool2d: expected x of shape (N, C, H, W) with H and W at least 3, got (1, 1, 2, 2)",
    ),
    "mse_loss": (
        lambda: nn.mse_loss(zeros(3, 1), np.zeros(3)),
        "mse_loss: expected a target of the shape of x, (3, 1), got (3,)",
    ),
    "an array for relu": (
        lambda: nn.ReLU()(np.ones(2)),
        "ReLU: expected a Tensor, got a ndarray; write Tensor(x)",
    ),
    "a list for SiLU": (
        lambda: nn.SiLU()([1.0]),
        "SiLU: expected a Tensor, got a list; write Tensor(x)",
    ),
    "an array for RMSNorm": (
        lambda: nn.RMSNorm(2)(np.ones(2)),
        "RMSNorm: expected a Tensor, got a ndarray; write Tensor(x)",
    ),
    "an array for BatchNorm1d": (
        lambda: nn.BatchNorm1d(2)(np.ones((3, 2))),
        "BatchNorm1d(2): expected a Tensor, got a ndarray; write Tensor(x)",
    ),
    "a list for a loss": (
        lambda: nn.mse_loss([1.0], [1.0]),
        "mse_loss: expected a Tensor, got a list; write Tensor(x)",
    ),
    "text for a target": (
        lambda: nn.cross_entropy(zeros(1, 2), ["a"]),
        "cross_entropy: expected arrays of numbers, got one of <U1",
    ),
    "p as text": (lambda: nn.Dropout("0.5"), "Dropout: expected p to be a number, got '0.5'"),
    "eps": (lambda: nn.LayerNorm(3, eps=-1), "LayerNorm: expected eps of at least 0, got -1"),
    "eps of RMSNorm": (
        lambda: nn.RMSNorm(3, eps=math.nan),
        "RMSNorm: expected eps of at least 0, got nan",
    ),
    "eps of BatchNorm1d": (
        lambda: nn.BatchNorm1d(3, eps=None),
        "BatchNorm1d: expected eps to be a number, got None",
    ),
    "momentum": (
        lambda: nn.BatchNorm1d(3, momentum=5),
        "BatchNorm1d: expected momentum from 0 to 1, got 5",
    ),
    "True features": (
        lambda: nn.Linear(True, 2),
        "Linear: expected in_features to be a whole number, got True; convert it with int()",
    ),
    "padding_idx as text": (
        lambda: nn.Embedding(3, 2, "0"),
        "Embedding: expected padding_idx to be a whole number, got '0'; convert it with int()",
    ),
    "a shape of halves": (
        lambda: nn.init.normal((2, 1.5), 1.0),
        "normal: expected axis 1 to be a whole number, got 1.5; convert it with int()",
    ),
    "an infinite bound": (
        lambda: nn.init.uniform((2,), math.inf),
        "uniform: expected bound that float32 can hold, got inf",
    ),
    "a gain that is no number": (
        lambda: nn.init.glorot_normal((2, 3), None),
        "glorot_normal: expected gain to be a number, got None",
    ),
    "a gain that no float can hold": (
        lambda: nn.init.he_uniform((2, 3), 10**400),
        "he_uniform: expected gain below 1.8e308, got 100000000000000000...0000000000000000000",
    ),
    "outputs made from nothing": (
        lambda: nn.init.he_normal((0, 3)),
        "he_normal: expected a shape with something to add up, got 0 inputs",
    ),
    "eps that no float can hold": (
        lambda: nn.LayerNorm(3, eps=10**400),
        "LayerNorm: expected eps below 1.8e308, got 100000000000000000...0000000000000000000",
    ),
    "no shape": (lambda: nn.init.fans(3), "fans: expected a shape as in (2, 3), got 3"),
    "a negative bound": (
        lambda: nn.init.uniform((2,), -1),
        "uniform: expected bound of at least 0, got -1",
    ),
    "collate": (
        lambda: nn.DataLoader([1], collate=3),
        "DataLoader: expected collate to be a function, got 3",
    ),
    "numbers for rows": (
        lambda: nn.ArrayDataset(3),
        "ArrayDataset: expected arrays with rows, got 3",
    ),
    "a model that is a list": (lambda: nn.summary([]), "summary: expected a Module, got []"),
    "evaluating a number": (
        lambda: nn.evaluating(3).__enter__(),
        "evaluating: expected a Module, got 3",
    ),
    "a path that is a number": (lambda: nn.save(3, {}), "save: expected the path of a file, got 3"),
    "a state that is an array": (
        lambda: nn.save_checked("x", np.ones(2), {}),
        "save: expected a dict of arrays by name, got a ndarray",
    ),
    "metadata in an array": (
        lambda: nn.save("x", {}, np.zeros(0)),
        "save: expected metadata of strings, got []; use json.dumps",
    ),
    "text as content": (
        lambda: nn.write_atomically("x", b"y"),
        "save: expected a Path and bytes, got 'x' and a bytes; write Path(path)",
    ),
    "one Module": (lambda: nn.ModuleList(3), "ModuleList: expected a list, got 3"),
    "test_size": (
        lambda: nn.train_test_split(np.zeros(3), test_size=2),
        "train_test_split: expected test_size from 0 to 1, got 2",
    ),
    "negative class weights": (
        lambda: nn.cross_entropy(zeros(1, 2), [0], weight=Tensor([-1.0, 0.5])),
        "cross_entropy: expected finite weights of at least 0, got [-1.   0.5]",
    ),
    "class weights": (
        lambda: nn.cross_entropy(zeros(1, 2), [0], weight=np.ones(3)),
        "cross_entropy: expected weight of shape (2,), got (3,)",
    ),
    "a list": (
        lambda: nn.Linear(2, 3)([1.0, 2.0]),
        "Linear(2, 3): expected x of shape (..., 2), got list",
    ),
    "save objects": (
        lambda: nn.save("/nowhere", {"w": np.array([None])}),
        "save: expected arrays of numbers, got w of object",
    ),
    "save a list": (
        lambda: nn.save("/nowhere", [1.0]),
        "save: expected a dict of arrays by name, got a list",
    ),
    "load ragged rows": (
        lambda: nn.Linear(1, 2).load_state_dict({"weight": [[1.0], [2.0, 3.0]]}),
        "load_state_dict: expected arrays of numbers, got a list; setting an array element with a "
        "sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected "
        "shape was (2,) + inhomogeneous part.",
    ),
    "reduction": (
        lambda: nn.mse_loss(zeros(3), np.zeros(3), "avg"),
        'mse_loss: expected reduction "mean", "sum" or "none", got \'avg\'',
    ),
    "fans": (
        lambda: nn.init.he_normal((3,)),
        "fans: expected the shape of a Linear or a Conv2d, got (3,); start biases with zeros",
    ),
    "load_state_dict": (
        lambda: nn.Linear(2, 3).load_state_dict({"weight": np.zeros((3, 2)), "gamma": 1}),
        "load_state_dict: expected the names and shapes of this model, got missing bias, "
        "unexpected gamma, weight of shape (3, 2) for (2, 3); "
        "build the model as it was when it was saved",
    ),
    "ArrayDataset": (
        lambda: nn.ArrayDataset(np.zeros(3), np.zeros(4)),
        "ArrayDataset: expected arrays of one length, got lengths [3, 4]",
    ),
    "DataLoader": (
        lambda: nn.DataLoader([1, 2], batch_size=0),
        "DataLoader: expected batch_size of at least 1, got 0",
    ),
    "train_test_split": (
        lambda: nn.train_test_split(np.zeros(3), test_size=0.1),
        "train_test_split: expected parts with something in them, got (3, 0) rows",
    ),
    "load": (
        lambda: nn.load("/nowhere/at/all"),
        "load: expected a checkpoint, got no file at /nowhere/at/all",
    ),
    "save nowhere": (
        lambda: nn.save("/nowhere/at/all", {}),
        "save: expected a folder to write to, got none at /nowhere/at",
    ),
    "half a feature": (
        lambda: nn.Linear(2.5, 3),
        "Linear: expected in_features to be a whole number, got 2.5; convert it with int()",
    ),
    "minus one row": (
        lambda: nn.Embedding(-1, 3),
        "Embedding: expected num_embeddings of at least 0, got -1",
    ),
    "no filter": (
        lambda: nn.Conv2d(1, 2, 0),
        "Conv2d: expected kernel_size of at least 1, got 0",
    ),
    "a negative border": (
        lambda: nn.Conv2d(1, 2, 3, padding=-1),
        "Conv2d: expected padding of at least 0, got -1",
    ),
    "no stride": (
        lambda: nn.MaxPool2d(2, 0),
        "MaxPool2d: expected stride of at least 1, got 0",
    ),
    "features as text": (
        lambda: nn.LayerNorm("8"),
        "LayerNorm: expected normalized_shape to be a whole number, got '8'; convert it with int()",
    ),
    "smoothing": (
        lambda: nn.cross_entropy(zeros(1, 2), [0], label_smoothing=1.5),
        "cross_entropy: expected label_smoothing from 0 to 1, got 1.5",
    ),
    "delta": (
        lambda: nn.huber_loss(zeros(1), np.zeros(1), delta=0.0),
        "huber_loss: expected delta above 0, got 0.0",
    ),
    "save": (
        lambda: nn.save("/nowhere", {}, {"epoch": 3}),
        "save: expected metadata of strings, got {'epoch': 3}; use json.dumps",
    ),
}


@pytest.mark.parametrize("rng", [0, 3, np.random])
@pytest.mark.parametrize(
    "call",
    [
        lambda rng: nn.Linear(2, 3, rng=rng),
        lambda rng: nn.Embedding(2, 3, rng=rng),
        lambda rng: nn.Dropout(0.5, rng),
        lambda rng: nn.Conv2d(1, 2, 3, rng=rng),
        lambda rng: nn.DataLoader([1, 2], rng=rng),
        lambda rng: nn.train_test_split(np.zeros(10), rng=rng),
        lambda rng: nn.init.he_normal((2, 3), rng=rng),
    ],
)
def test_a_seed_is_no_generator(call, rng):
    with pytest.raises(TypeError, match=r"expected rng to be a generator, got .*; write np\."):
        call(rng)


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    call, message = ERRORS[name]
    with pytest.raises((ValueError, TypeError, FileNotFoundError)) as info:
        call()
    assert str(info.value) == message


# Files.


def test_saving_twice_gives_equal_bytes(tmp_path):
    words = {name: name for name in "hgfedcba"}
    for number in range(4):
        nn.save(tmp_path / f"{number}", {"b": np.ones(3), "a": np.zeros((2, 2), np.float16)}, words)
    assert len({(tmp_path / f"{number}").read_bytes() for number in range(4)}) == 1
    assert nn.load(tmp_path / "0")[1] == words


def test_bfloat16_is_named(tmp_path):
    header = b'{"w":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}'
    header += b" " * (-len(header) % 8)
    path = tmp_path / "w.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    with pytest.raises(ValueError, match=r"got bfloat16 in .*; save it as float32$"):
        nn.load(path)


@pytest.mark.parametrize("damage", ["a bit", "an exchange", "a word"])
def test_a_checksum_notices(tmp_path, damage):
    path = tmp_path / "w.safetensors"
    state = {"a": np.arange(4.0), "b": np.ones(4)}
    nn.save_checked(path, state, {"step": "5"})
    assert nn.load_checked(path)[1] == {"step": "5"}
    state, words = nn.load(path)
    if damage == "a bit":
        state["a"][1] = np.nextafter(1.0, 2.0)
    elif damage == "an exchange":
        state = {"a": state["b"], "b": state["a"]}
    else:
        words["step"] = "6"
    nn.save(path, state, words)
    with pytest.raises(
        ValueError, match=r"^load: expected the numbers that were saved, got others"
    ):
        nn.load_checked(path)


def test_a_file_without_a_checksum_is_said_to_be_unchecked(tmp_path):
    nn.save(tmp_path / "w.safetensors", {"a": np.ones(2)})
    with pytest.warns(UserWarning, match="carries no checksum, so damage would go unseen"):
        nn.load_checked(tmp_path / "w.safetensors")
