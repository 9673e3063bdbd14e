"""Wider forms of what stage 2 has, and more of its kind, for programs that come from elsewhere.

No exercise needs them. Each is a function under the name that PyTorch or NumPy gives it, and calls
the function of the exercise for all that this one can do.
"""

from stage2_tensor.more.activations import elu, gelu, leaky_relu, softplus
from stage2_tensor.more.attention import scaled_dot_product_attention
from stage2_tensor.more.einsum import einsum
from stage2_tensor.more.elementwise import ceil, expm1, floor, log1p, log2, sign, tan
from stage2_tensor.more.erf import erf
from stage2_tensor.more.moving import outer, repeat, roll, tile, tril, triu
from stage2_tensor.more.norms import layer_norm, rms_norm
from stage2_tensor.more.reductions import all, any, argmax, argmin, isnan, prod
from stage2_tensor.more.scans import cumprod, cumsum
from stage2_tensor.more.sorting import argsort, gather, one_hot, sort, topk

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "argsort",
    "ceil",
    "cumprod",
    "cumsum",
    "einsum",
    "elu",
    "erf",
    "expm1",
    "floor",
    "gather",
    "gelu",
    "isnan",
    "layer_norm",
    "leaky_relu",
    "log1p",
    "log2",
    "one_hot",
    "outer",
    "prod",
    "repeat",
    "rms_norm",
    "roll",
    "scaled_dot_product_attention",
    "sign",
    "softplus",
    "sort",
    "tan",
    "tile",
    "topk",
    "tril",
    "triu",
]
