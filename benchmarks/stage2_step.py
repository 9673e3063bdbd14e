"""The peak memory of one training step, in a process of its own.

    python -m benchmarks.stage2_step glassbox

The step is forward and backward of an MLP 784-256-128-10 with relu, on a batch of 128, in float32.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks import peers
from benchmarks.memory import print_peak

SIZES = [784, 256, 128, 10]
BATCH = 128


def numbers() -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """The batch, its classes, and the weights (n_in, n_out)."""
    rng = np.random.default_rng(0)
    x = rng.random((BATCH, SIZES[0])).astype(np.float32)
    weights = [rng.normal(0, n**-0.5, (n, m)).astype(np.float32) for n, m in pairwise(SIZES)]
    return x, rng.integers(0, SIZES[-1], BATCH), weights


def glassbox() -> tuple[Callable[[], Any], list[Any]]:
    """The loss as a function of nothing, and the parameters."""
    from stage2_tensor import Tensor, cross_entropy_with_logits

    data, ids, arrays = numbers()
    x = Tensor(data)
    weights = [Tensor(w, requires_grad=True) for w in arrays]
    biases = [Tensor(np.zeros(n, np.float32), requires_grad=True) for n in SIZES[1:]]

    def loss() -> Tensor:
        *hidden, last = zip(weights, biases)
        h = x
        for w, b in hidden:
            h = (h @ w + b).relu()
        return cross_entropy_with_logits(h @ last[0] + last[1], ids).mean()

    return loss, [*weights, *biases]


def pytorch() -> tuple[Callable[[], Any], list[Any]]:
    """The same in PyTorch, with its fused linear layer."""
    torch = peers.load("PyTorch")
    F = torch.nn.functional
    data, ids, arrays = numbers()
    x, targets = torch.tensor(data), torch.tensor(ids)
    weights: list[Any] = [torch.tensor(w.T.copy(), requires_grad=True) for w in arrays]
    biases: list[Any] = [torch.zeros(n, requires_grad=True) for n in SIZES[1:]]

    def loss() -> Any:
        *hidden, last = zip(weights, biases)
        h = x
        for w, b in hidden:
            h = F.relu(F.linear(h, w, b))
        return F.cross_entropy(F.linear(h, *last), targets)

    return loss, [*weights, *biases]


def main() -> None:
    loss, parameters = {"glassbox": glassbox, "pytorch": pytorch}[sys.argv[1]]()

    def step() -> float:
        result = loss()
        result.backward()
        for p in parameters:
            p.grad = None
        return result.item()

    print_peak(step)


if __name__ == "__main__":
    main()
