"""An exception out of the learner's code, told in a few lines: what, where, and what mends it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType

ON_WARNING = "NumPy warns, and the tests count that as an error: what follows would be inf or NaN."
ON_RECURSION = (
    "A function calls itself too often: once per node, or for ever. "
    "A loop with a list as stack does not."
)
ON_OPERATOR = (
    "An operator calls itself without end: with a number on the left, `other + self` asks "
    "__radd__ again. Make the number a node first, or write `self + other`."
)
ON_OPERATION = (
    "An operation that is written with itself never ends: compute with the arrays, a.data, "
    "and make a number on the left a Tensor first, a.operand(b)."
)
ON_NUMBER = (
    "An operand may be a plain number: as_value(other), a.operand(b) or pair(a, b) makes a node "
    "of it."
)
ON_ARRAY = (
    "This is an array, and a Tensor is expected: from_op makes one, with edges to its inputs."
)
ON_TENSOR = "Arrays have that, and this is a Tensor: take its array, .data."
ON_UFUNC = "NumPy's functions take arrays: np.exp(x.data), or x.exp() to keep the gradient."
ON_MEMORY = "This is an array already, and the .data of an array is its memory: leave .data away."
ON_EDGE = "An edge is (input, function): from_op(data, (a, lambda g: ...), (b, lambda g: ...))."
ON_VJP = "A vjp is a function of one argument: g, the gradient of the output."
ON_NONE = (
    "Something is None here: a function without `return` gives that, so does what works in place "
    "(list.sort, rng.shuffle), and an option that was left out."
)
ON_OBJECT = "NumPy got something that is no number, often None: is a `return` missing?"
ON_TRUTH = (
    "`if` wants one answer: `is not None` asks whether it is there, `is` whether it is the same."
)
ON_PAIRS = (
    "Two things are unpacked here: `yield from` hands on pairs (`yield` the generator itself), "
    ".items() gives those of a dict."
)
ON_BATCH = "A batch has any number of arrays: `*read, last = batch` takes every one of them."
ON_CALL = "What is called here is no function: return the function, `return schedule`."
ON_CUT = "The way back to the inputs is cut: operations on .data or NumPy's leave no edges."
ON_ITERATOR = (
    "__iter__ gives an iterator: write `yield` in its loop, or `return iter(...)` of a list."
)
ON_END = "The iterator is at its end: a loop around it, `while True`, would begin the next epoch."
ON_INDEX = "A list or a Dataset gives one item for one number: [data[int(i)] for i in ids]."
ON_BOOL = "A list is compared as a whole: np.asarray(x) is compared number by number."
ON_UNEVEN = "Columns of different shapes are no array: stack each by itself, zip(*examples)."
ON_STACK = "np.concatenate joins along an axis that is there, np.stack makes a new one."
ON_NUMBERED = "A state knows Parameters by their number, an int: another run has other objects."
ON_OPEN = "A file stays open: with open(...) as file closes it, and so does path.read_text()."
ON_NOTICE = "The tests count a warning as an error; it says what it wants."
ON_GRAD = "A .grad is None at first. Only backward writes it; a vjp returns its gradient."
ON_ARRIVAL = (
    "Nothing has arrived for this node: go from the root to the leaves, and let the first share "
    "begin the sum."
)
ON_WRITING = "This array belongs to others too: make a new one, g * y, in place of g *= y."
ON_SHAPES = "Shapes are compared from the right; keepdims=True keeps an axis that is reduced."
ON_PRODUCT = "In a @ b the last axis of a must be as long as the last but one of b."
ON_LOOP = "If a loop made this lambda, it sees the last values: bind them, lambda g, end=end: ..."
ON_CONTEXT = "A function that @contextmanager makes usable in `with` has a `yield` in it."
ON_IMPORT = "The course expects this name in that file, and other files use it: put it back."

# The type of an exception, a pattern for its message and the line it came from, and the advice.
ADVICE = [
    (RuntimeWarning, r"", ON_WARNING),
    (Warning, r"Exception ignored in: <_io|unclosed file", ON_OPEN),
    (Warning, r"", ON_NOTICE),
    (RecursionError, r"\n  in __", ON_OPERATOR),
    (RecursionError, r"", ON_RECURSION),
    (AttributeError, r"'(int|float|list)' object has no attribute '(data|shape|op\w+)'", ON_NUMBER),
    (AttributeError, r"'numpy\.\w+' object .* '(op\w+|from_op|\w*grad|\w+ward)'", ON_ARRAY),
    (AttributeError, r"'Tensor' object .* '(real|imag|astype|copy|any|all)'", ON_TENSOR),
    (AttributeError, r"'memoryview' object", ON_MEMORY),
    (AttributeError, r"'NoneType' object .*\n.*\.grad\b", ON_GRAD),
    (AttributeError, r"'NoneType' object has no attribute", ON_NONE),
    (AttributeError, r"'bool' object has no attribute '(sum|any|all|astype|mean)'", ON_BOOL),
    (TypeError, r"does not support ufuncs|unexpected keyword argument '(out|dtype)'", ON_UFUNC),
    (TypeError, r"'NoneType'.*\n.*\.grad\b", ON_GRAD),
    (TypeError, r"'NoneType' object is not (iterable|subscriptable)", ON_NONE),
    (TypeError, r"non-iterable NoneType", ON_NONE),
    (TypeError, r"dtype\('O'\)", ON_OBJECT),
    (TypeError, r"'memoryview'", ON_MEMORY),
    (TypeError, r"returned non-iterator", ON_ITERATOR),
    (TypeError, r"not (Parameter|Tensor|str)\n.*\bstate", ON_NUMBERED),
    (TypeError, r"only integer scalar arrays|indices must be integers or slices", ON_INDEX),
    (TypeError, r"'(float|NoneType)' object is not callable", ON_CALL),
    (TypeError, r"object is not callable(\n.*\bvjp\(g\).*)?$", ON_EDGE),
    (TypeError, r"positional argument.*(\n.*\bvjp\(g\).*)?$", ON_VJP),
    (TypeError, r"'generator' object .* context|object is not an iterator", ON_CONTEXT),
    (KeyError, r"(?s)Tensor\(.*\n  in backward", ON_ARRIVAL),
    (ValueError, r"truth value of an array|bool: expected one element", ON_TRUTH),
    (ValueError, r"values to unpack.*\n.*= batch$", ON_BATCH),
    (ValueError, r"values to unpack", ON_PAIRS),
    (ValueError, r"inhomogeneous", ON_UNEVEN),
    (ValueError, r"zero-dimensional arrays cannot be conc", ON_STACK),
    (RuntimeError, r"expected a Tensor that requires a gradient", ON_CUT),
    (StopIteration, r"", ON_END),
    (ValueError, r"read-only", ON_WRITING),
    (ValueError, r"could not be broadcast|non-broadcastable", ON_SHAPES),
    (ValueError, r"core dimension", ON_PRODUCT),
    (IndexError, r"out of bounds.*\n  in <lambda>", ON_LOOP),
    (ImportError, r"cannot import name|No module named", ON_IMPORT),
]
RECURSION = 100  # so many calls inside each other are a recursion
OPERATIONS = ("elementwise", "indexing", "joining", "matmul", "reductions", "shaping")


def of_exception(error: BaseException, package: str) -> tuple[str, str]:
    """An exception in a few lines, and the place in the learner's code where it came from."""
    if isinstance(error, SyntaxError):
        where = f"{error.filename}:{error.lineno}" if error.filename else ""
        line = (error.text or "").strip()
        text = f"Python cannot read this line: {error.msg}\n  {line}".rstrip()
        return f"{text}\n{_on_syntax(error)}", where
    told = f"{type(error).__name__}: {error}"
    calls = _calls(error.__traceback__, package)
    if not calls:
        return told + _advice(error, told), ""
    call = _blamed(calls)
    told += f"\n  in {call.name}: {call.text}"
    if any(inner.name == "from_op" for inner in calls[1:]):
        advice = f"\n{ON_EDGE}"
    elif isinstance(error, RecursionError) and call.path.stem in OPERATIONS:
        advice = f"\n{ON_OPERATION}"
    else:
        advice = _advice(error, told)
    return told + _shapes(error, call.frame) + advice, f"{call.path}:{call.line}"


