"""Modules made of Modules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stage2_tensor import Tensor
from stage3_nn.argument_kinds import check_list
from stage3_nn.module import Module


class ModuleList(Module):
    """A list of Modules, named by their place: `0`, `1`, ... It has no forward of its own."""

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        check_list(type(self).__name__, modules)
        for module in modules:
            self.append(module)

    def append(self, module: Module) -> None:
        """Add a Module at the end.

        Raises:    TypeError: if it is not a Module.
        """
        if not isinstance(module, Module):
            raise TypeError(f"{type(self).__name__}: expected Modules, got {module!r}")
        vars(self)[str(len(self))] = module

    def __iter__(self) -> Iterator[Module]:
        return (module for name, module in vars(self).items() if name.isdigit())

    def __len__(self) -> int:
        return sum(name.isdigit() for name in vars(self))

    def __getitem__(self, index: int) -> Module:
        return list(self)[index]


class Sequential(ModuleList):
    """Modules one after the other: the output of each is the input of the next."""

    def __init__(self, *modules: Module) -> None:
        super().__init__(modules)

    def forward(self, x: Tensor) -> Tensor:
        """The output of the last Module; x itself if there is none."""
        for module in self:
            x = module(x)
        return x
