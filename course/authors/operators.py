"""The mutation operators: each yields a node of a function and what may stand in its place.

Every replacement is a mistake that somebody could make. What only tells an error in other words,
and what learners are given (signatures, annotations, docstrings), is left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import pairwise

Replacement = tuple[ast.AST, ast.AST]
Operator = Callable[[ast.AST], Iterator[Replacement]]

ARITHMETIC: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
COMPARISONS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ONE_WAY = ast.Sub | ast.Div | ast.FloorDiv | ast.Mod | ast.Pow | ast.MatMult  # a - b is not b - a
WIDE = {"axis": (0, -1, None), "keepdims": (True, False)}  # keywords with operators of their own
LITERAL = ast.Constant | ast.UnaryOp | ast.USub
OPTIONS = ("group", ast.Load), ("options", ast.Load)  # the names that stage 4 has for them
BLOCKS = ("body", "orelse", "finalbody")


def arithmetic(node: ast.AST) -> Iterator[Replacement]:
    """Another operation, and & for |."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield node, changed(node, op=ARITHMETIC[type(node.op)]())


def comparison(node: ast.AST) -> Iterator[Replacement]:
    """A limit that belongs to the other side, and the opposite question."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            for other in COMPARISONS[type(op)]:
                yield node, changed(node, ops=[*node.ops[:i], other(), *node.ops[i + 1 :]])


def constant(node: ast.AST) -> Iterator[Replacement]:
    """A number that is one more, or twice as large if it is no whole one; True for False."""
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, bool):
            yield node, ast.Constant(not value)
        elif isinstance(value, int):
            yield node, ast.Constant(value + 1)
        elif isinstance(value, float):
            yield node, ast.Constant(2 * value or 1.0)


def negation(node: ast.AST) -> Iterator[Replacement]:
    """A sign or a `not` that is forgotten, a condition turned round, `or` for `and`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node, node.operand
    if isinstance(node, ast.BoolOp):
        yield node, changed(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    conditions = node.ifs if isinstance(node, ast.comprehension) else [getattr(node, "test", None)]
    for condition in conditions:
        if isinstance(condition, ast.expr) and not isinstance(condition, ast.Compare | ast.UnaryOp):
            yield condition, ast.UnaryOp(ast.Not(), condition)  # the others are turned above


def deleted_statement(node: ast.AST) -> Iterator[Replacement]:
    """A statement left out; of an `if` around a `raise` the whole."""
    if isinstance(node, ast.stmt | ast.ExceptHandler):
        for block in BLOCKS:
            for statement in getattr(node, block, []):
                guarded = isinstance(node, ast.If) and isinstance(statement, ast.Raise)
                if not guarded and not is_text(statement):
                    yield statement, ast.Pass()


def exchanged_arguments(node: ast.AST) -> Iterator[Replacement]:
    """Two neighbours among arguments, returned values or operands in each other's place."""
    if isinstance(node, ast.Call) and not any(map(is_word, node.args)):
        for args in swaps(node.args):
            yield node, changed(node, args=args)
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        for elements in swaps(node.value.elts):
            yield node.value, changed(node.value, elts=elements)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ONE_WAY):
        yield node, changed(node, left=node.right, right=node.left)


def axis(node: ast.AST) -> Iterator[Replacement]:
    """The first, the last, or all axes in place of the right one."""
    yield from in_keyword(node, "axis")
    if isinstance(node, ast.Call):
        for argument in node.args:
            if isinstance(argument, ast.Name) and argument.id in ("axis", "axes"):
                yield argument, ast.Constant(0)
                yield argument, ast.Constant(-1)


def keepdims(node: ast.AST) -> Iterator[Replacement]:
    """Reduced axes kept, or not."""
    yield from in_keyword(node, "keepdims")


def removed_accumulation(node: ast.AST) -> Iterator[Replacement]:
    """The new in place of the sum: `a = b` for `a += b` and for `a = a + b`."""
    if isinstance(node, ast.AugAssign):
        yield node, ast.Assign([node.target], node.value, lineno=0)
    if isinstance(node, ast.Assign):
        target = ast.unparse(node.targets[0])
        for part in ast.walk(node.value):
            if isinstance(part, ast.BinOp) and ast.unparse(part.left) == target:
                yield part, part.right


def first_group(node: ast.AST) -> Iterator[Replacement]:
    """The options of the first parameter group in place of the group's own."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name) and (child.id, type(child.ctx)) in OPTIONS:
            yield child, expression("self.param_groups[0]")


def ignored_upstream(node: ast.AST) -> Iterator[Replacement]:
    """Ones in place of the gradient of the output."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load):
            if child.id == "g" and not isinstance(node, ast.Attribute):  # g.shape stays what it is
                yield child, expression("0 * g + 1")
            if child.id == "unchanged":
                yield child, expression("lambda g: 0 * g + 1")
        if isinstance(child, ast.Attribute):
            if child.attr == "grad" and isinstance(node, ast.BinOp):
                yield child, expression(f"0 * {ast.unparse(child)} + 1")
            if ast.unparse(child) == "np.negative":
                yield child, expression("lambda g: 0 * g - 1")


OPERATORS: dict[str, Operator] = {
    operator.__name__.replace("_", " "): operator
    for operator in (
        arithmetic,
        comparison,
        constant,
        negation,
        deleted_statement,
        exchanged_arguments,
        axis,
        keepdims,
        removed_accumulation,
        first_group,
        ignored_upstream,
    )
}


def replacements(function: ast.AST) -> Iterator[tuple[str, ast.AST, ast.AST]]:
    """Every operator at every place of a function: its name, the node, what replaces it."""
    for node in nodes(function):
        for name, operator in OPERATORS.items():
            for old, new in operator(node):
                if ast.dump(old) != ast.dump(new):
                    yield name, old, new


def nodes(node: ast.AST, given: bool = True) -> Iterator[ast.AST]:
    """The node and what lies in it; not what is `given`, nor what makes the text of an error."""
    yield node
    if isinstance(node, ast.Raise):
        return
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list") or (given and name == "args"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST) and not is_text(child) and not has_operator(child):
                yield from nodes(child, given=False)


def has_operator(node: ast.AST) -> bool:
    """True for `axis=-1`, whose number no other operator changes."""
    if not (isinstance(node, ast.keyword) and node.arg in WIDE):
        return False
    return all(isinstance(part, LITERAL) for part in ast.walk(node.value))


def is_text(node: ast.AST) -> bool:
    """True for a docstring, and for words put together."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Expr) and is_word(node.value))


def is_word(node: ast.AST) -> bool:
    """True for a string: among arguments it is the name of an operation, for errors."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def in_keyword(node: ast.AST, name: str) -> Iterator[Replacement]:
    """Every other value of a keyword that has an operator of its own."""
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg == name:
                for value in WIDE[name]:
                    if ast.unparse(keyword.value) != str(value):
                        yield keyword.value, ast.Constant(value)


def swaps(items: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """The list with two neighbours exchanged, once for each pair.

    Not two edges of a node of the graph, `(a, vjp_a), (b, vjp_b)`: their order says nothing.
    """
    for i, (a, b) in enumerate(pairwise(items)):
        edges = isinstance(a, ast.Tuple) and isinstance(b, ast.Tuple)
        if not (edges or isinstance(a, ast.Starred) or isinstance(b, ast.Starred)):
            yield [*items[:i], b, a, *items[i + 2 :]]


def expression(text: str) -> ast.expr:
    """An expression from its text."""
    return ast.parse(text, mode="eval").body


def changed(node: ast.AST, **fields) -> ast.AST:
    """A copy of a node with other fields."""
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})
