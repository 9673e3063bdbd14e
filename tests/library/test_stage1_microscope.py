"""The microscope: the table of a backward pass, and the first bad number of a graph."""

import math

import numpy as np
import pytest

from stage1_autodiff import MLP, Value, dot, explain, find_break, hinge_loss, two_moons


def test_explain_has_value_local_derivative_incoming_and_outgoing_gradient():
    a, b = Value(2, label="a"), Value(-3, label="b")
    root = 4 * (a * b)
    times, product = explain(root).rows[0], explain(root).rows[1]
    assert (times.value, times.gradient, times.local[1], times.sent[1]) == (-24, 1, 4, 4)
    assert (product.value, product.gradient) == (-6, 4)
    assert (product.parents, product.local, product.sent) == (("a", "b"), (-3, 2), (-12, 8))


def test_explain_adds_up_the_shares_of_a_shared_node():
    x = Value(3, label="x")
    y = x * 2
    y.label = "y"
    gradient = {row.name: row.gradient for row in explain(y * 4 + y * 7).rows}
    assert gradient["y"] == 11
    assert gradient["x"] == 22


def test_explain_prints_a_table():
    a, b = Value(2, label="a"), Value(-3, label="b")
    root = a * b
    root.label = "L"
    assert str(explain(root)).split("\n") == [
        "node        value    gradient       local       sends  to",
        "L (*)          -6           1          -3          -3  a",
        "                                        2           2  b",
        "b              -3           2",
        "a               2          -3",
    ]


@pytest.mark.parametrize("look", [explain, find_break])
def test_looking_needs_no_backward_and_leaves_gradients_alone(look):
    x = Value(0.5)
    y = x.exp()
    x.grad, y.grad = 7.0, 8.0
    look(y * 2)
    assert (x.grad, y.grad) == (7.0, 8.0)


def test_agrees_with_backward():
    rng = np.random.default_rng(0)
    root = MLP(2, [3, 1], rng)([Value(1.5), Value(-0.5)])
    root.backward()
    order = explain(root).rows
    assert sorted(row.gradient for row in order) == sorted(node.grad for node in nodes_of(root))


def nodes_of(root):
    """Every node below root, root included."""
    seen, stack = {root}, [root]
    while stack:
        new = set(stack.pop().parents) - seen
        seen |= new
        stack += new
    return seen


def test_all_is_well():
    model = MLP(2, [8, 8, 1], np.random.default_rng(0))
    points, labels = two_moons(20, rng=np.random.default_rng(1))
    assert find_break(hinge_loss(model, points, labels)) is None


def test_first_infinite_value_is_named_with_operation_and_operands():
    a = Value(1000, label="a")
    y = a.exp()
    y.label = "y"
    found = find_break(1 / (y * y))
    assert found is not None
    assert (found.node, found.kind, found.quantity) == (y, "infinite", "value")
    assert found.operands == (a,)
    assert str(found) == (
        "The value of `y` is infinite: `exp` made it from finite numbers. The operand is a = 1000."
    )


def test_leaf_that_came_in_as_nan_is_named():
    x = Value(math.nan, label="x")
    found = find_break(x + 1)
    assert found is not None
    assert (found.node, found.kind, found.quantity, found.operands) == (x, "nan", "value", ())
    assert str(found) == "The value of `x` is NaN: it is a leaf and came in like this."


def test_infinite_gradient_is_named_with_the_operation_that_sent_it():
    x = Value(0, label="x")
    found = find_break(2 * x.sqrt())
    assert found is not None
    assert (found.node, found.kind, found.quantity) == (x, "infinite", "gradient")
    assert str(found) == (
        "The gradient of `x` is infinite: `sqrt` sent inf * 2 = inf. The operand is x = 0."
    )


def test_vanished_gradient_of_a_chain_of_sigmoids_is_named():
    x = Value(0.5, label="x")
    nodes = [x]
    for i in range(1, 31):
        nodes.append(nodes[-1].sigmoid())
        nodes[-1].label = f"h{i}"
    found = find_break(nodes[-1])
    assert found is not None
    assert (found.kind, found.quantity) == ("vanished", "gradient")
    nodes[-1].backward()
    assert abs(found.node.grad) < 1e-12
    assert all(abs(n.grad) >= 1e-12 for n in nodes[nodes.index(found.node) + 1 :])
    assert found.operands == (found.node,)


def test_gradient_that_a_saturated_tanh_rounded_to_zero_has_vanished():
    x = Value(50, label="x")
    found = find_break(x.tanh() + Value(1))
    assert found is not None
    assert (found.node, found.kind) == (x, "vanished")


def test_a_network_that_is_dead_as_a_whole_is_reported():
    x = Value(-3, label="x")
    found = find_break(5 * Value(0) * x.relu())
    assert found is not None
    assert found.kind == "vanished"
    assert "no leaf receives anything" in str(found)


HEALTHY = {
    "a relu that is off beside a path that is on": lambda x: (-x).relu() + x,
    "a factor of 0": lambda x: x * 0,
    "a leaf alone": lambda x: x,
    "two shares that cancel exactly": lambda x: x - x,
    "two shares that cancel up to rounding": lambda x: x.sin() ** 2 + x.cos() ** 2,
    "a constant exponent under a negative base": lambda x: (-x) ** Value(2.0),
    "a small gradient": lambda x: x * 1e-11,
}


@pytest.mark.parametrize("f", HEALTHY.values(), ids=HEALTHY.keys())
def test_no_false_alarm(f):
    assert find_break(f(Value(0.3))) is None


def test_exponent_with_a_label_is_not_taken_for_a_constant():
    n = Value(2, label="n")
    found = find_break(Value(-3, label="x") ** n)
    assert found is not None
    assert (found.node, found.kind, found.quantity) == (n, "nan", "gradient")


def test_nan_gradient_is_named_before_a_vanished_one():
    n = Value(2, label="n")
    found = find_break(Value(50).tanh() * 2 + Value(-3) ** n)
    assert found is not None
    assert (found.node, found.kind) == (n, "nan")


def test_of_many_operands_four_are_listed():
    w = [Value(1e308, label=f"w{i}") for i in range(1, 7)]
    root = dot(w[:5], [1.0] * 5, w[5])
    assert str(find_break(root)).endswith(
        "The operands are w6 = 1e+308, w1 = 1e+308, w2 = 1e+308, w3 = 1e+308, and 2 more."
    )


def test_long_chains_are_walked_without_recursion():
    y = x = Value(1)
    for _ in range(20_000):
        y = y + x
    assert find_break(y) is None
    assert len(explain(y).rows) == 20_001
