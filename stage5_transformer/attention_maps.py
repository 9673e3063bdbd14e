"""Attention maps: what the model looks at, as text and as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stage3_nn import evaluating
from stage5_transformer.layers import DecoderLayer
from stage5_transformer.translator import Translator
from stage5_transformer.vocabulary import pad, shifted

Array = np.ndarray
SHADES = " .:-=+*#%@"


def cross_weights(translator: Translator, source: Sequence[str], answer: Sequence[str]) -> Array:
    """How much each symbol of the answer looked at each of the source, in the last layer.

    Shapes:    S symbols and T symbols -> (H, T + 1, S); the last row is that of EOS
    """
    layer = translator.model.decoder.layers[-1]
    assert isinstance(layer, DecoderLayer)
    attention = layer.cross_attention
    attention.keep_weights = True
    said, _ = shifted([translator.target.encode(answer)])
    try:
        with evaluating(translator.model):
            translator.model(pad([translator.source.encode(source)]), said)
        assert attention.weights is not None
        return attention.weights[0]
    finally:
        attention.keep_weights, attention.weights = False, None


def attention_text(source: Sequence[str], answer: Sequence[str], weights: Array) -> str:
    """The mean over the heads as a table of shades, a row for every symbol of the answer."""
    mean = weights.mean(axis=0)[: len(answer)]  # (T, S)
    wide = max(map(len, answer), default=0)
    lines = [f"{'':{wide}}  {' '.join(source)}"]
    for symbol, row in zip(answer, mean):
        shades = " ".join(SHADES[min(int(w * len(SHADES)), len(SHADES) - 1)] for w in row)
        lines.append(f"{symbol:{wide}}  {shades}".rstrip())
    return "\n".join(lines)


def plot_attention(
    source: Sequence[str], answer: Sequence[str], weights: Array, path: Path | None = None
):
    """A heat map for every head; returns the figure, and writes it if there is a path."""
    import matplotlib.pyplot as plt

    heads = len(weights)
    fig, axes = plt.subplots(1, heads, figsize=(2 + 2 * heads, 3), sharey=True, squeeze=False)
    for head, ax in enumerate(axes[0]):
        ax.imshow(weights[head], cmap="Blues", vmin=0, vmax=1, aspect="auto")
        ax.set_xticks(range(len(source)), source)
        ax.set_yticks(range(len(answer) + 1), [*answer, "end"])
        ax.grid(False)
        ax.set_title(f"head {head + 1}", fontsize=9)
    fig.tight_layout()
    if path is not None:
        fig.savefig(path)
    return fig
