"""A decoder without an encoder: it reads a text and says how it may go on.

Source:    Radford et al. (2018), Improving Language Understanding by Generative Pre-Training,
           section 3.1. Differs: pre-norm.
"""

from __future__ import annotations

import numpy as np

from stage1_autodiff import generator
from stage2_tensor import Tensor
from stage3_nn import evaluating
from stage5_transformer.attention import KeyValueCache
from stage5_transformer.inputs import check_config, check_ids
from stage5_transformer.layers import EncoderLayer
from stage5_transformer.masks import causal_mask
from stage5_transformer.transformer import Config, Stack, logits

Array = np.ndarray


class GPT(Stack):
    """Layers of self-attention in which nobody looks ahead; the last Linear is the embedding.

    Shapes:    ids: (B, T) -> (B, T, V)
    """

    def __init__(self, config: Config, rng: np.random.Generator | None = None) -> None:
        check_config("GPT", config)
        rng = generator("GPT", rng)
        super().__init__(config, config.target_size, EncoderLayer, config.decoder_layers, rng)
        self.config = config

    def forward(self, ids: Array, caches: list[KeyValueCache] | None = None) -> Tensor:
        """The logits of the next symbol, at every place. With caches, ids are the new symbols."""
        check_ids("GPT", ids)
        start = len(caches[0]) if caches else 0
        T = ids.shape[1]
        mask = causal_mask(T, start + T)
        x = self.embed(ids, start)  # (B, T, d_model)
        for i, layer in enumerate(self.layers):
            x = layer(x, mask, caches[i] if caches else None)
        return logits(self.norm(x), None, self.embedding)

    def start(self, prompt: Array) -> GPTState:
        """A state for decoding that has read all of the prompt but its last symbol."""
        return GPTState(self, prompt)


class GPTState:
    """A GPT in the middle of a text, as caches: `next` reads one symbol more."""

    def __init__(self, model: GPT, prompt: Array) -> None:
        self.model = model
        self.caches = [KeyValueCache() for _ in model.layers]
        if prompt.shape[1] > 1:
            with evaluating(model):
                model(prompt[:, :-1], self.caches)

    def next(self, ids: Array) -> Array:
        """The logits after one more symbol for every sample. Shapes: (B,) -> (B, V)"""
        with evaluating(self.model):
            return self.model(ids[:, None], self.caches).data[:, -1]

    def select(self, rows: Array) -> None:
        """Keep the samples `rows`, in this order; one may come several times."""
        for cache in self.caches:
            cache.select(rows)
