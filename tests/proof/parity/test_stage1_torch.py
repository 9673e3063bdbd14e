"""Stage 1 beside PyTorch in float64: every operation, every function, and a whole network."""

import math

import numpy as np
import pytest

from stage1_autodiff import MLP, Value, hinge_loss, two_moons

torch = pytest.importorskip("torch")

ANYWHERE = [(0.7, -1.3), (-2.5, 0.4), (3.1, 2.2), (-0.05, -4.0)]
POSITIVE = [(0.7, 1.3), (2.5, -0.4), (0.01, 2.2), (40.0, -3.0)]
LARGE = [(1000.0, 1.0), (-1000.0, 1.0)]

# name: the same text for a Value and for a torch.Tensor, and where to try it
OPERATIONS = {
    "a + b": (lambda a, b: a + b, ANYWHERE),
    "a + 2": (lambda a, b: a + 2, ANYWHERE),
    "2 + a": (lambda a, b: 2 + a, ANYWHERE),
    "a - b": (lambda a, b: a - b, ANYWHERE),
    "a - 2": (lambda a, b: a - 2, ANYWHERE),
    "2 - a": (lambda a, b: 2 - a, ANYWHERE),
    "a * b": (lambda a, b: a * b, ANYWHERE),
    "a * 2": (lambda a, b: a * 2, ANYWHERE),
    "2 * a": (lambda a, b: 2 * a, ANYWHERE),
    "a / b": (lambda a, b: a / b, ANYWHERE),
    "a / 2": (lambda a, b: a / 2, ANYWHERE),
    "2 / a": (lambda a, b: 2 / a, ANYWHERE),
    "-a": (lambda a, b: -a, ANYWHERE),
    "a ** b": (lambda a, b: a**b, POSITIVE),
    "a ** 3": (lambda a, b: a**3, ANYWHERE),
    "a ** -2": (lambda a, b: a**-2, ANYWHERE),
    "a ** 0.5": (lambda a, b: a**0.5, POSITIVE),
    "2 ** a": (lambda a, b: 2**a, ANYWHERE),
    "abs(a)": (lambda a, b: abs(a), ANYWHERE + LARGE),
    "exp": (lambda a, b: a.exp(), ANYWHERE + LARGE),
    "log": (lambda a, b: a.log(), POSITIVE),
    "tanh": (lambda a, b: a.tanh(), ANYWHERE + LARGE),
    "sigmoid": (lambda a, b: a.sigmoid(), ANYWHERE + LARGE),
    "relu": (lambda a, b: a.relu(), ANYWHERE + LARGE),
    "sin": (lambda a, b: a.sin(), ANYWHERE + LARGE),
    "cos": (lambda a, b: a.cos(), ANYWHERE + LARGE),
    "sqrt": (lambda a, b: a.sqrt(), POSITIVE),
    "a + a": (lambda a, b: a + a, ANYWHERE),
    "a * a": (lambda a, b: a * a, ANYWHERE),
    "a / a": (lambda a, b: a / a, ANYWHERE),
    "a ** a": (lambda a, b: a**a, POSITIVE),
}
CASES = [
    pytest.param(f, point, id=f"{name} at {point}")
    for name, (f, points) in OPERATIONS.items()
    for point in points
]

# Where the slope is a choice, ours is that of PyTorch.
KINKS = {
    "relu at 0": (lambda a, b: a.relu(), (0.0, 0.0)),
    "abs at 0": (lambda a, b: a.abs(), (0.0, 0.0)),
    "sqrt at 0": (lambda a, b: a.sqrt(), (0.0, 0.0)),
    "0 ** 0": (lambda a, b: a**b, (0.0, 0.0)),
    "0 ** 2": (lambda a, b: a**b, (0.0, 2.0)),
    "x ** 0 at 0": (lambda a, b: a**0, (0.0, 0.0)),
    "x ** 1 at 0": (lambda a, b: a**1, (0.0, 0.0)),
    "(-2) ** 3": (lambda a, b: a**3, (-2.0, 0.0)),
    "(-2) ** b": (lambda a, b: a**b, (-2.0, 3.0)),
}

exactly = {"rel": 1e-10, "abs": 1e-10, "nan_ok": True}


def tensor(x):
    return torch.tensor(x, dtype=torch.float64, requires_grad=True)


