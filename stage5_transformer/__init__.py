"""Stage 5: the Tiny Transformer."""

from stage5_transformer.attention import KeyValueCache, MultiHeadAttention, attention
from stage5_transformer.decoding import Hypothesis, beam_search, greedy, sample
from stage5_transformer.gpt import GPT
from stage5_transformer.layers import DecoderLayer, EncoderLayer, FeedForward
from stage5_transformer.masks import causal_mask, combined, padding_mask
from stage5_transformer.positions import (
    LearnedPositions,
    SinusoidalPositions,
    rotate,
    sinusoids,
)
from stage5_transformer.transformer import Config, Transformer
from stage5_transformer.vocabulary import BOS, EOS, PAD, UNK, Vocabulary, pad, shifted

__all__ = [
    "BOS",
    "EOS",
    "GPT",
    "PAD",
    "UNK",
    "Config",
    "DecoderLayer",
    "EncoderLayer",
    "FeedForward",
    "Hypothesis",
    "KeyValueCache",
    "LearnedPositions",
    "MultiHeadAttention",
    "SinusoidalPositions",
    "Transformer",
    "Vocabulary",
    "attention",
    "beam_search",
    "causal_mask",
    "combined",
    "greedy",
    "pad",
    "padding_mask",
    "rotate",
    "sample",
    "shifted",
    "sinusoids",
]
