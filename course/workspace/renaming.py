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
            if not set(names.values()) & {word for _, _, word in identifiers(text)}:
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
    for row, column, word in reversed([*identifiers(text)]):
        line = lines[row]
        lines[row] = line[:column] + names.get(word, word) + line[column + len(word) :]
    return "\n".join(lines)


def identifiers(text: str) -> Iterator[tuple[int, int, str]]:
    """Row, column and text of every name of a variable, those in f-strings of one line too."""
    tokens = [*tokenize.generate_tokens(io.StringIO(text).readline)]
    depth, in_header = 0, True
    for token, before, after in zip(tokens[1:], tokens, tokens[2:]):
        row, column = token.start[0] - 1, token.start[1]
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
            in_header = in_header and not (token.string == ":" and depth == 0)
        keyword = after.string == "=" and depth > 0 and not in_header
        if token.type == tokenize.NAME and before.string != "." and not keyword:
            yield row, column, token.string
        elif is_f_string(token):
            for braces in re.finditer(r"\{[^{}]*\}", token.string):
                for word in re.finditer(r"(?<![.\w])[A-Za-z_]\w*", braces[0]):
                    yield row, column + braces.start() + word.start(), word[0]


def is_f_string(token: tokenize.TokenInfo) -> bool:
    """True for an f-string of one line. From Python 3.12 on, none is a single token."""
    if token.type != tokenize.STRING or token.start[0] != token.end[0]:
        return False
    return "f" in token.string.partition(token.string[-1])[0].lower()
