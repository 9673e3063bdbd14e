"""New names of parameters, carried into functions that a learner has written with the old ones."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator

from course.workspace import stubs


def carry_new_names(own: str, old: str, new: str) -> tuple[str, str, str]:
    """The three versions of a file, the first two with the parameter names of the third.

    Only the names change: a function whose parameters differ in number stays as it is, and so does
    one in which the learner already uses a new name for something else.

    Raises:    SyntaxError: if Python cannot read a version.
    """
    for name in stubs.functions(old).keys() & stubs.functions(new).keys():
        before, after = parameters(old, name), parameters(new, name)
        names = {a: b for a, b in zip(before, after) if a != b}
        if not names or len(before) != len(after) or set(before) & set(names.values()):
            continue
        old = stubs.replace(old, name, renamed(stubs.extract(old, name), names))
        if name in stubs.functions(own) and parameters(own, name) == before:
            text = stubs.extract(own, name)
            if not set(names.values()) & set(re.findall(r"(?<!\.)\b\w+", text)):
                own = stubs.replace(own, name, renamed(text, names))
    return own, old, new


def parameters(source: str, name: str) -> list[str]:
    """The names of a function's parameters, in order."""
    a = stubs.functions(source)[name].args
    found = [*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg]
    return [p.arg for p in found if p is not None]


def renamed(text: str, names: dict[str, str]) -> str:
    """The text of a function with other names, except for attributes and keywords of calls."""
    lines = text.split("\n")
    for row, column, word in reversed([*occurrences(text, names)]):
        line = lines[row]
        new = names.get(word) or re.sub(
            r"\{[^{}]*\}",
            lambda braces: re.sub(r"(?<!\.)\b\w+", lambda m: names.get(m[0], m[0]), braces[0]),
            word,
        )
        lines[row] = line[:column] + new + line[column + len(word) :]
    return "\n".join(lines)


def occurrences(text: str, names: dict[str, str]) -> Iterator[tuple[int, int, str]]:
    """Row, column and text of every name to change, and of every f-string on one line."""
    tokens = [*tokenize.generate_tokens(io.StringIO(text).readline)]
    depth, in_header = 0, True
    for token, before, after in zip(tokens[1:], tokens, tokens[2:]):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
            in_header = in_header and not (token.string == ":" and depth == 0)
        keyword = after.string == "=" and depth > 0 and not in_header
        if token.type == tokenize.NAME and token.string in names:
            if before.string != "." and not keyword:
                yield token.start[0] - 1, token.start[1], token.string
        elif token.type == tokenize.STRING and token.start[0] == token.end[0]:
            prefix = token.string.partition(token.string[-1])[0]
            if "f" in prefix.lower():
                yield token.start[0] - 1, token.start[1], token.string
