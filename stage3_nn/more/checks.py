"""Refusals of the layers and losses in this folder."""

from __future__ import annotations

from collections.abc import Sequence

from stage2_tensor import Tensor
from stage3_nn.argument_kinds import check_tensor
from stage3_nn.inputs import check_sizes
from stage3_nn.module import Module
from stage3_nn.tree import layer_name

Pair = tuple[int, int]
Sizes = int | Sequence[int]


def read_pair(op: str, name: str, size: Sizes, low: int = 1) -> Pair:
    """One number for height and width alike, or one for each.

    Raises:    TypeError: if they are not whole numbers. ValueError: if they are not one or two, or
               one is below `low`.
    """
    pair = tuple(size) if isinstance(size, Sequence) else (size, size)
    if len(pair) != 2:
        raise ValueError(f"{op}: expected {name} as one number, or a pair, got {size!r}")
    for n in pair:
        check_sizes(op, low, **{name: n})
    return pair[0], pair[1]


def check_pool_padding(op: str, kernel: Pair, padding: Pair) -> None:
    """Refuse a padding that a window could lie in, and find nothing.

    Raises:    ValueError: if it is more than half a window wide.
    """
    if any(2 * p > k for k, p in zip(kernel, padding)):
        raise ValueError(
            f"{op}: expected padding of at most half the window {kernel}, got {padding}"
        )


def check_tensors(op: str, x: Tensor, *weights: Tensor | None) -> None:
    """Refuse anything but Tensors; None stands for a weight that was left out.

    Raises:    TypeError: if something is no Tensor.
    """
    for t in (x, *(w for w in weights if w is not None)):
        check_tensor(op, t)


def check_pictures(op: str, x: Tensor, span: Pair, around: Pair, channels: int | None = None):
    """Refuse x unless it is (N, C, H, W), and a window fits into it with what is put around.

    Raises:    ValueError: if it has another shape, or another number of channels. TypeError: if it
               is no Tensor.
    """
    check_tensor(op, x)
    h, w = (max(1, s - a) for s, a in zip(span, around))
    if x.ndim != 4 or channels not in (None, x.shape[1]) or x.shape[2] < h or x.shape[3] < w:
        C = "C" if channels is None else channels
        raise ValueError(
            f"{op}: expected x of shape (N, {C}, H, W) with H at least {h} and W at least {w}, "
            f"got {x.shape}"
        )


def check_weight(x: Tensor, weight: Tensor, bias: Tensor | None, groups: int) -> None:
    """Refuse filters that do not go with the channels of x.

    Raises:    ValueError: if the numbers of channels do not go together.
    """
    shapes = f"{x.shape}, {weight.shape}" + ("" if bias is None else f" and {bias.shape}")
    fits = x.ndim == weight.ndim == 4 and x.shape[1] == weight.shape[1] * groups
    if not fits or len(weight) % groups or (bias is not None and bias.shape != weight.shape[:1]):
        raise ValueError(
            "conv2d: expected x (N, groups C, H, W), weight (C_out, C, kh, kw) and bias (C_out,), "
            f"C_out a multiple of groups={groups}, got {shapes}"
        )


def check_groups(in_channels: int, out_channels: int, groups: int) -> None:
    """Refuse groups that channels cannot be dealt out to.

    Raises:    TypeError: if it is no whole number. ValueError: if it is below 1, or does not
               divide both numbers of channels.
    """
    check_sizes("Conv2d", 1, groups=groups)
    if in_channels % groups or out_channels % groups:
        raise ValueError(
            f"Conv2d: expected groups that divide {in_channels} and {out_channels} channels, "
            f"got {groups}"
        )


def check_padding_word(padding: str, stride: Pair) -> None:
    """Refuse a padding that is not known, and "same" where windows are skipped.

    Raises:    ValueError: if it is neither "same" nor "valid", or "same" with a stride above 1.
    """
    if padding not in ("same", "valid"):
        raise ValueError(f'conv2d: expected padding as numbers, "same" or "valid", got {padding!r}')
    if padding == "same" and stride != (1, 1):
        raise ValueError(f'conv2d: expected a stride of 1 for padding="same", got {stride}')


def check_norm_input(module: Module, x: Tensor, features: int, axes: tuple[int, ...]) -> None:
    """Refuse x unless its second axis is that of the features, with several numbers of each.

    Raises:    ValueError: if it has another shape, or one number of each feature in training.
               TypeError: if it is no Tensor.
    """
    check_tensor(layer_name(module), x)
    fits = x.ndim in axes and x.shape[1] == features
    if not fits or (module.training and x.size < 2 * features):
        told = " or ".join(f"(N, {features}, ...) of {n} axes" for n in axes)
        raise ValueError(
            f"{layer_name(module)}: expected x of shape {told}, with at least 2 numbers of each "
            f"feature in training, got {x.shape}"
        )


def check_pos_weight(shape: tuple[int, ...], pos_weight: Tensor) -> None:
    """Refuse weights of the answer yes that do not go with x.

    Raises:    ValueError: if they do not broadcast to the shape of x.
    """
    added = len(shape) - pos_weight.ndim
    if added < 0 or any(n not in (1, m) for n, m in zip(pos_weight.shape, shape[added:])):
        raise ValueError(
            "binary_cross_entropy_with_logits: expected a pos_weight that broadcasts to x "
            f"{shape}, got {pos_weight.shape}"
        )
