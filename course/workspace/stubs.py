"""Exercises cut out of the reference, and functions exchanged between two versions of a file.

Works on the text between the lines that the standard `ast` module names, so signatures,
docstrings, comments and layout stay as they are. Functions are named as in `exercises.toml`,
within their file: `Value.__add__`, `topological_order`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from course import UsageError

Function = ast.FunctionDef | ast.AsyncFunctionDef


def stub(source: str, unfinished: Mapping[str, str]) -> str:
    """`source` with the body of each named function replaced by a NotImplementedError.

    `unfinished` maps the name of a function to the message that its stub raises.

    Raises:    UsageError: if the file has no such function.
    """
    lines = source.split("\n")
    found = functions(source)
    for name in sorted(unfinished.keys() - found.keys()):
        raise UsageError(
            f"stub: expected a function {name} for {unfinished[name]}, got none; "
            "mend exercises.toml, or type: course check"
        )
    for name in sorted(unfinished, key=lambda name: found[name].lineno, reverse=True):
        node = found[name]
        end = lines[_last_line(node) - 1]
        newline = "\r" if end.endswith("\r") else ""
        indent = " " * node.body[0].col_offset
        body = f'{indent}raise NotImplementedError("{unfinished[name]}"){newline}'
        lines[_last_line_before_body(node, lines) : _last_line(node)] = [body]
    return "\n".join(lines)


def functions(source: str) -> dict[str, Function]:
    """Every function of a file by its dotted name.

    Raises:    SyntaxError: if the source does not parse.
    """
    found = {}

    def collect(parent: ast.AST, prefix: str) -> None:
        for node in ast.iter_child_nodes(parent):
            if isinstance(node, Function):
                found[prefix + node.name] = node
            elif isinstance(node, ast.ClassDef):
                collect(node, f"{prefix}{node.name}.")

    collect(ast.parse(source), "")
    return found


def extract(source: str, name: str) -> str:
    """The text of one function, decorators included, indented as it stands.

    Raises:    KeyError: if the file has no such function.
    """
    node = functions(source)[name]
    return "\n".join(source.split("\n")[_first_line(node) - 1 : _last_line(node)])


def replace(source: str, name: str, text: str) -> str:
    """`source` with the text of one function exchanged for `text`; the line ends of `source` win.

    Raises:    KeyError: if the file has no such function.
    """
    node = functions(source)[name]
    lines = source.split("\n")
    newline = "\r" if lines[node.lineno - 1].endswith("\r") else ""
    new = [line.removesuffix("\r") + newline for line in text.split("\n")]
    lines[_first_line(node) - 1 : _last_line(node)] = new
    return "\n".join(lines)


def is_stub(node: Function) -> bool:
    """True if the function still is what `stub` made of it."""
    statements = node.body[1:] if ast.get_docstring(node) is not None else node.body
    last = node.body[-1]
    return (
        statements == [last]
        and isinstance(last, ast.Raise)
        and isinstance(last.exc, ast.Call)
        and isinstance(last.exc.func, ast.Name)
        and last.exc.func.id == "NotImplementedError"
        and ast.unparse(last.exc.args[0] if last.exc.args else last.exc).startswith("'exercise ")
    )


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _last_line(node: ast.stmt) -> int:
    assert node.end_lineno is not None  # it is set on everything that came out of ast.parse
    return node.end_lineno


def _last_line_before_body(node: Function, lines: list[str]) -> int:
    """The last line of the docstring or, without one, of the signature."""
    if ast.get_docstring(node) is not None:
        return _last_line(node.body[0])
    before = _first_line(node.body[0]) - 1
    while not lines[before - 1].strip() or lines[before - 1].lstrip().startswith("#"):
        before -= 1  # a comment above the first statement belongs to the body
    return before
