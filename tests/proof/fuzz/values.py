"""Right calls, drawn by a seed: values beside NumPy's, gradients beside central differences.

The cases of each stage stand in a file of their own, by the names that `calls.targets` gives.
"""

from __future__ import annotations

import numpy as np

from stage1_autodiff import Value
from stage2_tensor import Tensor
from tests.proof.fuzz import (
    values_layers,
    values_scalars,
    values_tensors,
    values_transformer,
    values_wider,
)

STEP = 1e-6
CASES = {
    **values_scalars.CASES,
    **values_tensors.CASES,
    **values_wider.CASES,
    **values_layers.CASES,
    **values_transformer.CASES,
}

# Public names whose values are not judged here, as patterns, and why.
NOT_JUDGED = {
    r"backward$|zero_grad$": "every case walks back",
    r"\.check_": "refuses, and returns nothing",
    r"rand|uniform|normal|two_moons|generator|train_test_split": "is random",
    r"^stage4_optim": "moves weights step by step, which tests/library and parity follow",
    r"draw|explain|gradient_report": "shows what others computed",
    r"\.load|save|write": "goes to a file and back",
    r"Dual$|Value$|Parameter$|Buffer$|Module$|ModuleList$": "holds what it is given",
    r"ArrayDataset$|DataLoader$|Config$|Hypothesis$|KeyValueCache$|Vocabulary$|Scores$": "as these",
    r"topological_order|fans|\.score$": "has no formula to compare with but its own",
    r"GPT$|Transformer$": "is made of judged layers; parity compares the whole",
}


def judge(name, rng):
    """What is wrong with the value or the gradients of one random call; nothing if all is well."""
    course, reference, arrays = CASES[name](rng)
    told = f"{name} of {', '.join(str(a.shape) for a in arrays)}"
    scalar = name.startswith(("Value.", "stage1_autodiff."))
    leaves = [Value(float(a)) if scalar else leaf(a) for a in arrays]
    with np.errstate(all="ignore"):
        want = np.asarray(reference(*arrays))
        found = course(*leaves)
    numbers = np.asarray(found.data if isinstance(found, Value | Tensor) else found)
    if numbers.shape != want.shape or not np.allclose(numbers, want, 1e-9, 1e-11, equal_nan=True):
        return f"{told}: the value is {numbers!r}, NumPy's {want!r}"
    if not isinstance(found, Value | Tensor) or not arrays:
        return ""
    if isinstance(found, Tensor) and not found.requires_grad:
        return f"{told}: the gradient is lost"
    weights = rng.standard_normal(want.shape) if isinstance(found, Tensor) else np.ones(())
    found.backward(*([weights] if isinstance(found, Tensor) else []))
    for number, (x, array) in enumerate(zip(leaves, arrays)):
        measured = slopes(reference, arrays, number, weights)
        if x.grad is None or not np.allclose(x.grad, measured, 1e-4, 1e-5):
            return f"{told}: the gradient of input {number} is {x.grad}, measured {measured}"
        if not np.array_equal(x.data, array):
            return f"{told}: an input was changed"
    return ""


def leaf(array):
    """A Tensor of these numbers that wants a gradient."""
    return Tensor(array.copy(), requires_grad=True)


def slopes(reference, arrays, number, weights):
    """The gradient of the weighted sum by one of the inputs, by central differences."""
    measured = np.zeros_like(arrays[number])
    for place in np.ndindex(*measured.shape):
        for step in (STEP, -STEP):
            moved = [a.copy() for a in arrays]
            moved[number][place] += step
            with np.errstate(all="ignore"):
                total = (np.asarray(reference(*moved)) * weights).sum()
            measured[place] += total / (2 * step)
    return measured
