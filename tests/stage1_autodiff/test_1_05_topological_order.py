"""Exercise 1.5: every node after its parents, on any node that has `.parents`."""

from course import grade
from course.grade import exercise
from stage1_autodiff import topological_order

pytestmark = exercise("1.5")


class Node:
    """The least that a node can be."""

    def __init__(self, name, *parents):
        self.name = name
        self.parents = parents


class CountingNode:
    """A node that counts how often its parents are read, and how often it is compared."""

    reads = comparisons = 0

    def __init__(self, name, *parents):
        self.name = name
        self._parents = parents

    @property
    def parents(self):
        CountingNode.reads += 1
        return self._parents

    def __eq__(self, other):
        CountingNode.comparisons += 1
        return self is other

    __hash__ = object.__hash__


def check(root, count):
    """The order of `root` has all `count` nodes, each once, parents first, `root` last."""
    order = list(topological_order(root))
    names = " ".join(str(node.name) for node in order[:12])
    told = f"topological_order(root): {names}{' ...' if len(order) > 12 else ''}"
    place = {node: i for i, node in enumerate(order)}
    wrong = {
        0: "the list is empty: append each node, leaves and the root too, after its parents",
        count - 1: "a node is missing: the root belongs to the order, and so does every leaf",
    }
    if len(order) > len(place):
        why = "a node stands in the order more than once: remember which ones you have seen"
        grade.true(False, told, why)
    grade.close(len(order), count, f"the number of nodes in it, {told}", wrong)
    late = [n for n in order for p in n.parents if place[p] > place[n]]
    if late and place[root] == 0:
        grade.true(False, told, "this is the reverse order: the root must come last")
    if late:
        grade.true(False, told, f"node {late[0].name} stands before one of its parents")
    grade.true(order[-1] is root, told, "the root must come last")


def test_a_leaf_alone():
    root = Node("x")
    check(root, 1)


def test_a_chain():
    a = Node("a")
    b = Node("b", a)
    root = Node("c", b)
    check(root, 3)


def test_a_node_with_two_parents():
    a, b = Node("a"), Node("b")
    root = Node("c", a, b)
    check(root, 3)


def test_a_node_used_by_two_others_waits_for_neither():
    x = Node("x")
    y = Node("y", x)
    left, right = Node("left", y), Node("right", y)
    root = Node("root", left, right)
    check(root, 5)


def test_a_short_and_a_long_way_to_the_same_node():
    x = Node("x")
    far = Node("far", Node("middle", Node("near", x)))
    root = Node("root", x, far)
    check(root, 5)


def test_the_long_way_first():
    x = Node("x")
    far = Node("far", Node("middle", Node("near", x)))
    root = Node("root", far, x)
    check(root, 5)


def test_a_parent_that_is_also_a_grandparent():
    a = Node("a")
    b = Node("b", a)
    c = Node("c", b, a)
    root = Node("d", a, c, b)
    check(root, 4)


def test_the_same_parent_twice():
    a = Node("a")
    b = Node("b", a, a)
    root = Node("c", b, b)
    check(root, 3)


def test_a_ladder_has_more_paths_than_nodes():
    node = CountingNode(0)
    for step in range(1, 16):
        node = CountingNode(step, node, node)
    CountingNode.reads = 0
    topological_order(node)
    reads = CountingNode.reads
    why = "the walk follows every path: do not go into a node that you have seen already"
    grade.true(reads < 16 * 20, f"16 nodes are asked for their parents {reads} times", why)
    check(node, 16)


def test_a_fan_of_500_nodes_is_walked_without_a_search():
    leaves = [CountingNode(i) for i in range(500)]
    root = CountingNode("root", *leaves)
    CountingNode.comparisons = 0
    topological_order(root)
    found = CountingNode.comparisons
    why = "`in` looks through a list from its beginning: keep the nodes you have seen in a set"
    grade.true(found < 500 * 20, f"501 nodes are compared {found} times", why)


def test_a_second_order_of_one_graph_is_as_long():
    x = Node("x")
    y = Node("y", x)
    root = Node("root", x, y)
    check(root, 3)
    again = len(list(topological_order(root)))
    why = "the second call knows the nodes of the first: make `seen` anew in every call"
    grade.close(again, 3, "the number of nodes in a second order", {0: why, 1: why})


def test_a_chain_of_10000_nodes_needs_no_recursion():
    node = Node(0)
    for step in range(1, 10_000):
        node = Node(step, node)
    check(node, 10_000)
