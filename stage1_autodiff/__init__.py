"""Stage 1: automatic differentiation, one scalar at a time."""

from stage1_autodiff.dual import Dual, derivative, second_derivative
from stage1_autodiff.gradcheck import central_difference, gradcheck
from stage1_autodiff.gradcheck_table import GradCheck, Row
from stage1_autodiff.graph import backward, topological_order
from stage1_autodiff.moons import accuracy, hinge_loss, train
from stage1_autodiff.neuron import MLP, Layer, Module, Neuron, dot
from stage1_autodiff.randomness import generator
from stage1_autodiff.two_moons import two_moons
from stage1_autodiff.value import Value
from stage1_autodiff.view.draw import draw
from stage1_autodiff.view.film import film
from stage1_autodiff.view.microscope import explain, find_break

__all__ = [
    "MLP",
    "Dual",
    "GradCheck",
    "Layer",
    "Module",
    "Neuron",
    "Row",
    "Value",
    "accuracy",
    "backward",
    "central_difference",
    "derivative",
    "dot",
    "draw",
    "explain",
    "film",
    "find_break",
    "generator",
    "gradcheck",
    "hinge_loss",
    "second_derivative",
    "topological_order",
    "train",
    "two_moons",
]
