"""Gradients of tensor functions checked against measured slopes, element by element.

The output is weighted with random numbers before it is summed. A plain sum would hide mistakes:
the sum of a softmax is 1 whatever its input is, so its gradient is 0, and a rule that always
returns 0 would pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from stage1_autodiff import GradCheck, Row, generator
from stage2_tensor.checks.gradients import check_function, check_output
from stage2_tensor.creation import as_tensor
from stage2_tensor.tensor import Operand, Tensor

Array = np.ndarray

CENTRAL_STEP = 1e-6
COMPLEX_STEP = 1e-20  # it is not subtracted from anything, so it may be as small as this


def gradcheck(
    f: Callable[..., Tensor],
    *inputs: Operand,
    tolerance: float = 1e-6,
    complex_step: bool = False,
    rng: np.random.Generator | None = None,
) -> GradCheck:
    """The gradient of f by backward and by measurement, for every element of every input.

    All is computed in float64, whatever the inputs are. `complex_step` measures with a step into
    the complex plane, which is exact to the last digit, for functions that have no kinks and use
    no absolute values, maxima or comparisons.

    Source:    Squire and Trapp (1998), Using Complex Variables to Estimate Derivatives of Real
               Functions: f'(x) = Im f(x + i h) / h + O(h^2).
    """
    check_function(f)
    rng = generator("gradcheck", rng)
    arrays = [as_tensor(x).data.astype(np.float64) for x in inputs]
    leaves = [Tensor(x, requires_grad=True) for x in arrays]
    y = f(*leaves)
    check_output(y)
    weights = rng.standard_normal(y.shape)
    y.backward(weights)
    measure = measure_complex if complex_step else measure_central
    rows = []
    for i, (leaf, x) in enumerate(zip(leaves, arrays)):

        def total(moved: Array, i: int = i) -> complex:
            with_moved = [*arrays[:i], moved, *arrays[i + 1 :]]
            return (f(*map(constant, with_moved)).data * weights).sum()

        analytic = np.zeros_like(x) if leaf.grad is None else leaf.grad
        rows.append(Row(analytic, measure(total, x)))
    return GradCheck(rows, len(inputs), tolerance)


def measure_central(f: Callable[[Array], complex], x: Array) -> Array:
    """df/dx by a central difference, one element at a time."""
    slopes = np.zeros_like(x)
    for place, step in steps(x, CENTRAL_STEP):
        slopes[place] = (f(x + step) - f(x - step)).real / (2 * CENTRAL_STEP)
    return slopes


def measure_complex(f: Callable[[Array], complex], x: Array) -> Array:
    """df/dx by a step into the complex plane, one element at a time."""
    slopes = np.zeros_like(x)
    for place, step in steps(x, COMPLEX_STEP):
        slopes[place] = f(x + 1j * step).imag / COMPLEX_STEP
    return slopes


def steps(x: Array, h: float) -> Iterator[tuple[tuple[int, ...], Array]]:
    """Every place of x, with an array that is h there and 0 elsewhere."""
    for place in np.ndindex(*x.shape):
        step = np.zeros_like(x)
        step[place] = h
        yield place, step


def constant(x: Array) -> Tensor:
    """x as a constant; unlike `Tensor(x)` it may be complex."""
    return Tensor.from_op(x)
