"""The two kinds of layers: look around (attention), then think (feed forward).

Pre-norm: every part works on a normalised copy, and its result is added to x. So x itself runs from
the first layer to the last without ever being squeezed, and so does its gradient.

    x = x + part(norm(x))

Source:    Xiong et al. (2020), On Layer Normalization in the Transformer Architecture, figure 1b.
"""

from __future__ import annotations

import numpy as np

from stage1_autodiff import generator
from stage2_tensor import Tensor, linear
from stage3_nn import GELU, Dropout, LayerNorm, Linear, Module, ReLU
from stage5_transformer.attention import KeyValueCache, MultiHeadAttention
from stage5_transformer.inputs import check_choice

Array = np.ndarray
ACTIVATIONS = {"relu": ReLU, "gelu": GELU}


class FeedForward(Module):
    """Two Linears and a bend between them, for every symbol by itself.

    Shapes:    x: (..., d_model) -> (..., d_model), by way of (..., dim_feedforward)
    Raises:    ValueError: if the activation is unknown.
    """

    def __init__(
        self,
        d_model: int,
        dim_feedforward: int,
        activation: str = "relu",
        rng: np.random.Generator | None = None,
    ) -> None:
        check_choice("FeedForward", tuple(ACTIVATIONS), activation=activation)
        rng = generator("FeedForward", rng)
        self.up = Linear(d_model, dim_feedforward, rng=rng)
        self.activation = ACTIVATIONS[activation]()
        self.down = Linear(dim_feedforward, d_model, rng=rng)

    def forward(self, x: Tensor) -> Tensor:
        """down(activation(up(x))); a relu that nobody observes is one node with its Linear."""
        if isinstance(self.activation, ReLU) and not self.observers:
            return self.down(linear(x, self.up.weight, self.up.bias, relu=True))
        return self.down(self.activation(self.up(x)))


class EncoderLayer(Module):
    """Self-attention over the whole source, then feed forward.

    Shapes:    x: (B, S, d_model), mask: broadcasts to (B, H, S, S) -> (B, S, d_model)
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int,
        dropout: float = 0.0,
        activation: str = "relu",
        rotary: bool = False,
        rng: np.random.Generator | None = None,
    ) -> None:
        rng = generator("EncoderLayer", rng)
        self.self_attention = MultiHeadAttention(d_model, nhead, rotary=rotary, rng=rng)
        self.feed_forward = FeedForward(d_model, dim_feedforward, activation, rng)
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.dropout = Dropout(dropout, rng)

    def forward(
        self, x: Tensor, mask: Array | None = None, cache: KeyValueCache | None = None
    ) -> Tensor:
        """x + attention, then + feed forward, each on a normalised copy."""
        x = x + self.dropout(self.self_attention(self.norm1(x), mask=mask, cache=cache))
        return x + self.dropout(self.feed_forward(self.norm2(x)))


class DecoderLayer(Module):
    """Self-attention over what was said so far, cross-attention to the source, feed forward.

    Shapes:    x: (B, T, d_model), memory: (B, S, d_model), mask: (B, H, T, T) and memory_mask:
               (B, H, T, S), or what broadcasts to them -> (B, T, d_model)
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int,
        dropout: float = 0.0,
        activation: str = "relu",
        rotary: bool = False,
        rng: np.random.Generator | None = None,
    ) -> None:
        rng = generator("DecoderLayer", rng)
        self.self_attention = MultiHeadAttention(d_model, nhead, rotary=rotary, rng=rng)
        self.cross_attention = MultiHeadAttention(d_model, nhead, rng=rng)
        self.feed_forward = FeedForward(d_model, dim_feedforward, activation, rng)
        self.norm1, self.norm2, self.norm3 = (LayerNorm(d_model) for _ in range(3))
        self.dropout = Dropout(dropout, rng)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Array | None = None,
        memory_mask: Array | None = None,
        caches: tuple[KeyValueCache, KeyValueCache] | tuple[None, None] = (None, None),
    ) -> Tensor:
        """x + self-attention, + cross-attention, + feed forward, each on a normalised copy."""
        own, cross = caches
        x = x + self.dropout(self.self_attention(self.norm1(x), mask=mask, cache=own))
        found = self.cross_attention(self.norm2(x), memory, memory_mask, cross)
        x = x + self.dropout(found)
        return x + self.dropout(self.feed_forward(self.norm3(x)))
