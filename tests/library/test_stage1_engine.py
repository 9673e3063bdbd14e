"""The scalar engine beyond the exercises: long chains, memory, repeated use, identity."""

import gc
import math

import pytest

from stage1_autodiff import (
    MLP,
    Value,
    dot,
    explain,
    hinge_loss,
    topological_order,
    train,
    two_moons,
)
from tests.library.samples import rng

OPERATIONS = {
    "a + b": lambda a, b: a + b,
    "a - b": lambda a, b: a - b,
    "a * b": lambda a, b: a * b,
    "a / b": lambda a, b: a / b,
    "a ** b": lambda a, b: a**b,
    "a ** 3": lambda a, b: a**3,
    "-a": lambda a, b: -a,
    "2 + a": lambda a, b: 2 + a,
    "2 - a": lambda a, b: 2 - a,
    "2 * a": lambda a, b: 2 * a,
    "2 / a": lambda a, b: 2 / a,
    "2 ** a": lambda a, b: 2**a,
    "abs(a)": lambda a, b: abs(a),
    "exp": lambda a, b: a.exp(),
    "log": lambda a, b: a.log(),
    "tanh": lambda a, b: a.tanh(),
    "sigmoid": lambda a, b: a.sigmoid(),
    "relu": lambda a, b: a.relu(),
    "sin": lambda a, b: a.sin(),
    "cos": lambda a, b: a.cos(),
    "sqrt": lambda a, b: a.sqrt(),
}


def live_values() -> int:
    """How many Values exist at this moment."""
    return sum(type(thing) is Value for thing in gc.get_objects())


@pytest.fixture
def no_collector():
    """Only reference counting frees memory while the test runs."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


# Size and memory.


def test_a_chain_of_a_million_operations_is_walked_and_freed(no_collector):
    before = live_values()
    x = Value(1.0)
    y = x
    for _ in range(1_000_000):
        y = y + x
    y.backward()
    assert x.grad == 1_000_001
    del y
    assert live_values() == before + 1


def test_a_graph_with_a_billion_paths_takes_one_visit_per_node():
    x = Value(1.0)
    y = x
    for _ in range(30):
        y = y + y
    y.backward()
    assert x.grad == 2**30
    assert len(topological_order(y)) == 31


@pytest.mark.parametrize("f", OPERATIONS.values(), ids=OPERATIONS.keys())
def test_every_operation_is_freed_by_reference_counting_alone(f, no_collector):
    before = live_values()
    a, b = Value(1.5), Value(0.5)
    y = f(a, b) * f(a, b)
    y.backward()
    del a, b, y
    assert live_values() == before


def test_no_node_is_part_of_a_cycle():
    gc.collect()
    a = Value(1.5)
    y = (a * a + a.tanh() / 2).exp() ** a
    y.backward()
    del a, y
    assert gc.collect() == 0


def test_intermediate_results_that_nobody_needs_are_freed_at_once(no_collector):
    a = Value(1.0)
    before = live_values()
    for _ in range(100):
        a * 2 + 1
    assert live_values() == before


# Repeated use.


def test_a_second_backward_doubles_the_leaves_of_a_graph_with_shared_nodes():
    a, b = Value(0.3), Value(-1.2)
    c = (a * b).tanh()
    y = c * c + c.exp() * a
    y.backward()
    once = [a.grad, b.grad]
    y.backward()
    assert [a.grad, b.grad] == pytest.approx([2 * g for g in once], rel=1e-14)


def test_interior_gradients_are_those_of_the_latest_backward():
    a = Value(3.0)
    b = a * a
    (b * 2).backward()
    (b * 5).backward()
    assert (a.grad, b.grad) == (2 * 6 + 5 * 6, 5)


def test_backward_from_a_leaf_adds_one_to_its_gradient():
    a = Value(3.0)
    a.backward()
    a.backward()
    assert a.grad == 2


def test_gradients_belong_to_the_numbers_at_the_time_of_the_operation():
    a, b = Value(2.0), Value(3.0)
    c = a * b
    a.data = 10.0
    c.backward()
    assert b.grad == 2.0


# Values among other Python objects.


def test_equality_and_hash_are_those_of_identity():
    assert Value.__eq__ is object.__eq__
    assert Value.__hash__ is object.__hash__


def test_equal_numbers_are_two_keys_of_a_dictionary():
    assert len({Value(1.0): "a", Value(1.0): "b"}) == 2


def test_comparisons_look_at_the_numbers():
    one, two = Value(1.0), Value(2.0)
    assert one < 2
    assert two > one
    assert not one > 1
    assert not two < 2


def test_max_finds_the_value_with_the_largest_number():
    small, large = Value(-1.0), Value(4.0)
    assert max(small, large) is large


def test_a_value_takes_no_new_attributes():
    with pytest.raises(AttributeError):
        Value(1.0).gradient = 1.0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Value(2.0), "Value(data=2, grad=0)"),
        (Value(1 / 3), "Value(data=0.333333, grad=0)"),
        (Value(-1.5e-10, label="w"), "Value(data=-1.5e-10, grad=0, label='w')"),
        (Value(math.nan), "Value(data=nan, grad=0)"),
    ],
    ids=["whole", "rounded", "labelled", "nan"],
)
def test_repr(value, text):
    assert repr(value) == text


def test_repr_shows_the_gradient():
    a = Value(2.0)
    (a * a).backward()
    assert repr(a) == "Value(data=2, grad=4)"


@pytest.mark.parametrize(
    ("f", "op"),
    [
        (lambda a: a + 1, "+"),
        (lambda a: a - 1, "-"),
        (lambda a: a * 1, "*"),
        (lambda a: a / 1, "/"),
        (lambda a: a**2, "** 2"),
        (lambda a: a**0.5, "** 0.5"),
        (lambda a: a**a, "**"),
        (lambda a: -a, "neg"),
        (lambda a: abs(a), "abs"),
        (lambda a: a.relu(), "relu"),
    ],
)
def test_a_node_names_its_operation(f, op):
    assert f(Value(3.0)).op == op


# Zeros


def test_nothing_is_sent_where_the_gradient_or_the_partial_is_0():
    x, y = Value(0.0), Value(-1.0)
    (x.sqrt() * 0).backward()  # the slope of the root is infinite
    (y.relu() / 1e-300 / 1e-300).backward()  # an infinite gradient arrives at a slope of 0
    assert (x.grad, y.grad) == (0.0, 0.0)


def test_what_the_microscope_sends_is_what_backward_sends():
    x = Value(0.0, label="x")
    y = x.sqrt() * 0
    assert [row.sent for row in explain(y).rows if row.op == "sqrt"] == [(0.0,)]


@pytest.fixture
def pruned(monkeypatch):
    monkeypatch.setattr(Value, "prune", True)


def test_a_relu_that_is_off_is_a_leaf_of_a_pruned_graph(pruned):
    x = Value(-1.0)
    assert x.relu().parents == dot([x], [2.0], x, nonlin=True).parents == ()
    assert math.isnan(Value(math.nan).relu().data)


def test_pruning_changes_no_gradient(monkeypatch):
    points, labels = two_moons(20, rng=rng())
    found = []
    for prune in (False, True):
        monkeypatch.setattr(Value, "prune", prune)
        model = MLP(2, [4, 4, 1], rng=rng())
        history = train(model, lambda m=model: hinge_loss(m, points, labels), 5, 0.5)
        found.append([*history, *(p.grad for p in model.parameters())])
    assert found[0] == found[1]
