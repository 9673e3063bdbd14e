"""The loss of a model on the two moons, and the loop that learns them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from stage1_autodiff.inputs import (
    check_labelled,
    check_model,
    check_node,
    check_numbers,
    check_training,
)
from stage1_autodiff.neuron import Module
from stage1_autodiff.value import Value


class Scorer(Protocol):
    """A model with one output, such as an MLP whose last layer has a single neuron."""

    def __call__(self, x: Sequence, /) -> Value:
        """The score of one point."""
        ...

    def parameters(self) -> list[Value]:
        """The Values that learning may change."""
        ...


def hinge_loss(model: Scorer, points: Sequence, labels: Sequence, alpha: float = 1e-4) -> Value:
    """The mean of relu(1 - label * score), plus alpha times the sum of squared parameters.

    A point costs nothing once its score has the sign of its label and a size of at least 1.

    Source:    Cortes and Vapnik (1995), Support-Vector Networks, section 3: the soft margin.
               Differs: the costs are averaged, and the biases are penalised too.
    """
    check_model("hinge_loss", model, "parameters")
    check_labelled("hinge_loss", points, labels)
    check_numbers("hinge_loss", alpha=alpha)
    costs = [(1 - label * model(point)).relu() for point, label in zip(points, labels)]
    penalty = sum((p * p for p in model.parameters()), Value(0.0))
    return sum(costs, Value(0.0)) / len(costs) + alpha * penalty


def accuracy(model: Scorer, points: Sequence, labels: Sequence) -> float:
    """The share of points whose score has the sign of their label."""
    check_model("accuracy", model)
    check_labelled("accuracy", points, labels)
    scores = [model(point) for point in points]
    check_numbers("accuracy", **{f"score {i}": score for i, score in enumerate(scores)})
    right = [score * label > 0 for score, label in zip(scores, labels)]
    return sum(right) / len(right)


def train(
    model: Module, loss: Callable[[], Value], steps: int, learning_rate: float
) -> list[float]:
    """The loss before each of `steps` steps of gradient descent on the model's parameters.

    A step: zero the gradients, compute the loss, walk backward, move every parameter against its
    gradient by `learning_rate` times that gradient.

    Source:    Cauchy (1847): x <- x - lr dL/dx.
    """
    check_training(model, loss, steps, learning_rate)
    history = []
    for _ in range(steps):
        model.zero_grad()
        total = loss()
        check_node("train", total, "backward")
        total.backward()
        for p in model.parameters():
            p.data -= learning_rate * p.grad
        history.append(total.data)
    return history
