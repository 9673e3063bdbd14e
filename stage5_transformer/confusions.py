"""Which symbols go wrong: every wrong answer laid beside the closest right one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stage3_nn import table
from stage5_transformer.scoring import edit_distance
from stage5_transformer.tasks.task import Example

Symbols = Sequence[str]
NOTHING = "-"  # the other side of a symbol that is missing, or too many


@dataclass(frozen=True)
class Confusions:
    """The sources, and what would have to change in the answer to each: pairs (right, said)."""

    sources: list[Symbols]
    changes: list[list[tuple[str, str]]]

    def counts(self) -> list[tuple[tuple[str, str], int]]:
        """Every pair (right, said) and how often it occurs, the most frequent first."""
        return Counter(pair for changes in self.changes for pair in changes).most_common()

    def wrong_by(self, keys: Callable[[Symbols], Iterable[Any]]) -> dict[Any, float]:
        """The percentage of wrong answers among the sources with a key, the worst key first."""
        asked: Counter = Counter()
        failed: Counter = Counter()
        for source, changes in zip(self.sources, self.changes):
            found = set(keys(source))
            asked.update(found)
            failed.update(found if changes else ())
        shares = {key: 100 * failed[key] / n for key, n in asked.items()}
        return dict(sorted(shares.items(), key=lambda item: -item[1]))

    def __str__(self) -> str:
        pairs = [(right, said, f"{n:,}") for (right, said), n in self.counts()[:10]]
        shares = [(key, f"{share:.1f}") for key, share in self.wrong_by(tuple).items()][:10]
        return "\n\n".join(
            (
                table([("right", "said", "times"), *pairs]),
                table([("sources with", "wrong %"), *shares]),
            )
        )


def find_confusions(answers: Sequence[Symbols], examples: Sequence[Example]) -> Confusions:
    """Lay every answer beside its closest target."""
    changes = []
    for answer, example in zip(answers, examples, strict=True):
        closest = min(example.targets, key=lambda target: edit_distance(answer, target))
        changes.append(edits(answer, closest) if tuple(answer) != closest else [])
    return Confusions([example.source for example in examples], changes)


def edits(answer: Symbols, target: Symbols) -> list[tuple[str, str]]:
    """The fewest changes between the two: pairs of what is right and what was said.

    `left[i][j]` is how many changes the symbols from i and from j on still need; the way from the
    first to the last cell takes the cheapest step each time.
    """
    n, m = len(answer), len(target)
    left = [[edit_distance(answer[i:], target[j:]) for j in range(m + 1)] for i in range(n + 1)]
    changes, i, j = [], 0, 0
    while i < n or j < m:
        if i < n and j < m and left[i][j] == left[i + 1][j + 1] + (answer[i] != target[j]):
            said, right, i, j = answer[i], target[j], i + 1, j + 1
        elif i < n and left[i][j] == left[i + 1][j] + 1:
            said, right, i = answer[i], NOTHING, i + 1
        else:
            said, right, j = NOTHING, target[j], j + 1
        if said != right:
            changes.append((right, said))
    return changes


def plot_confusions(confusions: Confusions, path: Path | None = None):
    """Three charts: what is taken for what, which letters are hard, and the effect of length.

    Returns the figure, and writes it if there is a path.
    """
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    counts = confusions.counts()[:15]
    pairs, times = zip(*reversed(counts)) if counts else ((), ())
    axes[0].barh([f"{right} \N{RIGHTWARDS ARROW} {said}" for right, said in pairs], times)
    axes[0].set(title="what is taken for what", xlabel="times")
    shares = confusions.wrong_by(tuple)
    axes[1].bar(list(shares), list(shares.values()))
    axes[1].set(title="sources with this symbol", ylabel="wrong %")
    shares = confusions.wrong_by(lambda source: [len(source)])
    axes[2].bar([str(n) for n in sorted(shares)], [shares[n] for n in sorted(shares)])
    axes[2].set(title="sources of this length", xlabel="symbols", ylabel="wrong %")
    if path is not None:
        fig.savefig(path)
    return fig
