"""Modules that find their parts with a stack, breadth by breadth, and hand out live arrays."""

from contextlib import contextmanager
from typing import ClassVar

import numpy as np

from stage2_tensor import Tensor
from stage3_nn.tree import tree


class Parameter(Tensor):
    def __init__(self, data):
        super().__init__(np.array(data), requires_grad=True)


class Buffer(Tensor):
    def __init__(self, data):
        super().__init__(np.array(data))


class Module:
    training = True
    observers: ClassVar[list] = []

    def forward(self, *inputs, **options):
        raise TypeError("no forward")

    def __call__(self, *inputs, **options):
        output = self.forward(*inputs, **options)
        for observer in self.observers:
            observer(self, inputs, output)
        return output

    def _all(self):
        """Everything below self, once each, by an explicit stack."""
        found, seen, todo = [], set(), [("", self)]
        while todo:
            name, part = todo.pop()
            if id(part) in seen:
                continue
            if isinstance(part, Module | Parameter | Buffer):
                found.append((name, part))
                seen.add(id(part))
            inside = list(members(part))
            todo += [(f"{name}.{key}".lstrip("."), member) for key, member in reversed(inside)]
        return found

    def named_modules(self):
        return [(name, part) for name, part in self._all() if isinstance(part, Module)]

    def modules(self):
        for _, part in self.named_modules():
            yield part

    def named_parameters(self):
        return {name: part for name, part in self._all() if isinstance(part, Parameter)}.items()

    def parameters(self):
        for _, part in self.named_parameters():
            yield part

    def _tensors(self):
        return {name: part for name, part in self._all() if not isinstance(part, Module)}

    def state_dict(self):
        return {name: part.data for name, part in self._tensors().items()}

    def load_state_dict(self, state):
        mine = self._tensors()
        if mine.keys() != state.keys():
            raise KeyError(f"names differ: {mine.keys() ^ state.keys()}")
        for name, part in mine.items():
            array = np.asarray(state[name])
            assert part.shape == array.shape and array.dtype.kind in "fiub", name
        for name, part in mine.items():
            part.data[...] = state[name]

    def train(self, mode=True):
        for module in self.modules():
            module.training = bool(mode)
        return self

    def eval(self):
        return self.train(mode=False)

    def zero_grad(self):
        for parameter in self.parameters():
            if parameter.grad is not None:
                parameter.grad = np.zeros_like(parameter.grad)

    def extra_repr(self):
        return ""

    def __repr__(self):
        return tree(self)


def walk(part, name="", seen=None):
    """The same as `_all`."""
    return iter(part._all())


def members(part):
    if isinstance(part, Module):
        part = part.__dict__
    if isinstance(part, dict):
        return part.items()
    return enumerate(part) if isinstance(part, list | tuple) else ()


@contextmanager
def observing(observer):
    Module.observers.append(observer)
    try:
        yield
    finally:
        Module.observers.remove(observer)
