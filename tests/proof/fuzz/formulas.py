"""The formulas of the course in plain NumPy, written once more to compare with."""

from __future__ import annotations

import math

import numpy as np

erf = np.vectorize(math.erf, otypes=[float])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def relu(x):
    return np.maximum(x, 0)


def silu(x):
    return x * sigmoid(x)


def softplus(x, beta=1.0):
    return np.log1p(np.exp(beta * x)) / beta


def gelu(x):
    return x * (1 + erf(x / math.sqrt(2))) / 2


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def elu(x, alpha=1.0):
    return np.where(x > 0, x, alpha * (np.exp(x) - 1))


def leaky_relu(x, slope=0.01):
    return np.where(x > 0, x, slope * x)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def log_softmax(x, axis=-1):
    return np.log(softmax(x, axis))


def logsumexp(x, axis, keepdims):
    return np.log(np.exp(x).sum(axis=axis, keepdims=keepdims))


def normalised(x, axes, eps=1e-5):
    """x minus its mean, over its standard deviation."""
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


def by_root_mean_square(x, axes, eps=1e-5):
    return x / np.sqrt((x * x).mean(axes, keepdims=True) + eps)


def attention_weights(q, k, mask=True):
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1]), -np.inf)
    e = np.exp(scores - np.maximum(scores.max(-1, keepdims=True), -1e300))
    return e / np.maximum(e.sum(-1, keepdims=True), 1e-300)


def attention(q, k, v, mask=True):
    return attention_weights(q, k, mask) @ v


def heads(x, p, memory=None, mask=True, nhead=2, turn=lambda x: x):
    """The attention of several heads: x and memory are (B, T, D)."""
    memory = x if memory is None else memory

    def projected(name, x):
        y = x @ p[f"{name}.weight"] + p[f"{name}.bias"]
        return y.reshape(*y.shape[:2], nhead, -1).transpose(0, 2, 1, 3)

    q, k = turn(projected("q_proj", x)), turn(projected("k_proj", memory))
    y = attention(q, k, projected("v_proj", memory), mask)
    y = y.transpose(0, 2, 1, 3).reshape(x.shape)
    return y @ p["out_proj.weight"] + p["out_proj.bias"]


def rotated(x, start=0):
    """Column i and i + D / 2 as a complex number, turned."""
    T, D = x.shape[-2:]
    angles = np.arange(start, start + T)[:, None] * 10000.0 ** (-2 * np.arange(D // 2) / D)
    turned = (x[..., : D // 2] + 1j * x[..., D // 2 :]) * np.exp(1j * angles)
    return np.concatenate([turned.real, turned.imag], -1)


def waves(T, D, start=0):
    """Sinusoids, number by number."""
    found = np.zeros((T, D))
    for t in range(T):
        for i in range(D):
            angle = (start + t) / 10000 ** (2 * (i // 2) / D)
            found[t, i] = math.cos(angle) if i % 2 else math.sin(angle)
    return found.astype(np.float32)


def windows(x, kernel, stride, padding=(0, 0), dilation=(1, 1), ceil=False, fills=(0.0, 0.0)):
    """Every window, (N, C, h, w, kh, kw); the fills are of the padding and of the overhang."""
    around = [(0, 0), (0, 0)] + [(p, p) for p in padding]
    x = np.pad(x, around, constant_values=fills[0])
    span = [d * (k - 1) + 1 for k, d in zip(kernel, dilation)]
    if ceil:
        over = []
        for size, s, step, p in zip(x.shape[2:], span, stride, padding):
            n = -(-(size - s) // step)  # windows beside the first one
            n -= n * step >= size - p  # the last one may not begin in the padding behind
            over.append((0, max(0, n * step + s - size)))
        x = np.pad(x, [(0, 0), (0, 0), *over], constant_values=fills[1])
    views = np.lib.stride_tricks.sliding_window_view(x, span, axis=(2, 3))
    return views[:, :, :: stride[0], :: stride[1], :: dilation[0], :: dilation[1]]


def convolution(x, weight, bias, stride, padding=(0, 0), dilation=(1, 1), groups=1):
    views = windows(x, weight.shape[2:], stride, padding, dilation)
    parts = zip(np.split(views, groups, 1), np.split(weight, groups))
    y = np.concatenate([np.einsum("nchwij,ocij->nohw", v, w) for v, w in parts], 1)
    return y + bias[:, None, None]


def cross_entropy(logits, shares, counts=1.0, weight=1.0):
    """-sum of weight shares log softmax, one number per row; rows that do not count are 0."""
    return -(weight * shares * log_softmax(logits)).sum(-1) * counts


def reduced(losses, reduction):
    return {"mean": np.mean, "sum": np.sum, "none": lambda x: x}[reduction](losses)