def ours(f, point):
    """The value of 3 f, then the gradient, by Value."""
    leaves = [Value(x) for x in point]
    y = f(*leaves) * 3
    y.backward()
    return [y.data, *(leaf.grad for leaf in leaves)]


def theirs(f, point):
    """The value of 3 f, then the gradient, by PyTorch; 0 where it leaves None."""
    leaves = [tensor(x) for x in point]
    y = f(*leaves) * 3
    y.backward()
    return [y.item(), *(0.0 if leaf.grad is None else leaf.grad.item() for leaf in leaves)]


@pytest.mark.parametrize(("f", "point"), CASES)
def test_an_operation_has_the_value_and_the_gradient_of_pytorch(f, point):
    assert ours(f, point) == pytest.approx(theirs(f, point), **exactly)


@pytest.mark.parametrize(("f", "point"), KINKS.values(), ids=KINKS.keys())
def test_the_conventions_are_those_of_pytorch(f, point):
    assert ours(f, point) == pytest.approx(theirs(f, point), **exactly)


def test_a_long_expression_with_shared_parts():
    def f(a, b):
        c = (a * b).tanh() + b.sigmoid() / (a * a + 1)
        for _ in range(20):
            c = (c * a - b).sin() + (-c * c).exp() * 0.3 - c**3 / (2 + c * c)
        return c.relu() + (1 - c).relu() + (c * c + 1).log() * (c * c).sqrt()

    assert ours(f, (0.3, -0.8)) == pytest.approx(theirs(f, (0.3, -0.8)), **exactly)


def network_like(model: MLP) -> torch.nn.Sequential:
    """A PyTorch network with the weights of `model`, in float64."""
    parts = []
    for layer in model.layers:
        weight = torch.tensor([[w.data for w in n.w] for n in layer.neurons], dtype=torch.float64)
        bias = torch.tensor([n.b.data for n in layer.neurons], dtype=torch.float64)
        linear = torch.nn.Linear(*weight.T.shape, dtype=torch.float64)
        linear.load_state_dict({"weight": weight, "bias": bias})
        parts += [linear, torch.nn.ReLU()]
    return torch.nn.Sequential(*parts[:-1])


def gradients_like(model: MLP, network: torch.nn.Sequential) -> list[float]:
    """The gradients of a PyTorch network in the order of `model.parameters()`."""
    found = []
    for layer, linear in zip(model.layers, network[::2], strict=True):
        for i in range(len(layer.neurons)):
            found += [*linear.weight.grad[i].tolist(), linear.bias.grad[i].item()]
    return found


def torch_hinge_loss(network, points, labels, alpha=1e-4):
    scores = network(torch.tensor(points)).squeeze(1)
    penalty = sum((p**2).sum() for p in network.parameters())
    return (1 - torch.tensor(labels) * scores).relu().mean() + alpha * penalty


@pytest.mark.parametrize("sizes", [[1], [5, 1], [16, 16, 1], [3, 1, 4, 1]], ids=str)
def test_a_network_on_two_moons_has_the_loss_and_the_gradients_of_pytorch(sizes):
    rng = np.random.default_rng(len(sizes))
    points, labels = two_moons(30, rng=rng)
    model = MLP(2, sizes, rng=rng)
    for p in model.parameters():
        p.data += rng.normal(0, 0.1)  # biases other than 0
    network = network_like(model)
    loss, torch_loss = hinge_loss(model, points, labels), torch_hinge_loss(network, points, labels)
    loss.backward()
    torch_loss.backward()
    assert loss.data == pytest.approx(torch_loss.item(), **exactly)
    expected = gradients_like(model, network)
    assert [p.grad for p in model.parameters()] == pytest.approx(expected, **exactly)


def test_ten_steps_of_gradient_descent_stay_together():
    rng = np.random.default_rng(0)
    points, labels = two_moons(20, rng=rng)
    model = MLP(2, [8, 1], rng=rng)
    network = network_like(model)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.3)
    for _ in range(10):
        model.zero_grad()
        hinge_loss(model, points, labels).backward()
        for p in model.parameters():
            p.data -= 0.3 * p.grad
        optimizer.zero_grad()
        torch_hinge_loss(network, points, labels).backward()
        optimizer.step()
    mine = hinge_loss(model, points, labels).data
    assert math.isfinite(mine)
    assert mine == pytest.approx(torch_hinge_loss(network, points, labels).item(), **exactly)
