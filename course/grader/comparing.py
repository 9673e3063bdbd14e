"""Comparisons of what a learner's code gave with what is right. They raise ComparisonError."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

import numpy as np

from course.grader.causes import Known, diagnose, pairs, same
from course.grader.comparison_error import ComparisonError
from course.grader.derivatives import Node, vjp

NO_RETURN = "the function returns nothing: is the `return` missing?"
SHOWN_WHOLE = 12  # an array of more numbers than this is shown by a row of it
GRADIENT = re.compile(r"\.grad\b|\bdL?/d|gradient|slope|derivative")
NO_GRADIENT = "no gradient arrived: backward writes it into the leaves"


def close(
    got: object,
    expected: object,
    what: str,
    causes: Known | None = None,
    rtol: float = 1e-6,
    atol: float = 1e-8,
) -> None:
    """Raise ComparisonError unless `got` equals `expected` up to the tolerance.

    Numbers, arrays, lists, and objects with `.data` are compared by shape, then by value; NaN
    equals NaN. `causes` maps a tell-tale wrong value to its cause, or lists pairs of the two.
    """
    __tracebackhide__ = True
    _compare(got, expected, what, causes, rtol, atol, {})


def _compare(
    got: object,
    expected: object,
    what: str,
    causes: Known | None,
    rtol: float,
    atol: float,
    given: dict[str, str],
) -> None:
    """As `close`; what was `given` stands above what came of it."""
    __tracebackhide__ = True
    want = np.asarray(_plain(expected), dtype=float)
    if got is None or (isinstance(got, list | tuple) and any(x is None for x in got)):
        lines = {"expected": _show(want), "got": _brief(got)}
        cause = NO_GRADIENT if GRADIENT.search(what) else NO_RETURN
        raise ComparisonError(what, lines, cause, certain=False)
    try:
        have = np.asarray(_plain(got), dtype=float)
    except (TypeError, ValueError):
        lines = {"expected": _show(want), "got": f"{_brief(got)}, a {type(got).__name__}"}
        raise ComparisonError(what, lines, _objects(got), certain=False) from None
    alike = have.shape == want.shape
    right = np.isclose(have, want, rtol, atol, equal_nan=True) if alike else np.array(False)
    if right.all():
        return
    if _is_shape(expected) and _is_shape(got):
        lines = {"expected": str(expected), "got": str(got)}
    elif not alike:
        lines = {"expected": f"shape {want.shape}", "got": f"shape {have.shape}: {_show(have)}"}
    else:
        lines = _first_difference(have, want, right)
    raise _diagnosed(what, given | lines, have, want, causes)


def _first_difference(have: np.ndarray, want: np.ndarray, right: np.ndarray) -> dict[str, str]:
    """Both arrays, or the first row that differs if they are large, and the first number."""
    if want.ndim == 0:
        return {"expected": _show(want), "got": _show(have)}
    first = tuple(int(i) for i in np.argwhere(~right)[0])
    row, at = (), ""
    if want.ndim > 1 and want.size > SHOWN_WHOLE:
        row, at = first[:-1], f"  in row [{', '.join(map(str, first[:-1]))}]"
    where = ", ".join(map(str, first))
    differs = f"{(~right).sum()} of {want.size} numbers, the first at [{where}]:"
    differs += f" expected {want[first]:.9g}, got {have[first]:.9g}"
    return {"expected": _show(want[row]) + at, "got": _show(have[row]) + at, "differs": differs}


def gradients(
    f: Callable[..., Node], *inputs: Node, what: str, causes: Known | None = None
) -> None:
    """Raise ComparisonError unless f.backward agrees with central differences at `inputs`."""
    __tracebackhide__ = True
    h = 1e-5
    numbers = [float(x.data) for x in inputs]
    kind = type(inputs[0])
    leaves = [kind(x) for x in numbers]
    f(*leaves).backward()
    for i, leaf in enumerate(leaves):
        ends = []
        for step in (h, -h):
            moved = [x + step if j == i else x for j, x in enumerate(numbers)]
            ends.append(float(f(*[kind(x) for x in moved]).data))
        measured = (ends[0] - ends[1]) / (2 * h)
        name = f"d/dinput{i} of {what}, at {', '.join(f'{x:g}' for x in numbers)}"
        close(leaf.grad, measured, name, causes, rtol=1e-5, atol=1e-7)


def vjps(
    f: Callable[..., Node],
    *inputs: Node,
    what: str,
    causes: Known | None = None,
    slopes: Known | None = None,
) -> None:
    """Raise ComparisonError unless the vjps of f agree with central differences, input by input.

    The output is weighted with random numbers: a plain sum would hide mistakes. `slopes` are wrong
    slopes of a function that works element by element, each with its cause. Works before
    `backward` is written.
    """
    __tracebackhide__ = True
    arrays = [np.array(x.data, dtype=float) for x in inputs]
    kind = type(inputs[0])
    y = f(*inputs)
    weights = np.random.default_rng(0).standard_normal(np.shape(y.data))
    measured = [np.zeros_like(x) for x in arrays]
    for i, sums in enumerate(measured):
        for place in np.ndindex(*sums.shape):
            for step in (1e-6, -1e-6):
                moved = [a.copy() for a in arrays]
                moved[i][place] += step
                total = (np.asarray(f(*map(kind, moved)).data) * weights).sum()
                sums[place] += total / (2 * step)
    found = [vjp(y, x, weights) for x in inputs]
    doubled = [vjp(y, x, 2 * weights) for x in inputs]
    for i, want in enumerate(measured):
        known = pairs(causes) + [(weights * slope, why) for slope, why in pairs(slopes)]
        for j, other in enumerate(measured):
            if i != j and same(found[i], other) and same(found[j], want):
                known.append((other, f"this is dL/dinput{j}: the two are exchanged"))
        if doubled[i].any():
            known.append((doubled[i], "g is missing: a vjp multiplies with it"))
        given = {f"input{j}": _show(x) for j, x in enumerate(arrays)} | {"g": _show(weights)}
        _compare(found[i], want, f"dL/dinput{i} of {what}", known, 1e-5, 1e-6, given)


def raises(call: Callable[[], object], what: str, why: str, leaks: tuple = ()) -> None:
    """Raise ComparisonError unless the call raises an error whose type is not one of `leaks`."""
    __tracebackhide__ = True
    try:
        got = call()
    except NotImplementedError:
        raise
    except leaks as error:
        lines = {"expected": "an error that names the bad input"}
        lines["got"] = f"{type(error).__name__}: {error}"
        raise ComparisonError(what, lines, why, certain=False) from None
    except Exception:
        return
    lines = {"expected": "an error", "got": f"no error, but {_brief(got)}"}
    raise ComparisonError(what, lines, why, certain=False)


def true(condition: object, what: str, why: str) -> None:
    """Raise ComparisonError unless the condition holds; `why` says what must have gone wrong."""
    __tracebackhide__ = True
    if not condition:
        raise ComparisonError(f"not so: {what}", {}, why, certain=False)


def _diagnosed(
    what: str, lines: dict[str, str], have: np.ndarray, want: np.ndarray, causes: Known | None
) -> ComparisonError:
    cause = diagnose(have, want, causes, GRADIENT.search(what) is not None)
    return ComparisonError(what, lines, cause, certain=cause in [told for _, told in pairs(causes)])


def _plain(x: object) -> object:
    """Numbers out of a Value, a Tensor or a list of them."""
    if isinstance(x, list | tuple):
        return [_plain(item) for item in x]
    return x if isinstance(x, np.ndarray | np.generic) else getattr(x, "data", x)


def _objects(got: object) -> str | None:
    """The cause, if there are functions or Tensors where numbers should be."""
    if inspect.isroutine(got):
        return "this is the function itself: call it, with (...) behind its name"
    if hasattr(getattr(got, "data", None), "parents"):
        return "its .data is a Tensor: compute with arrays, and put an array into .data"
    if str(getattr(got, "dtype", "")) == "object":
        return "NumPy was given Tensors and keeps them as objects: give it their arrays, .data"
    return None


def _is_shape(x: object) -> bool:
    """True for a tuple of sizes, which is shown as one."""
    return isinstance(x, tuple) and all(isinstance(n, int | np.integer) for n in x)


def _show(x: np.ndarray) -> str:
    if x.ndim == 0:
        return f"{float(x):.9g}"
    return np.array2string(x, precision=6, threshold=40, edgeitems=3, prefix=" " * 12)


def _brief(x: object) -> str:
    try:
        text = repr(x)
    except Exception:  # the learner's own repr may be what is broken
        text = f"<{type(x).__name__}>"
    return text if len(text) <= 200 else text[:197] + "..."
