"""An optimizer that keeps its state by number, and zeroes gradients in place of forgetting them."""

import copy

import numpy as np

from stage2_tensor import Tensor

Group = dict


class Optimizer:
    def __init__(self, params, **options):
        params = list(params)
        if not params:
            raise ValueError("no parameters")
        groups = params if isinstance(params[0], dict) else [{"params": params}]
        self.param_groups = [
            {**options, **group, "params": list(group["params"])} for group in groups
        ]
        assert all(isinstance(p, Tensor) for p in self.parameters())
        assert len({id(p) for p in self.parameters()}) == len(self.parameters())
        self.memory = [{} for _ in self.parameters()]
        self.state = {p: self.memory[i] for i, p in enumerate(self.parameters())}

    def parameters(self):
        return [p for group in self.param_groups for p in group["params"]]

    def _get_lr(self):
        return self.param_groups[0]["lr"]

    def _set_lr(self, lr):
        for group in self.param_groups:
            group["lr"] = lr

    lr = property(_get_lr, _set_lr)

    def step(self):
        for group in self.param_groups:
            moving = [p for p in group["params"] if p.grad is not None]
            for p in moving:
                self.update(p, p.grad, self.state[p], group)

    def zero_grad(self):
        for p in self.parameters():
            if p.grad is not None:
                p.grad = np.zeros_like(p.data)

    def state_dict(self):
        numbers = {id(p): i for i, p in enumerate(self.parameters())}
        groups = [
            {**group, "params": [numbers[id(p)] for p in group["params"]]}
            for group in self.param_groups
        ]
        memory = [self.state[p] for p in self.parameters()]
        return copy.deepcopy({"state": dict(enumerate(memory)), "param_groups": groups})

    def load_state_dict(self, saved):
        saved = copy.deepcopy(saved)
        if [len(g["params"]) for g in saved["param_groups"]] != [
            len(g["params"]) for g in self.param_groups
        ]:
            raise KeyError("other groups")
        parameters = self.parameters()
        for i, memory in saved["state"].items():
            for value in memory.values():
                if isinstance(value, np.ndarray) and value.shape != parameters[i].shape:
                    raise ValueError("another shape")
        for group, options in zip(self.param_groups, saved["param_groups"]):
            params = group["params"]
            group.clear()
            group.update(options, params=params)
        for i, memory in saved["state"].items():
            self.state[parameters[i]] = memory

    def scratch(self, p, number=0):
        return np.empty_like(p.data)
