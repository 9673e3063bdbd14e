"""Names that a learner's function still uses, and the new version of its file no longer has.

A helper may have moved or got another name since the function was written. Where it has moved it
is imported; where it is gone, its old definition is set below the learner's functions.
"""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterator, Mapping

Files = Mapping[str, str]  # the text of each Python file of the course, by its place in a workspace


def mend(name: str, text: str, old: Files, new: Files) -> str:
    """The text of a file, with every name that it had in the old version and lacks in the new.

    Raises:    SyntaxError: if Python cannot read the text.
    """
    tried: set[str] = set()
    origins = [name]  # the files whose old versions knew the names
    while missing := sorted(undefined(text) - tried):
        for word in missing:
            tried.add(word)
            if line := import_of(word, name, new):
                text = with_import(text, line)
                continue
            for origin in [*origins]:
                definition, source = definition_of(word, origin, old)
                if definition:
                    text = with_definition(text, definition)
                    origins.append(source)
                    break
    return text


def undefined(text: str) -> set[str]:
    """The names that a file reads and nobody defines."""
    top = symtable.symtable(text, "file", "exec")
    known = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
    known |= {table.get_name() for table in top.get_children()}
    known |= {"__name__", "__file__", "__doc__", *dir(builtins)}

    def read(table: symtable.SymbolTable) -> Iterator[str]:
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (table is top or symbol.is_global()):
                yield symbol.get_name()
        for inner in table.get_children():
            yield from read(inner)

    return set(read(top)) - known


def import_of(word: str, name: str, new: Files) -> str:
    """The line that imports a word from where the new course defines it; "" if it does not."""
    package = name.split("/")[0]
    for other, text in new.items():
        defines = other.split("/")[0] == package and other != name and word in definitions(text)
        if defines and name not in imported_by(other, new):
            return f"from {module(other)} import {word}"
    return ""


def definition_of(word: str, name: str, old: Files) -> tuple[str, str]:
    """The text that defined a word of the old version of a file, and the file it is from."""
    text = old.get(name, "")
    if word in definitions(text):
        return definitions(text)[word], name
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and word in (alias.name for alias in node.names):
            source = f"{(node.module or '').replace('.', '/')}.py"
            here = definitions(old.get(source, ""))
            return here.get(word, f"from {node.module} import {word}"), source
        if isinstance(node, ast.Import) and word in (a.asname or a.name for a in node.names):
            return ast.unparse(node), name
    return "", name


def definitions(text: str) -> dict[str, str]:
    """The text of everything that a file defines at its top, by name."""
    found = {}
    for node in ast.parse(text).body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        source = "\n".join(text.split("\n")[first - 1 : node.end_lineno])
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = source
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id: source for target in targets if isinstance(target, ast.Name)}
    return found


def imported_by(name: str, files: Files) -> set[str]:
    """The files that a file imports, itself and those that these import among them."""
    seen: set[str] = set()
    left = [name]
    while left:
        here = left.pop()
        if here in files and here not in seen:
            seen.add(here)
            nodes = [n for n in ast.walk(ast.parse(files[here])) if isinstance(n, ast.ImportFrom)]
            for node in nodes:
                place = (node.module or "").replace(".", "/")
                left += [f"{place}.py", f"{place}/__init__.py"]
                left += [f"{place}/{alias.name}.py" for alias in node.names]
    return seen


def with_definition(text: str, definition: str) -> str:
    """The text with an import behind its imports, or with anything else at its end."""
    if definition.startswith(("from ", "import ")):
        return with_import(text, definition)
    return f"{text.rstrip()}\n\n\n{definition}\n"


def with_import(text: str, line: str) -> str:
    """The text with a line behind its last import."""
    imports = [n for n in ast.parse(text).body if isinstance(n, ast.Import | ast.ImportFrom)]
    lines = text.split("\n")
    lines.insert(imports[-1].end_lineno or 0 if imports else 0, line)
    return "\n".join(lines)


def module(name: str) -> str:
    """The module that a file is imported as."""
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
