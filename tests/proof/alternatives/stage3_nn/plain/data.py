"""A DataLoader in plain Python."""

import numpy as np


class Dataset:
    pass


class ArrayDataset:
    def __init__(self, *arrays):
        if len({len(a) for a in arrays}) != 1:
            raise ValueError("lengths differ")
        self.arrays = arrays

    def __len__(self):
        return len(self.arrays[0])

    def __getitem__(self, index):
        return tuple(a[index] for a in self.arrays)


class DataLoader:
    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=False,
        drop_last=False,
        collate=None,
        length=None,
        rng=None,
    ):
        if batch_size <= 0:
            raise ValueError(batch_size)
        self.dataset, self.batch_size, self.shuffle = dataset, batch_size, shuffle
        self.drop_last, self.collate, self.length = drop_last, collate or stack_examples, length
        self.rng = rng or np.random.default_rng()

    def __len__(self):
        n = len(self.dataset)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def batches(self):
        order = list(range(len(self.dataset)))
        if self.shuffle:
            self.rng.shuffle(order)
        if self.length:
            order.sort(key=lambda i: self.length(self.dataset[i]))
        batches = [order[s : s + self.batch_size] for s in range(0, len(order), self.batch_size)]
        batches = batches[: len(self)]
        if self.length and self.shuffle:
            places = list(range(len(batches)))
            self.rng.shuffle(places)
            batches = [batches[p] for p in places]
        return batches

    def __iter__(self):
        return iter([self.collate([self.dataset[i] for i in batch]) for batch in self.batches()])


def stack_examples(examples):
    if isinstance(examples[0], tuple):
        return [np.array(column) for column in zip(*examples)]
    return np.array(examples)


def train_test_split(*arrays, test_size=0.2, rng=None):
    n = len(arrays[0])
    order = (rng or np.random.default_rng()).permutation(n)
    cut = round(n * test_size)
    return [np.asarray(a)[part] for a in arrays for part in (order[cut:], order[:cut])]
