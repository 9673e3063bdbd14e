"""From a heap of examples to the batches that a step of training sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from stage1_autodiff import generator
from stage3_nn.argument_kinds import check_callable
from stage3_nn.inputs import check_equal_lengths, check_parts, check_share, check_sizes, read_rows

Array = np.ndarray
Generator = np.random.Generator


class Dataset(Protocol):
    """Anything with a length and an item for every index: a list will do."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> object: ...


class ArrayDataset:
    """Rows of several arrays that belong together: item i is the tuple of their rows i.

    Raises:    ValueError: if the arrays are not equally long.
    """

    def __init__(self, *arrays: Array) -> None:
        check_equal_lengths("ArrayDataset", arrays)
        self.arrays = arrays

    def __len__(self) -> int:
        return len(self.arrays[0])

    def __getitem__(self, index: int) -> tuple:
        return tuple(array[index] for array in self.arrays)


class DataLoader:
    """The examples of a dataset in batches; every `for` over it is one epoch.

    shuffle    a new order for every epoch, drawn from `rng`
    drop_last  leave out a last batch that is not full
    collate    makes a batch of a list of examples; by default arrays are stacked
    length     gives an example's length: then a batch holds examples of similar length, so that
               little is padded, and with shuffle the batches come in random order

    Raises:    ValueError: if batch_size is not positive.
    """

    def __init__(
        self,
        dataset: Dataset,
        batch_size: int = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate: Callable[[list], object] | None = None,
        length: Callable[[Any], int] | None = None,
        rng: Generator | None = None,
    ) -> None:
        check_sizes("DataLoader", 1, batch_size=batch_size)
        check_callable("DataLoader", collate=collate, length=length)
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.drop_last = drop_last
        self.collate = collate or stack_examples
        self.length = length
        self.rng = generator("DataLoader", rng)

    def __len__(self) -> int:
        """The number of batches of an epoch."""
        whole, rest = divmod(len(self.dataset), self.batch_size)
        return whole + bool(rest and not self.drop_last)

    def __iter__(self) -> Iterator:
        """The batches of one epoch."""
        for batch in self.batches():
            yield self.collate([self.dataset[int(i)] for i in batch])

    def batches(self) -> list[Array]:
        """The indices of every batch of one epoch."""
        n = len(self.dataset)
        order = self.rng.permutation(n) if self.shuffle else np.arange(n)
        if self.length:
            lengths = np.array([self.length(self.dataset[int(i)]) for i in order])
            order = order[np.argsort(lengths, kind="stable")]  # equal lengths stay shuffled
        starts = np.arange(len(self)) * self.batch_size
        if self.length and self.shuffle:
            starts = self.rng.permutation(starts)
        return [order[start : start + self.batch_size] for start in starts]


def stack_examples(examples: list) -> Array | tuple:
    """The examples as arrays with a new first axis; a tuple of arrays if they are tuples."""
    if isinstance(examples[0], tuple):
        return tuple(np.stack(column) for column in zip(*examples))
    return np.stack(examples)


def train_test_split(
    *arrays: Array, test_size: float = 0.2, rng: Generator | None = None
) -> list[Array]:
    """Each array cut in two at random, row by row the same: x_train, x_test, y_train, y_test, ...

    Raises:    ValueError: if the arrays are not equally long, or a part would be empty.
    """
    check_share("train_test_split", test_size=test_size)
    rows = read_rows("train_test_split", arrays)
    n = len(rows[0])
    n_test = round(n * test_size)
    check_parts("train_test_split", (n - n_test, n_test))
    order = generator("train_test_split", rng).permutation(n)
    test, train = order[:n_test], order[n_test:]
    return [array[part] for array in rows for part in (train, test)]
