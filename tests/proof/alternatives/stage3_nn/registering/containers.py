"""A Sequential of attributes that are set by name."""

from functools import reduce

from stage3_nn.module import Module


class ModuleList(Module):
    def __init__(self, modules=()):
        for module in modules:
            self.append(module)

    def append(self, module):
        assert isinstance(module, Module), f"{module!r} is no Module"
        setattr(self, f"{len(self)}", module)

    def _names(self):
        return sorted((name for name in self.__dict__ if name.isdecimal()), key=int)

    def __len__(self):
        return len(self._names())

    def __iter__(self):
        return iter([getattr(self, name) for name in self._names()])

    def __getitem__(self, index):
        return getattr(self, self._names()[index])


class Sequential(ModuleList):
    def __init__(self, *modules):
        super().__init__(modules)

    def forward(self, x):
        return reduce(lambda value, module: module(value), self, x)
