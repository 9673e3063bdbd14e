"""Calls of everything public, drawn by a seed, and what may come of them."""

from __future__ import annotations

import inspect
import re
import signal
import warnings
from contextlib import contextmanager

import numpy as np

import stage1_autodiff
import stage2_tensor
import stage2_tensor.more
import stage3_nn
import stage3_nn.init
import stage3_nn.more
import stage4_optim
import stage4_optim.more
import stage4_optim.schedules
import stage5_transformer
import stage5_transformer.scoring
from stage1_autodiff import Value
from stage2_tensor import Tensor
from tests.proof.fuzz import arguments
from tests.proof.fuzz.prepared import CALLS, UNSPOILT

MODULES = [stage1_autodiff, stage2_tensor, stage3_nn, stage4_optim, stage5_transformer]
MODULES += [stage2_tensor.more, stage3_nn.more, stage4_optim.more]
MODULES += [stage3_nn.init, stage4_optim.schedules, stage5_transformer.scoring]
SECONDS = 5

# What the fuzz does not call, and why.
NOT_CALLED = {
    "plot_curves": "draws what a run wrote",
    "between": "a part of one_cycle",
    "check_last_axis": "a check, handed to later stages",
    "check_sizes": "a check, handed to later stages",
    "check_broadcast": "a check, handed to later stages",
    "table": "lays out texts for later stages",
    "norm": "adds up the arrays of later stages",
    "GradientReport": "is made by gradient_report",
    "GradCheck": "is made by gradcheck",
    "Row": "is made by gradcheck",
}
# Python's own words for a call that does not fit the signature say enough.
OF_THE_SIGNATURE = re.compile(
    r"missing \d+ required|takes .* positional|unexpected keyword|multiple values|Protocols cannot|"
    r"positional-only|abstract class"
)
OURS = re.compile(r"expected .*\bgot\b", re.DOTALL)


def public(module):
    """The public names of a module: those it lists, or the functions that it defines."""
    own = [n for n, f in vars(module).items() if getattr(f, "__module__", "") == module.__name__]
    return getattr(module, "__all__", [n for n in own if not n.startswith("_")])


def targets():
    """Every public callable by name, and the methods and operators of a Tensor and a Value."""
    found = {}
    for module in MODULES:
        for name in public(module):
            thing = getattr(module, name)
            full = f"{module.__name__}.{name}"
            left_out = name in NOT_CALLED or full in CALLS or is_protocol(thing)
            if callable(thing) and not left_out:
                found[full] = thing
    inner = {"from_op", "shares", "operand"}  # for who writes an operation
    methods = [n for n in vars(Tensor) if callable(getattr(Tensor, n)) and is_asked(n)]
    for name in set(methods) - inner:
        found[f"Tensor.{name}"] = getattr(Tensor, name)
    for name in vars(Value):
        if callable(getattr(Value, name)) and is_asked(name):
            found[f"Value.{name}"] = getattr(Value, name)
    return found


def is_protocol(thing):
    return getattr(thing, "_is_protocol", False)


WRITING = ("backward", "zero_grad")  # change what they are given
OPERATORS = {"add", "sub", "mul", "truediv", "pow", "matmul", "lt", "le", "gt", "ge", "getitem"}
OPERATORS |= {"radd", "rsub", "rmul", "rtruediv", "rpow", "rmatmul"}


def is_asked(name):
    """Whether the fuzz calls a method: those with a name, and the operators."""
    return not name.startswith("_") or name.strip("_") in OPERATORS


def draw(name, thing, rng):
    """Positional and keyword arguments for a call."""
    owner = {
        "Tensor": arguments.tensor,
        "Value": lambda rng: Value(float(arguments.numbers(rng, ()))),
    }
    first = [owner[name.split(".")[0]](rng)] if name.split(".")[0] in owner else []
    try:
        parameters = list(inspect.signature(thing).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    named = [
        p
        for p in parameters[len(first) :]
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.POSITIONAL_ONLY)
    ]
    needed = sum(p.default is p.empty for p in named)
    many = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    n = rng.integers(needed, len(named) + 1) if named else rng.integers(0, 3) if many else 0
    args = [*first, *(arguments.any_argument(rng) for _ in range(n))]
    only = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    rest = [p.name for p in named[n:]] + only
    kwargs = {key: arguments.any_argument(rng) for key in rest if rng.random() < 0.2}
    return args, kwargs


@contextmanager
def limited(seconds):
    """Raise TimeoutError if the block takes longer."""

    def late(*_):
        raise TimeoutError(f"it took more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def judge(name, rng):
    """What is wrong with one random call, in a line; nothing if all is well."""
    if name not in CALLS:
        return judge_call(name, TARGETS[name], *draw(name, TARGETS[name], rng))
    thing, args = CALLS[name](rng)
    spoilt = bool(args) and name not in UNSPOILT and rng.random() < 0.7
    if spoilt:
        args[rng.integers(len(args))] = arguments.any_argument(rng)
    return judge_call(name, thing, args, {}, right=not spoilt)


def judge_call(name, thing, args, kwargs, right=False):
    """What is wrong with this call, in a line; if it is right, also that it raises anything."""
    before = [content(x) for x in args]
    told = (
        f"{name}({', '.join([*map(brief, args), *(f'{k}={brief(v)}' for k, v in kwargs.items())])})"
    )
    try:
        with limited(SECONDS), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = thing(*args, **kwargs)
    except MemoryError:  # what a machine cannot hold is not for the engine to say
        return ""
    except TimeoutError as error:
        return "" if any_huge(args) else f"{told}: {error}"
    except (ValueError, TypeError, IndexError, RuntimeError, ArithmeticError, OSError) as error:
        if right or not (OURS.search(str(error)) or OF_THE_SIGNATURE.search(str(error))):
            return f"{told}: {type(error).__name__}: {str(error)[:150]}"
    except NotImplementedError:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        return f"{told}: {type(error).__name__}: {str(error)[:150]}"
    else:
        if isinstance(found, Tensor) and found.data.dtype.kind not in "fiub":
            return f"{told}: a Tensor of {found.data.dtype}"
        if isinstance(found, np.ndarray) and found.dtype.kind == "O":
            return f"{told}: an array of objects"
    if name.rpartition(".")[2] not in WRITING:
        for x, old in zip(args, before):
            if old is not None and content(x) != old:
                return f"{told}: an input was changed"
    return ""


TARGETS = targets()


def any_huge(args):
    """Whether a size is among the arguments that takes its time on every machine."""
    return any(isinstance(x, int) and x >= 10**6 for x in args)


def content(x):
    """The bytes of an input that is to stay as it is."""
    x = x.data if isinstance(x, Tensor) else x
    return x.tobytes() if isinstance(x, np.ndarray) and x.dtype != object else None


def brief(x):
    """An argument in a few characters, so that it can be typed again."""
    if isinstance(x, Tensor):
        return f"Tensor{x.data.tolist()!r}"[:80]
    if isinstance(x, np.ndarray):
        return f"{type(x).__name__}({x.tolist()!r}, {x.dtype})"[:80]
    return re.sub(r" at 0x\w+", "", repr(x))[:60]
