"""Stage 2: the tensor engine."""

import stage2_tensor.memory
from stage2_tensor.attention import scaled_dot_product_attention
from stage2_tensor.broadcasting import broadcast_shapes, unbroadcast
from stage2_tensor.checks.fused import read_mask
from stage2_tensor.checks.options import check_flag, check_real
from stage2_tensor.checks.shapes import check_broadcast
from stage2_tensor.comparing import equal
from stage2_tensor.creation import (
    arange,
    eye,
    full,
    ones,
    ones_like,
    rand,
    randn,
    uniform,
    zeros,
    zeros_like,
)
from stage2_tensor.einsum import einsum
from stage2_tensor.fused import (
    cross_entropy_with_logits,
    gelu,
    layer_norm,
    linear,
    log_softmax,
    softmax,
)
from stage2_tensor.grad_mode import no_grad
from stage2_tensor.gradcheck import gradcheck
from stage2_tensor.joining import concatenate, maximum, minimum, split, stack, where
from stage2_tensor.tensor import Tensor
from stage2_tensor.trace import trace

stage2_tensor.memory.keep_freed_memory()

__all__ = [
    "Tensor",
    "arange",
    "broadcast_shapes",
    "check_broadcast",
    "check_flag",
    "check_real",
    "concatenate",
    "cross_entropy_with_logits",
    "einsum",
    "equal",
    "eye",
    "full",
    "gelu",
    "gradcheck",
    "layer_norm",
    "linear",
    "log_softmax",
    "maximum",
    "minimum",
    "no_grad",
    "ones",
    "ones_like",
    "rand",
    "randn",
    "read_mask",
    "scaled_dot_product_attention",
    "softmax",
    "split",
    "stack",
    "trace",
    "unbroadcast",
    "uniform",
    "where",
    "zeros",
    "zeros_like",
]
