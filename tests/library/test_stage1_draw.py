"""The drawing and the film: what they show, how they are shown, and what they leave alone."""

import base64
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from stage1_autodiff import MLP, Value, draw, film

SVG = "{http://www.w3.org/2000/svg}"


def expression() -> Value:
    """L = (a * b + c) * f, with a label on each node and gradients filled in."""
    a, b, c, f = (Value(x, label=name) for x, name in zip([2, -3, 10, -2], "abcf"))
    e = a * b
    e.label = "e"
    d = e + c
    d.label = "d"
    root = d * f
    root.label = "L"
    root.backward()
    return root


def shared() -> Value:
    """a * b + a * c: a has two consumers."""
    a, b, c = (Value(x, label=name) for x, name in zip([2, 3, 4], "abc"))
    return a * b + a * c


def texts(svg: str) -> list[str]:
    """Every text of an SVG document, which must be well-formed XML."""
    return [e.text or "" for e in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def chain(n: int) -> Value:
    """n additions in a row, each of a new leaf: 2 n + 1 nodes."""
    y = Value(0)
    for _ in range(n):
        y = y + 1
    return y


def test_outline_names_every_node_with_data_and_gradient():
    assert str(draw(expression())) == "\n".join(
        [
            "L = -8, grad 1 (*)",
            "  d = 4, grad -2 (+)",
            "    e = -6, grad -2 (*)",
            "      a = 2, grad 6",
            "      b = -3, grad -4",
            "    c = 10, grad -2",
            "  f = -2, grad 4",
        ]
    )


def test_outline_tells_a_shared_node_once_and_then_refers_to_it():
    lines = [line.strip() for line in str(draw(shared())).split("\n")]
    assert lines[2] == "a = 2, grad 0"
    assert lines[5] == "a (see above)"


def test_outline_of_a_large_graph_is_cut_and_says_so():
    lines = str(draw(chain(500))).split("\n")
    assert len(lines) == 201
    assert lines[-1] == "... 801 more nodes"


def test_notebook_gets_an_image_and_the_outline():
    drawing = draw(expression())
    bundle = drawing._repr_mimebundle_()
    head = '<img alt="graph of 7 nodes, root L" src="data:image/svg+xml;base64,'
    assert bundle["text/plain"] == str(drawing)
    assert bundle["text/html"].startswith(head)
    data = bundle["text/html"].removeprefix(head).removesuffix('">')
    assert base64.b64decode(data).decode() == drawing.svg


def test_picture_shows_label_operation_data_and_gradient():
    shown = texts(draw(expression()).svg)
    assert {"a", "e", "data", "-6", "grad", "-4", "+", "\N{MULTIPLICATION SIGN}"} <= set(shown)


def test_leaves_look_different_from_operations():
    svg = draw(expression()).svg
    assert svg.count('class="leaf card"') == 4
    assert svg.count('class="op card"') == 3


def test_partials_are_written_on_the_edges_on_demand():
    x = Value(0.5, label="x")
    assert "0.75" not in texts(draw(x**3).svg)
    assert "0.75" in texts(draw(x**3, partials=True).svg)


def test_picture_is_of_the_moment_it_was_taken():
    root = expression()
    drawing = draw(root)
    before = drawing.svg, str(drawing)
    root.parents[1].data = 123.0
    assert (drawing.svg, str(drawing)) == before


@pytest.mark.parametrize("label", ['a<b & "c"', "]]>", "\\", "</text>", "`#1;`", "a\nb\x00c"])
def test_labels_are_escaped(label):
    root = Value(1.5, label=label) * 2
    shown = label.replace("\n", " ").replace("\x00", " ")
    drawing = draw(root)
    assert shown in texts(drawing.svg)
    assert shown in texts(film(root).svg)
    assert shown in str(drawing)
    assert drawing.to_dot().count("\n") == draw(Value(1.5, label="x") * 2).to_dot().count("\n")
    ElementTree.fromstring(drawing._repr_mimebundle_()["text/html"].replace('">', '"/>'))


def test_quotes_and_backslashes_are_escaped_in_dot():
    assert r'label="a\"b\\\ndata 1' in draw(Value(1, label='a"b\\')).to_dot()


def test_mermaid_gets_entities_for_everything_it_could_mistake():
    assert 'n0("a#60;b#34;<br/>data 1' in draw(Value(1, label='a<b"')).to_mermaid()


def test_dot_and_mermaid_have_every_edge():
    drawing = draw(shared())
    assert drawing.to_dot().count("->") == 6
    assert drawing.to_mermaid().count("-->") == 6


def test_an_edge_for_each_use_of_the_same_parent():
    a = Value(3)
    assert draw(a * a).svg.count('class="tip"') == 2


def test_picture_is_saved_as_a_file(tmp_path):
    drawing = draw(expression())
    drawing.save(tmp_path / "graph.svg")
    assert (tmp_path / "graph.svg").read_text(encoding="utf-8") == drawing.svg


def test_every_process_draws_the_same_bytes():
    program = (
        "import numpy as np\n"
        "from stage1_autodiff import MLP, draw, film\n"
        "y = MLP(2, [3, 1], np.random.default_rng(0))([1.0, -2.0])\n"
        "print(draw(y).svg, draw(y), draw(y).to_dot(), draw(y).to_mermaid(), film(y).svg)"
    )
    one, two = (
        subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout
        for _ in range(2)
    )
    assert one == two
    assert b"0x" not in one


def test_large_graphs_are_drawn_without_recursion():
    assert len(draw(chain(999)).cards) == 1999


def test_a_node_with_consumers_far_away_is_drawn():
    x = y = Value(1)
    for _ in range(500):
        y = y + x
    assert draw(y).svg.count('class="op card"') == 500


def test_cards_do_not_overlap():
    y = MLP(3, [5, 4, 1], np.random.default_rng(0))([Value(1), Value(2), Value(3)])
    root = ElementTree.fromstring(draw(y).svg)
    boxes = [
        tuple(int(e.get(key, "")) for key in ("x", "y", "width", "height"))
        for e in root.iter(f"{SVG}rect")
        if "card" in e.get("class", "")
    ]
    for i, (x, top, width, height) in enumerate(boxes):
        for x2, top2, _, _ in boxes[i + 1 :]:
            assert x2 >= x + width or abs(top - top2) >= height or x2 < x


@pytest.mark.parametrize("n, function", [(1000, draw), (30, film)])
def test_a_graph_that_is_too_large_is_refused_with_a_way_out(n, function):
    with pytest.raises(
        ValueError, match=r"^(draw|film): expected at most \d+ nodes, got more; take"
    ):
        function(chain(n))


def test_nodes_need_no_more_than_parents():
    class Bare:
        def __init__(self, *parents):
            self.parents = parents

    assert str(draw(Bare(Bare(), Bare()))).startswith("leaf#3 = None, grad None\n  leaf#1")


def test_film_lists_one_step_per_node_in_the_order_of_backward():
    assert str(film(shared())).split("\n") == [
        "1. + has its whole gradient, 1. It sends 1 * 1 = 1 to *#1, 1 * 1 = 1 to *#2.",
        "2. *#2 has its whole gradient, 1. It sends 4 * 1 = 4 to a, 2 * 1 = 2 to c.",
        "3. c has its whole gradient, 2. It is a leaf, and keeps it.",
        "4. *#1 has its whole gradient, 1. It sends 3 * 1 = 3 to a, 2 * 1 = 2 to b.",
        "5. b has its whole gradient, 2. It is a leaf, and keeps it.",
        "6. a has its whole gradient, 7. It is a leaf, and keeps it.",
    ]


def test_film_shows_a_shared_node_adding():
    shown = texts(film(shared()).svg)
    assert "4 + 3" in shown
    assert "7" in shown


def test_film_adds_two_shares_that_come_from_one_node():
    a = Value(3, label="a")
    assert "3 + 3" in texts(film(a * a).svg)


def test_film_moves_without_scripts_for_ever():
    svg = film(shared()).svg
    assert "<script" not in svg
    assert svg.count("<animate") == svg.count('repeatCount="indefinite"') > 0


@pytest.mark.parametrize("look", [draw, film])
def test_looking_leaves_the_gradients_alone(look):
    root = expression()
    before = [node.grad for node in (root, *root.parents)]
    look(root)
    assert [node.grad for node in (root, *root.parents)] == before
