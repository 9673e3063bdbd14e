"""Windows that need not be square, that may have gaps, and that may hang over the edge."""

from __future__ import annotations

from stage2_tensor import Tensor, stack
from stage3_nn import convolution
from stage3_nn.more.checks import Pair


def windows(x: Tensor, kernel: Pair, stride: Pair, dilation: Pair = (1, 1)) -> Tensor:
    """Every window of kh by kw numbers, which lie `dilation` steps apart.

    Shapes:    x: (N, C, H, W) -> (N, C, kh kw, H_out, W_out),
               with H_out = (H - span) // stride + 1 and span = dilation (kh - 1) + 1
    """
    (kh, kw), (sh, sw), (dh, dw) = kernel, stride, dilation
    if kh == kw and sh == sw and dilation == (1, 1):
        return convolution.windows(x, kh, sh)
    H, W = x.shape[-2:]
    h_end, w_end = H - dh * (kh - 1), W - dw * (kw - 1)
    places = [(i * dh, j * dw) for i in range(kh) for j in range(kw)]
    return stack([x[:, :, i : i + h_end : sh, j : j + w_end : sw] for i, j in places], axis=2)


def spans(kernel: Pair, dilation: Pair) -> Pair:
    """How far a window reaches, with its gaps."""
    (kh, kw), (dh, dw) = kernel, dilation
    return dh * (kh - 1) + 1, dw * (kw - 1) + 1


def overhang(sizes: Pair, span: Pair, stride: Pair, padding: Pair) -> Pair:
    """How much further than the padding the last windows reach, if no number is to be left out.

    A last window counts only if it begins before the padding behind the picture.
    """
    return (
        overhang_of_axis(sizes[0], span[0], stride[0], padding[0]),
        overhang_of_axis(sizes[1], span[1], stride[1], padding[1]),
    )


def overhang_of_axis(size: int, span: int, stride: int, padding: int) -> int:
    """The same for one axis."""
    left = size + 2 * padding - span  # the room that the first window leaves
    steps = -(-left // stride)  # rounded up
    if steps * stride >= size + padding:
        steps -= 1
    return max(0, steps * stride - left)
