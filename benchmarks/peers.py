"""The peers: which of them are installed and run, and how all engines are put on one thread."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
from functools import cache
from typing import Any

from threadpoolctl import threadpool_limits

MODULES = {  # by the names that the table shows; ours stands where a row has no peer
    "Glassbox": "stage1_autodiff",
    "micrograd": "micrograd",
    "PyTorch": "torch",
    "autograd": "autograd",
    "tinygrad": "tinygrad",
    "NumPy": "numpy",
}


@cache
def load(library: str) -> Any:
    """The module of a library, on one thread; None if it is not installed or does not run."""
    try:
        module = importlib.import_module(MODULES[library])
        if library == "PyTorch":
            module.set_num_threads(1)
        if library == "tinygrad":  # it wants a C compiler only once it computes something new
            with module.Context(CACHELEVEL=0):
                (module.Tensor([1.0]) * 2).numpy()
    except (ImportError, OSError, RuntimeError):
        return None
    return module


def use_one_thread() -> None:
    """Put NumPy's BLAS, and whatever is loaded later, on one thread."""
    os.environ |= {"OMP_NUM_THREADS": "1", "NUM_CPU_THREADS": "1"}
    threadpool_limits(1)


def described(library: str) -> str:
    """The library and its version, or that it is missing."""
    if load(library) is None:
        return f"{library} is missing"
    name = "glassbox-course" if library == "Glassbox" else MODULES[library]
    return f"{library} {importlib.metadata.version(name)}"
