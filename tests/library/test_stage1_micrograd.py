"""A drop-in for micrograd: its programs run after a change of the import, to the same numbers."""

import random

import pytest

MICROGRAD_IMPORTS = """
from micrograd.engine import Value
from micrograd.nn import Neuron, Layer, MLP
"""
OUR_IMPORTS = """
from stage1_autodiff import Value
from stage1_autodiff import Neuron, Layer, MLP
"""

# Every operation that micrograd has, numbers on either side, and results that are used twice.
EXPRESSION = """
p = Value(1.5)
q = Value(-0.75)
r = p * q + 2
s = 3 - r / 4
t = (s - q).relu() + (q * 5 + 1).relu()
u = 1 / (t * t + 0.5) + t**3
u = 7 * u - -r
u -= p**-2
u /= 2.0
u *= sum([p, q, r])
u.backward()
numbers = [u.data, p.grad, q.grad]
"""

# A small regression: the height of a ridge at seven places, learnt by a network of 44 numbers.
REGRESSION = """
places = [[0.1, 0.3], [-0.4, 0.2], [0.9, -0.8], [-1.0, 0.7], [0.2, -0.1], [0.8, 0.9], [0, 0]]
heights = [0.9, 0.5, -0.2, -0.4, 0.95, -0.6, 1]

model = MLP(2, [5, 4, 1])
for parameter, number in zip(model.parameters(), start):
    parameter.data = number

numbers = []
for step in range(20):
    errors = [model([Value(x) for x in place]) - height for place, height in zip(places, heights)]
    loss = sum(error**2 for error in errors) / len(errors)
    loss += 0.001 * sum(weight * weight for weight in model.parameters())
    model.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        parameter.data += -0.1 * parameter.grad
    numbers.append(loss.data)
numbers += [parameter.grad for parameter in model.parameters()]
text = str(model)
"""

# The parts of a network, used one by one.
PARTS = """
neuron = Neuron(2)
layer = Layer(2, 3, nonlin=False)
for p, number in zip(neuron.parameters() + layer.parameters(), start):
    p.data = number
x = [Value(-1.5), 0.5]
y = neuron(x) * 2
for out in layer(x):
    y = y + out * out
y.backward()
numbers = [y.data, x[0].grad] + [p.grad for p in neuron.parameters() + layer.parameters()]
text = str(neuron) + str(layer)
"""

# How its second notebook walks the graph that it draws, and its first one prints a result.
GRAPH = """
a, b = Value(2.0), Value(-3.0)
d = a * b + a.relu()
d.backward()
nodes, edges = set(), set()

def build(v):
    if v not in nodes:
        nodes.add(v)
        for child in v._prev:
            edges.add((child, v))
            build(child)

build(d)
numbers = sum(sorted((v.data, v.grad, len(v._prev)) for v in nodes), (len(edges),))
text = str(sorted(v._op.lower() for v in nodes)) + f"{d.data:.4f}"
"""

PROGRAMS = {"expression": EXPRESSION, "regression": REGRESSION, "parts": PARTS, "graph": GRAPH}
uniform = random.Random(4).uniform
START = [uniform(-1, 1) for _ in range(44)]


def outcome(imports: str, program: str) -> dict:
    """The names that are defined once the program has run."""
    names = {"start": START}
    exec(imports + program, names)
    return names


@pytest.fixture
def micrograd():
    """The peer, or a skip where it is not installed."""
    return pytest.importorskip("micrograd.engine")


def test_the_regression_learns():
    numbers = outcome(OUR_IMPORTS, REGRESSION)["numbers"]
    assert numbers[19] < 0.6 * numbers[0]


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_a_program_for_micrograd_runs_after_a_change_of_the_import(program):
    assert outcome(OUR_IMPORTS, program)["numbers"]


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_it_computes_what_micrograd_computes(program, micrograd):
    theirs, ours = (outcome(imports, program) for imports in (MICROGRAD_IMPORTS, OUR_IMPORTS))
    assert ours["numbers"] == pytest.approx(theirs["numbers"], rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("program", [REGRESSION, PARTS], ids=["regression", "parts"])
def test_networks_are_printed_as_micrograd_prints_them(program, micrograd):
    theirs, ours = (outcome(imports, program) for imports in (MICROGRAD_IMPORTS, OUR_IMPORTS))
    assert ours["text"] == theirs["text"]
