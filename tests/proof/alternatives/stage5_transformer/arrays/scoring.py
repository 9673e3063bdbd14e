"""The whole table of distances."""

from dataclasses import dataclass

import numpy as np


def edit_distance(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    table[:, 0], table[0] = np.arange(len(a) + 1), np.arange(len(b) + 1)
    for i in range(len(a)):
        for j in range(len(b)):
            table[i + 1, j + 1] = min(
                table[i, j + 1] + 1, table[i + 1, j] + 1, table[i, j] + (a[i] != b[j])
            )
    return int(table[-1, -1])


@dataclass(frozen=True)
class Scores:
    symbol_errors: int
    symbols: int
    wrong: int
    answers: int

    @property
    def symbol_error_rate(self):
        return 100 * self.symbol_errors / max(1, self.symbols)

    @property
    def error_rate(self):
        return 100 * self.wrong / max(1, self.answers)


def score(answers, examples):
    errors, symbols, wrong = [], [], []
    for answer, example in zip(answers, examples, strict=True):
        targets = sorted(example.targets, key=lambda t: (edit_distance(answer, t), -len(t)))
        errors.append(edit_distance(answer, targets[0]))
        symbols.append(len(targets[0]))
        wrong.append(tuple(answer) not in {tuple(t) for t in targets})
    return Scores(sum(errors), sum(symbols), sum(wrong), len(answers))
