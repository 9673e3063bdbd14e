"""Stage 1: automatic differentiation, one scalar at a time."""

from stage1_autodiff.agreement import SMALLEST, tell_tales
from stage1_autodiff.data import two_moons
from stage1_autodiff.draw import draw
from stage1_autodiff.dual import Dual, derivative, second_derivative
from stage1_autodiff.film import film
from stage1_autodiff.gradcheck import central_difference, gradcheck
from stage1_autodiff.graph import backward, topological_order
from stage1_autodiff.microscope import explain, find_break
from stage1_autodiff.moons import accuracy, hinge_loss, train
from stage1_autodiff.neuron import MLP, Layer, Module, Neuron, dot
from stage1_autodiff.randomness import generator
from stage1_autodiff.value import Value

__all__ = [
    "MLP",
    "SMALLEST",
    "Dual",
    "Layer",
    "Module",
    "Neuron",
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
    "tell_tales",
    "topological_order",
    "train",
    "two_moons",
]
