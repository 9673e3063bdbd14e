"""A model is a tree of Modules; its leaves are the Parameters.

A Module needs no registration and no `super().__init__()`: whatever Parameters and Modules its
attributes hold, directly or in lists, tuples and dicts, belong to it. One walk finds them, and
everything else here is a use of that walk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar

import numpy as np

from stage2_tensor import Tensor
from stage3_nn.array_checks import read_arrays
from stage3_nn.tree import tree

Array = np.ndarray
Observer = Callable[["Module", tuple, object], None]


class Parameter(Tensor):
    """A Tensor that training may change. It owns its numbers: an array is copied."""

    __slots__ = ()

    def __init__(self, data) -> None:
        super().__init__(data, requires_grad=True)
        self.data = self.data.copy()


class Buffer(Tensor):
    """A Tensor that is saved with the model and not trained, such as a running mean."""

    __slots__ = ()

    def __init__(self, data) -> None:
        super().__init__(data)
        self.data = self.data.copy()


class Module:
    """A part of a model: some Parameters, some smaller Modules, and a `forward` that uses them."""

    training: bool = True
    observers: ClassVar[list[Observer]] = []

    def forward(self, *inputs, **options):
        """The output of this part. Every Module defines its own."""
        name = type(self).__name__
        raise TypeError(f"{name}: expected a method forward, got none; define forward(self, x)")

    def __call__(self, *inputs, **options):
        output = self.forward(*inputs, **options)
        for observer in Module.observers:
            observer(self, inputs, output)
        return output

    def named_modules(self) -> Iterator[tuple[str, Module]]:
        """Dotted name and Module, for self (its name is "") and every Module below it."""
        return ((name, part) for name, part in walk(self) if isinstance(part, Module))

    def modules(self) -> list[Module]:
        """Self and every Module below it, each once."""
        return [module for _, module in self.named_modules()]

    def named_parameters(self) -> Iterator[tuple[str, Parameter]]:
        """Dotted name and Parameter; a shared one comes once, under its first name."""
        return ((name, part) for name, part in walk(self) if isinstance(part, Parameter))

    def parameters(self) -> list[Parameter]:
        """Every Parameter of the tree, each once."""
        return [parameter for _, parameter in self.named_parameters()]

    def state_dict(self) -> dict[str, Array]:
        """A copy of every Parameter and Buffer by its dotted name: later training leaves it be."""
        return {name: part.data.copy() for name, part in walk(self) if isinstance(part, Tensor)}

    def load_state_dict(self, state: Mapping[str, Array | Tensor]) -> None:
        """Copy the numbers of `state` into the Parameters and Buffers of this model.

        The Tensors stay the same objects, with their dtype: ties and optimizers keep working.

        Raises:    ValueError: if names are missing or unexpected, or a shape differs. TypeError: if
                   something is not made of real numbers, as text, None and complex numbers are
                   not. Nothing is loaded then.
        """
        state = read_arrays("load_state_dict", state)
        mine = {name: part for name, part in walk(self) if isinstance(part, Tensor)}
        faults = [f"missing {name}" for name in mine if name not in state]
        faults += [f"unexpected {name}" for name in state if name not in mine]
        faults += [
            f"{name} of shape {np.shape(state[name])} for {part.shape}"
            for name, part in mine.items()
            if name in state and np.shape(state[name]) != part.shape
        ]
        if faults:
            raise ValueError(
                "load_state_dict: expected the names and shapes of this model, got "
                f"{', '.join(faults)}; build the model as it was when it was saved"
            )
        for name, part in mine.items():
            part.data = np.array(state[name], part.dtype)

    def train(self, mode: bool = True) -> Module:
        """Self, with every Module of the tree in training mode, or out of it."""
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Module:
        """Self, with every Module of the tree in evaluation mode: nothing random, no statistics."""
        return self.train(False)

    def zero_grad(self) -> None:
        """Forget the gradient of every Parameter."""
        for parameter in self.parameters():
            parameter.zero_grad()

    def extra_repr(self) -> str:
        """The text in the brackets after the name of this Module."""
        return ""

    def __repr__(self) -> str:
        return tree(self)


def walk(part: object, name: str = "", seen: set | None = None) -> Iterator[tuple[str, object]]:
    """Dotted name and object, for every Module, Parameter and Buffer in `part`, each once.

    Looks into the attributes of Modules and into lists, tuples and dicts; a Module comes before
    what it holds.
    """
    seen = set() if seen is None else seen
    is_node = isinstance(part, Module | Parameter | Buffer)
    if id(part) in seen or not (is_node or isinstance(part, list | tuple | dict)):
        return
    seen.add(id(part))
    if is_node:
        yield name, part
    for key, member in members(part):
        yield from walk(member, f"{name}.{key}" if name else str(key), seen)


def members(part: object) -> Iterator[tuple[object, object]]:
    """Key and member of what can hold Parameters: a Module, a list, a tuple or a dict."""
    if isinstance(part, Module):
        part = vars(part)
    if isinstance(part, dict):
        yield from part.items()
    elif isinstance(part, list | tuple):
        yield from enumerate(part)


@contextmanager
def observing(observer: Observer) -> Iterator[None]:
    """Inside `with`, `observer(module, inputs, output)` is called after every forward."""
    Module.observers.append(observer)
    try:
        yield
    finally:
        Module.observers.remove(observer)
