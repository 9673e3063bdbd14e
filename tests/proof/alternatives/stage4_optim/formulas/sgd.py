"""SGD by its formulas: nothing in place, data rebound."""

import numpy as np

from stage4_optim.decay import l2_gradient
from stage4_optim.optimizer import Optimizer


class SGD(Optimizer):
    def __init__(
        self, params, lr=1e-3, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False
    ):
        if nesterov and (momentum == 0 or dampening != 0):
            raise ValueError("nesterov needs momentum")
        options = {"lr": lr, "momentum": momentum, "dampening": dampening}
        super().__init__(params, **options, weight_decay=weight_decay, nesterov=nesterov)

    def update(self, p, g, state, options):
        g = l2_gradient(p, g, options["weight_decay"], np.empty_like(p.data))
        if options["momentum"] > 0:
            g = self.velocity(p, g, state, options)
        p.data = (p.data - options["lr"] * g).astype(p.dtype)

    def velocity(self, p, g, state, options):
        mu, old = options["momentum"], state.get("velocity")
        new = np.array(g) if old is None else mu * old + (1 - options["dampening"]) * g
        state["velocity"] = new
        return g + mu * new if options["nesterov"] else new