@dataclass(frozen=True)
class Call:
    """A call in a traceback, and the line where it stood."""

    frame: FrameType
    line: int

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self.frame.f_code.co_filename)

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.frame.f_code.co_name

    @property
    def text(self) -> str:
        """The line itself."""
        try:
            return self.path.read_text(encoding="utf-8").split("\n")[self.line - 1].strip()
        except (OSError, UnicodeDecodeError, IndexError):
            return "?"


def _calls(traceback: TracebackType | None, package: str) -> list[Call]:
    """The calls inside the learner's code, the innermost last."""
    calls = []
    while traceback is not None:
        call = Call(traceback.tb_frame, traceback.tb_lineno)
        if package in call.path.parts and "tests" not in call.path.parts[-3:]:
            calls.append(call)
        traceback = traceback.tb_next
    return calls


def _blamed(calls: list[Call]) -> Call:
    """The innermost call that the learner can mend.

    A check that is handed out raises for the line that called it, and so does `from_op`; where a
    function calls itself without end, what it happened to call last does not matter.
    """
    names = [call.name for call in calls]
    if "from_op" in names[1:]:
        calls = calls[: names.index("from_op", 1)]
    if len(calls) > RECURSION:
        calls = [call for call in calls if names.count(call.name) > 1]
    while len(calls) > 1 and _refuses(calls[-1]):
        calls = calls[:-1]
    return calls[-1]


def _refuses(call: Call) -> bool:
    """Whether this is a line that raises for whoever called, or stands in a file of checks."""
    return call.path.parent.name == "checks" or call.text.startswith(("raise ", "check_"))


def _advice(error: BaseException, told: str) -> str:
    """What most often is behind an exception, on a line of its own."""
    for kind, pattern, advice in ADVICE:
        if isinstance(error, kind) and re.search(pattern, told):
            return f"\n{advice}"
    return ""


def _shapes(error: BaseException, frame: FrameType) -> str:
    """The shapes of the arrays in the line's function, if the exception is about shapes."""
    if not isinstance(error, ValueError) or "expected" in str(error):
        return ""
    shapes = {name: getattr(x, "shape", None) for name, x in frame.f_locals.items()}
    told = [f"{name} {shape}" for name, shape in shapes.items() if isinstance(shape, tuple)]
    return f"\n  shapes: {', '.join(told)}" if told else ""


def _on_syntax(error: SyntaxError) -> str:
    """What most often is behind a line that Python cannot read."""
    if isinstance(error, IndentationError):
        return "The spaces at its beginning must line up with those of the lines around it."
    if "unicode" in error.msg or "null bytes" in error.msg:
        return "The file is not UTF-8 text: let your editor save it as UTF-8."
    return "Often a bracket or a colon is missing here or in the line above."
