"""The whole model: an encoder reads, a decoder writes.

Source:    Vaswani et al. (2017), Attention Is All You Need, section 3. Differs: pre-norm with a
           norm at the end of each stack, and dropout on no attention weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stage1_autodiff import generator
from stage2_tensor import Tensor
from stage3_nn import (
    Dropout,
    Embedding,
    LayerNorm,
    Linear,
    Module,
    ModuleList,
    check_sizes,
    evaluating,
)
from stage5_transformer.attention import KeyValueCache
from stage5_transformer.inputs import check_choice, check_config, check_ids, check_same_batch
from stage5_transformer.layers import DecoderLayer, EncoderLayer
from stage5_transformer.masks import causal_mask, padding_mask
from stage5_transformer.positions import LearnedPositions, NoPositions, SinusoidalPositions
from stage5_transformer.vocabulary import PAD

Array = np.ndarray
Generator = np.random.Generator

POSITIONS = ("sinusoidal", "learned", "rotary")
LEAST = {  # what the sizes of a Config have to be
    1: ("target_size", "d_model", "heads", "d_ff", "max_positions"),
    0: ("source_size", "encoder_layers", "decoder_layers"),
}


@dataclass(frozen=True)
class Config:
    """The sizes of a model.

    Raises:    ValueError: if a size is below what there can be, or the positions are unknown.
    """

    source_size: int  # symbols of the source; 0 for a GPT
    target_size: int
    d_model: int = 64
    heads: int = 4
    d_ff: int = 256
    encoder_layers: int = 2
    decoder_layers: int = 2
    dropout: float = 0.0
    activation: str = "relu"
    positions: str = "sinusoidal"  # or "learned", or "rotary"
    max_positions: int = 64  # if they are learned
    tied: bool = True  # the last Linear is the embedding of the target, transposed

    def __post_init__(self) -> None:
        for low, names in LEAST.items():
            check_sizes("Config", low, **{name: getattr(self, name) for name in names})
        check_choice("Config", POSITIONS, positions=self.positions)

    def embedding(self, size: int, rng: Generator) -> Embedding:
        """A table for `size` symbols, small enough to be multiplied by sqrt(d_model)."""
        table = Embedding(size, self.d_model, padding_idx=PAD, rng=rng)
        table.weight.data *= self.d_model**-0.5
        return table

    def positions_module(self, rng: Generator) -> Module:
        """The module that adds position information."""
        if self.positions == "learned":
            return LearnedPositions(self.max_positions, self.d_model, rng)
        return NoPositions() if self.positions == "rotary" else SinusoidalPositions()

    def layer_sizes(self) -> tuple[int, int, int, float, str, bool]:
        """The arguments of a layer."""
        rotary = self.positions == "rotary"
        return self.d_model, self.heads, self.d_ff, self.dropout, self.activation, rotary


class Stack(Module):
    """The parts of an encoder, a decoder or a GPT: a table, positions, layers, a last norm."""

    def __init__(
        self,
        config: Config,
        size: int,
        layer: type[EncoderLayer] | type[DecoderLayer],
        n: int,
        rng: Generator,
    ) -> None:
        self.scale = config.d_model**0.5
        self.embedding = config.embedding(size, rng)
        self.positions = config.positions_module(rng)
        self.dropout = Dropout(config.dropout, rng)
        self.layers = ModuleList(layer(*config.layer_sizes(), rng=rng) for _ in range(n))
        self.norm = LayerNorm(config.d_model)

    def embed(self, ids: Array, start: int = 0) -> Tensor:
        """The vectors that enter the first layer: scaled, with positions, with dropout.

        Shapes:    ids: (B, T), at the positions from `start` on -> (B, T, d_model)
        """
        return self.dropout(self.positions(self.embedding(ids) * self.scale, start))


class Encoder(Stack):
    """Reads the source, every symbol in the light of all others.

    Shapes:    ids: (B, S), mask: (B, 1, 1, S) -> (B, S, d_model)
    """

    def __init__(self, config: Config, rng: Generator) -> None:
        super().__init__(config, config.source_size, EncoderLayer, config.encoder_layers, rng)

    def forward(self, ids: Array, mask: Array) -> Tensor:
        """The memory that the decoder looks at."""
        x = self.embed(ids)  # (B, S, d_model)
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)


class Decoder(Stack):
    """Reads what was said so far, and the memory; says what may come next.

    Shapes:    ids: (B, T), memory: (B, S, d_model), memory_mask: (B, 1, 1, S) -> (B, T, V)
    """

    def __init__(self, config: Config, rng: Generator) -> None:
        super().__init__(config, config.target_size, DecoderLayer, config.decoder_layers, rng)
        self.head = None if config.tied else Linear(config.d_model, config.target_size, rng=rng)

    def forward(
        self,
        ids: Array,
        memory: Tensor,
        memory_mask: Array,
        caches: list[tuple[KeyValueCache, KeyValueCache]] | None = None,
    ) -> Tensor:
        """The logits of the next symbol, at every place. With caches, ids are the new symbols."""
        check_ids("Decoder", ids)
        check_same_batch("Decoder", ids, len(memory))
        start = len(caches[0][0]) if caches else 0
        T = ids.shape[1]
        mask = causal_mask(T, start + T)  # padding comes last, so that nobody looks at it
        x = self.embed(ids, start)  # (B, T, d_model)
        for i, layer in enumerate(self.layers):
            x = layer(x, memory, mask, memory_mask, caches[i] if caches else (None, None))
        return logits(self.norm(x), self.head, self.embedding)


def logits(x: Tensor, head: Linear | None, embedding: Embedding) -> Tensor:
    """x through the last Linear, or times the table itself: how well does each symbol fit?

    Shapes:    x: (B, T, d_model) -> (B, T, V)
    """
    return x @ embedding.weight.T if head is None else head(x)


class Transformer(Module):
    """Encoder and decoder.

    Shapes:    source: (B, S) ids, target: (B, T) ids that begin with BOS -> (B, T, V)
    Raises:    TypeError or ValueError: if these are no such ids, or of different samples.
    """

    def __init__(self, config: Config, rng: Generator | None = None) -> None:
        check_config("Transformer", config)
        rng = generator("Transformer", rng)
        self.config = config
        self.encoder = Encoder(config, rng)
        self.decoder = Decoder(config, rng)

    def forward(self, source: Array, target: Array) -> Tensor:
        """The logits of the symbol after each of the target: what training compares."""
        mask = padding_mask(source)
        return self.decoder(target, self.encoder(source, mask), mask)

    def start(self, source: Array) -> TransformerState:
        """A state for decoding: the source is read once, nothing is said yet."""
        return TransformerState(self, source)


class TransformerState:
    """A decoder in the middle of an answer, as caches: `next` says one symbol more.

    Everything runs without a graph and in evaluation mode; the mode of the model stays.
    """

    def __init__(self, model: Transformer, source: Array) -> None:
        self.model = model
        self.mask = padding_mask(source)
        n = len(model.decoder.layers)
        self.caches = [(KeyValueCache(), KeyValueCache()) for _ in range(n)]
        with evaluating(model):
            self.memory = model.encoder(source, self.mask)

    def next(self, ids: Array) -> Array:
        """The logits after one more symbol for every sample. Shapes: (B,) -> (B, V)"""
        with evaluating(self.model):
            found = self.model.decoder(ids[:, None], self.memory, self.mask, self.caches)
        return found.data[:, -1]

    def select(self, rows: Array) -> None:
        """Keep the samples `rows`, in this order; one may come several times."""
        self.memory, self.mask = self.memory[rows], self.mask[rows]
        for own, cross in self.caches:
            own.select(rows)
            cross.select(rows)
