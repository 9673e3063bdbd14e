"""The state of the interpreter that code can change, put back before each graded test."""

from __future__ import annotations

import builtins
import gc
import os
import random
import sys

import numpy as np

OF_PYTEST = "PYTEST_CURRENT_TEST"  # pytest's own, set anew for every test


class Interpreter:
    """A snapshot, taken before any of the learner's code is imported.

    Without it `np.seterr(all="ignore")` on top of one file would hide an overflow in every test.
    Warnings are not in it: pytest itself puts their filters back.
    """

    def __init__(self) -> None:
        self.builtins = dict(builtins.__dict__)
        self.environment = dict(os.environ)
        self.folder = os.getcwd()
        self.path = list(sys.path)
        self.numpy_errors = np.geterr()
        self.numpy_print = np.get_printoptions()
        self.random = random.getstate(), np.random.get_state()
        self.recursion_limit = sys.getrecursionlimit()

    def restore(self) -> None:
        """Put everything back."""
        builtins.__dict__.update(self.builtins)
        for name in os.environ.keys() - self.environment.keys() - {OF_PYTEST}:
            del os.environ[name]
        os.environ.update({k: v for k, v in self.environment.items() if k != OF_PYTEST})
        os.chdir(self.folder)
        sys.path[:] = self.path
        np.seterr(**self.numpy_errors)
        np.set_printoptions(**self.numpy_print)
        python, numpy = self.random
        random.setstate(python)
        np.random.set_state(numpy)
        sys.setrecursionlimit(self.recursion_limit)
        gc.enable()
