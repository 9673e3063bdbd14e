"""How many answers are right, and how far the others are off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stage5_transformer.decoding_inputs import check_answers, check_compared, check_examples
from stage5_transformer.tasks.task import Example

Symbols = Sequence[str]


def edit_distance(a: Symbols, b: Symbols) -> int:
    """The smallest number of symbols to insert, delete or exchange that makes b of a.

    Source:    Wagner and Fischer (1974), The String-to-String Correction Problem.
    """
    check_compared("edit_distance", a=a, b=b)
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above_left, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            above_left, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above_left + (x != y))
    return row[-1]


@dataclass(frozen=True)
class Scores:
    """The error rates of a set of answers."""

    symbol_errors: int  # edits to the closest right answer, of all answers together
    symbols: int  # in these right answers
    wrong: int  # answers that are equal to no right one
    answers: int

    @property
    def symbol_error_rate(self) -> float:
        """Edits per symbol, in percent: PER where the symbols are phones."""
        return 100 * self.symbol_errors / max(self.symbols, 1)

    @property
    def error_rate(self) -> float:
        """The share of wrong answers, in percent: WER where a source is a word."""
        return 100 * self.wrong / max(self.answers, 1)

    def __str__(self) -> str:
        exact = 100 - self.error_rate
        return (
            f"{self.answers:,} answers: {exact:.2f} % right, {self.error_rate:.2f} % wrong, "
            f"{self.symbol_error_rate:.2f} % of the symbols wrong"
        )


def score(answers: Sequence[Symbols], examples: Sequence[Example]) -> Scores:
    """The errors of the answers, each against its closest target, the longest of equal ones.

    Raises:    ValueError: if there are not as many answers as examples.
    """
    check_examples(answers, examples)
    check_answers(len(answers), len(examples))
    errors = symbols = wrong = 0
    for answer, example in zip(answers, examples):
        distances = [(edit_distance(answer, t), -len(t)) for t in example.targets]
        distance, length = min(distances)
        errors += distance
        symbols -= length
        wrong += distance > 0
    return Scores(errors, symbols, wrong, len(examples))
