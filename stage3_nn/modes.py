"""Evaluation mode for a while, as a `with`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from stage2_tensor import no_grad
from stage3_nn.argument_kinds import check_model
from stage3_nn.module import Module


@contextmanager
def evaluating(model: Module) -> Iterator[None]:
    """Inside `with`: evaluation mode, and no graph. Afterwards the model is as it was.

    A model in evaluation mode is taken to be so in all its parts, which saves the walk through
    them: decoding comes by here for every symbol.
    """
    check_model("evaluating", model)
    modes = [(module, module.training) for module in model.modules()] if model.training else []
    try:
        if modes:
            model.eval()
        with no_grad():
            yield
    finally:
        for module, training in modes:
            module.training = training
